"""What depends on what: predicates on the predicates that their rules read, changes on the rules that make them.

Where ``heap`` changes, all that is read off it changes too, through whatever literal:

>>> from kaiser_logic.rules.loader import parse_rules
>>> rules = parse_rules("empty :- not heap(_). add(phase(over)) :- empty. player(R) :- seat(R,_).")
>>> sorted(Dependence(rules).affected([("heap", 1)]))
[('add', 1), ('empty', 0), ('heap', 1)]
>>> named_in(rules, ("add", 1))
{('phase', 1)}
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from ..lang.terms import Signature
from ..rules.predicates import is_enumeration
from ..rules.rule import Rule


class Dependence:
    """Which predicates depend on which, by some rules."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        """Notes for each predicate what its rules read."""
        self._reads: dict[Signature, set[Signature]] = defaultdict(set)
        for rule in rules:
            for head in rule.heads:
                self._reads[head.signature] |= rule.uses

    def copy(self) -> Dependence:
        """The same, of which more can be stated."""
        found = Dependence(())
        found._reads = self._reads.copy()
        return found

    def state(self, signature: Signature, reads: set[Signature]) -> None:
        """States what a predicate depends on, whatever its rules read."""
        self._reads[signature] = reads

    def affected(self, changed: Iterable[Signature]) -> set[Signature]:
        """The predicates that can change where these do, themselves too."""
        affected = set(changed)
        growing = True
        while growing:
            growing = False
            for signature, reads in self._reads.items():
                if signature not in affected and reads & affected:
                    affected.add(signature)
                    growing = True
        return affected


def judging(rules: Iterable[Rule]) -> Dependence:
    """As the rules have it that judge, and do not list what comes into question."""
    return Dependence(r for r in rules if not is_enumeration(r))
