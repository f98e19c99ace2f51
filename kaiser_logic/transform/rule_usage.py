r"""The documented rules that take part in a derivation.

Rules are added to a program that follow its answers from the top down (:mod:`.magic_sets`), to the rules that fire and to the
facts that they read. So a documented rule counts only if it fires for the very answer, not elsewhere in the position.

A violation is followed to the rules that derive it, and to those that something keeps from lifting it. That there is no violation
is followed to what keeps each rule from finding one. Predicates on which none of the wanted rules has an influence are not
followed.

>>> from kaiser_logic.rules.loader import parse_rules
>>> text = "paid(R,C) :- does(R,buy(C)), price(C,_).\n\nprice(C,N) :- list(C,N)."
>>> for rule in usage_rules(parse_rules(text, "f.lp", [(2, "prices")]), {"prices"}, [("paid", 2)]):
...     print(rule.text)
_true1(1,1,X1,X2) :- paid(X1,X2).
_rule2(_K,_L,C,R,_A1) :- _true1(_K,_L,R,C); does(R,buy(C)); price(C,_A1).
_true3(_K,_L,C,_A1) :- _rule2(_K,_L,C,R,_A1).
_rule4(_K,_L,C,N) :- _true3(_K,_L,C,N); list(C,N).
_used("prices") :- _rule4(_K,_L,C,N).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from ..lang.algebra import walk
from ..lang.terms import ANY, Atom, Compare, Int, Literal, Signature, Text, Var
from ..rules.predicates import VIOLATES
from ..rules.reader import rule_from
from ..rules.rule import PlacedRule, predicates_affected
from .magic_sets import Clause, RelevanceMaker, names, positive

USED: Final[Signature] = ("_used", 1)
"""The predicate of the answers: the ids of documented rules."""
ASKED: Final[Signature] = ("_asked", 2)
"""The predicate of the given question whether an action of a role breaks a rule: role, action."""
_ONE: Final = Int(1)


def usage_rules(
    rules: Sequence[PlacedRule],
    wanted: Collection[str],
    outputs: Iterable[Signature],
    *,
    violations: bool = False,
) -> tuple[PlacedRule, ...]:
    """The added rules.

    Args:
        rules: The rules of the program, and those of its static facts.
        wanted: The ids of the documented rules in question.
        outputs: The predicates whose atoms are followed.
        violations: Whether the violations of the actions in question are followed, and why there are no others.
    """
    maker = _Maker((), _leading(rules, wanted), wanted=wanted)
    for signature in outputs:
        if signature in maker.deriving:
            atom = Atom(signature[0], tuple(Var(f"X{k}") for k in range(1, signature[1] + 1)))
            maker.say(Atom(maker.true(signature), (_ONE, _ONE, *atom.args)), atom)
    if violations and VIOLATES in maker.deriving:
        asked, violation = (
            Atom(ASKED[0], (Var("R"), Var("A"))),
            Atom(VIOLATES[0], (Var("R"), Var("A"), Var("V"))),
        )
        maker.say(Atom(maker.true(VIOLATES), (_ONE, _ONE, *violation.args)), asked, violation)
        none = Atom(VIOLATES[0], (Var("R"), Var("A"), ANY), 1)
        false = maker.false(VIOLATES, (True, True, False))
        maker.say(Atom(false, (_ONE, _ONE, *asked.args)), asked, none)
    maker.walk()
    return tuple(map(rule_from, maker.made))


def _leading(rules: Sequence[PlacedRule], wanted: Collection[str]) -> dict[Signature, list[PlacedRule]]:
    """The wanted rules and those that depend on them, by the predicates that they derive."""
    derived = [head.signature for rule in rules if rule.block in wanted for head in rule.heads]
    affected = predicates_affected(rules, derived)
    deriving: dict[Signature, list[PlacedRule]] = defaultdict(list)
    for rule in rules:
        if rule.block in wanted or not affected.isdisjoint(rule.uses):
            for signature in {head.signature for head in rule.heads}:
                deriving[signature].append(rule)
    return deriving


@dataclass
class _Maker(RelevanceMaker):
    """Writes the rules; those that fire are noted if they are wanted."""

    wanted: Collection[str] = field(default=())

    def fires(self, rule: PlacedRule, instance: Atom) -> None:
        """Says that a documented rule is used if there is an instance of it."""
        if rule.block in self.wanted:
            self.say(Atom(USED[0], (Text(str(rule.block)),)), instance)

    def is_blocked(self, rule: PlacedRule, clause: Clause, bound: tuple[bool, ...]) -> None:
        """Says that a documented rule is used if only an atom under ``not`` keeps it from firing, and it is no prohibition."""
        if rule.block not in self.wanted or clause.signature == VIOLATES:
            return
        args = [arg for arg, known in zip(clause.args, bound, strict=True) if known]
        asked = Atom(self.false(clause.signature, bound), (_ONE, ANY, *args))
        for part, support in clause.plan(set(names(*args))):
            if part.negated:
                body = (asked, *(other.literal for other in support), positive(part))
                self.say(Atom(USED[0], (Text(str(rule.block)),)), *body)

    def say(self, head: Atom, *body: Literal) -> None:
        """Adds a rule. A comparison with any term, such as ``K != f(_)``, is left out: no variable may be unbound."""
        super().say(head, *(literal for literal in body if not _is_open(literal)))


def _is_open(literal: Literal) -> bool:
    return isinstance(literal, Compare) and any(ANY in walk(side) for side in (literal.left, literal.right))
