"""Underivable atoms: no rule has a matching head.

>>> from kaiser_logic.rules.loader import parse_rules
>>> from kaiser_logic.rules.reader import read_term
>>> rules = parse_rules("bad(A) :- wants(A,X), unfit(X). wants(buy(X),X) :- offer(X). unfit(X) :- worn(X).")
>>> heads = Heads(rules, [])
>>> heads.never(rules[0], {"A": read_term("pass")}), heads.never(rules[0], {"A": read_term("buy(hat)")})
(True, False)
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Final

from ..lang.terms import Signature, Term
from ..lang.unification import Binding, canonical, rename_all, resolve_to_depth, unify_all
from ..rules.predicates import (
    AT_LEAST,
    BOARD_FACT,
    CANDIDATE,
    CHANGE,
    COUNTER,
    COUNTS,
    DOES,
    EFFECTS,
    FLUENT,
    LEGAL,
    MORE,
    OFFERED,
    THEN,
    TOTAL,
)
from ..rules.rule import Rule

_READINGS: Final = frozenset(
    {DOES, CANDIDATE, LEGAL, OFFERED, COUNTS, TOTAL, CHANGE, THEN, MORE, AT_LEAST, COUNTER, *EFFECTS}
)
_LISTS: Final = frozenset({FLUENT, ("holds", 1), ("action", 2), ("board", 1), BOARD_FACT, ("number", 1)})
_INPUTS: Final = _READINGS | _LISTS
"""What some question is given, or defines by rules of its own, although the rules say it, too."""


class Heads:
    """The heads of a fixed list of rules."""

    def __init__(self, rules: Iterable[Rule], inputs: Iterable[Signature]) -> None:
        """``inputs``: the predicates that a question is given, whatever the rules derive."""
        self._heads: dict[Signature, list[tuple[Term, ...]]] = defaultdict(list)
        for rule in rules:
            for head in rule.heads:
                self._heads[head.signature].append(head.args)
        self._inputs = _INPUTS.union(inputs)
        self._lacking: dict[tuple[Signature, tuple[Term, ...]], bool] = {}

    def never(self, rule: Rule, binding: Binding) -> bool:
        """Whether a rule's body, under this binding, needs an atom that no rule's head matches.

        Of ``bad(A) :- wants(A,X), unfit(X)`` nothing is demanded then for an action that nobody `wants`: else it were asked of
        all that is wanted whether it is `unfit`.
        """
        return any(self._lacks(a.signature, a.args, binding) for a in rule.positive)

    def _lacks(self, signature: Signature, args: Sequence[Term], binding: Binding) -> bool:
        heads = self._heads.get(signature)
        if heads is None or signature in self._inputs:
            return False
        wanted = rename_all(canonical(tuple([resolve_to_depth(x, binding) for x in args])), "d")
        found = self._lacking.get((signature, wanted))
        if found is None:
            found = all(unify_all(head, wanted, {}) is None for head in heads)
            self._lacking[signature, wanted] = found
        return found
