"""The invariants of a game: their names, those that a ruling waives, and those that proofs may assume."""

from __future__ import annotations

from dataclasses import dataclass

from ..lang.unification import CONSTANTS, label
from ..rules.predicates import BROKEN
from .ruleset import Ruleset

GENERAL = ("vocabulary", "count", "limit")
"""The invariants of every game. The construction of an open position ensures them."""


@dataclass(frozen=True)
class Invariants:
    """A game's own invariants.

    Attributes:
        every: The names of all invariants.
        waived: The names of those that a ruling waives, or that are dropped.
    """

    every: tuple[str, ...]
    waived: frozenset[str]

    @property
    def assumed(self) -> tuple[str, ...]:
        """The invariants that every valid position meets."""
        return tuple(i for i in self.every if i not in self.waived)


def invariants(ruleset: Ruleset) -> Invariants:
    """The invariants for which the rules derive broken/2."""
    heads = [
        h
        for r in ruleset.rules
        for h in r.heads
        if h.signature == BROKEN and isinstance(h.args[0], CONSTANTS)
    ]
    every = sorted({label(h.args[0]) for h in heads} - set(GENERAL))
    return Invariants(tuple(every), ruleset.waived)
