"""What depends on what: predicates on the predicates that their rules read, changes on the rules that make them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from ..rules.pattern import Signature
from ..rules.rule import Rule


class Dependence:
    """Which predicates depend on which, by some rules."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        """Notes for each predicate what its rules read."""
        self._reads: dict[Signature, set[Signature]] = defaultdict(set)
        for rule in rules:
            for head in rule.heads:
                self._reads[head.signature] |= rule.uses

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


def named_in(rules: Iterable[Rule], signature: Signature) -> set[Signature]:
    """The predicates of the facts that the rules' heads name: what is added by ``add/1``, or deleted by ``del/1``."""
    found: set[Signature] = set()
    for rule in rules:
        for head in rule.heads:
            if head.signature == signature:
                arg = head.args[0]
                if arg[0] == "f":
                    found.add((arg[1], len(arg[2])))
                elif arg[0] == "c":
                    found.add((arg[1], 0))
    return found
