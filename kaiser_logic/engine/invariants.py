"""The invariants of a game: their names, those that a ruling waives, and those that proofs may assume."""

from __future__ import annotations

from collections.abc import Collection, Iterable
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


def part_of(claim: str, witness: str) -> str:
    """The name of a part of a claim of every game, by what breaks it.

    >>> part_of("limit", "hand(red)")
    'limit of hand'
    """
    return f"{claim} of {witness.partition('(')[0]}"


def whole(claim: str) -> str:
    """The claim of every game of which this one is a part; otherwise the claim itself.

    >>> whole("limit of hand"), whole("bound of income")
    ('limit', 'bound of income')
    """
    first, of, _ = claim.partition(" of ")
    return first if of and first in ("limit", "count", "range") else claim


def by_part(broken: Iterable[tuple[str, str]], dropped: Collection[str]) -> set[str]:
    """The names of broken invariants, given with what breaks them. A part that is dropped has its own name."""
    named = ((name, part_of(name, witness)) for name, witness in broken)
    return {part if part in dropped else name for name, part in named}
