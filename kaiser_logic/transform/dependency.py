"""Dependencies: of predicates on those that their rules read.

If ``heap`` changes, every predicate that depends on it may change too:

>>> from kaiser_logic.rules.loader import parse_rules
>>> rules = parse_rules("empty :- not heap(_). add(phase(over)) :- empty. player(R) :- seat(R,_).")
>>> sorted(Dependence(rules).predicates_affected([("heap", 1)]))
[('add', 1), ('empty', 0), ('heap', 1)]
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from ..lang.graph import dependents
from ..lang.terms import Signature
from ..rules.predicates import is_enumeration
from ..rules.rule import PlacedRule


class Dependence:
    """The dependencies between the predicates of some rules."""

    def __init__(self, rules: Iterable[PlacedRule]) -> None:
        """Records the predicates that the rules of each predicate read."""
        self._reads: dict[Signature, set[Signature]] = defaultdict(set)
        for rule in rules:
            for head in rule.heads:
                self._reads[head.signature] |= rule.uses

    def copy(self) -> Dependence:
        """A copy to which more dependencies can be added."""
        copied = Dependence(())
        copied._reads = self._reads.copy()
        return copied

    def state(self, signature: Signature, reads: set[Signature]) -> None:
        """Sets the dependencies of a predicate, whatever its rules read."""
        self._reads[signature] = reads

    def predicates_affected(self, changed: Iterable[Signature]) -> set[Signature]:
        """The predicates that can change if these do, including themselves."""
        return dependents(self._reads, changed)


def judging(rules: Iterable[PlacedRule]) -> Dependence:
    """The dependencies of the rules for judging, without the move generator."""
    return Dependence(r for r in rules if not is_enumeration(r))
