"""The invariants of a game: their names, those that a ruling waives, and those that proofs may assume."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from ..lang.normal import normal
from ..lang.terms import Atom
from ..lang.unification import CONSTANTS, label
from ..rules.predicates import BROKEN, GENERAL, PARTED, RANGE
from ..rules.rule import PlacedRule
from .ruleset import Ruleset


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
    return Invariants(tuple(sorted({*names_of(ruleset.rules)} - {*GENERAL})), ruleset.waived)


def names_of(rules: Iterable[PlacedRule]) -> tuple[str, ...]:
    """The names of the invariants for which these rules derive broken/2."""
    saying = (r for r in rules if any(h.signature == BROKEN for h in r.heads))
    heads = (one.head for r in saying for one in normal(r.value))
    heads_named = [h.args[0] for h in heads if isinstance(h, Atom) and h.signature == BROKEN]
    return tuple(dict.fromkeys(label(name) for name in heads_named if isinstance(name, CONSTANTS)))


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
    return first if of and first in (*PARTED, RANGE) else claim


def by_part(broken: Iterable[tuple[str, str]], dropped: Collection[str]) -> set[str]:
    """The names of broken invariants, given with what breaks them. A part that is dropped has its own name."""
    parts = ((name, part_of(name, witness)) for name, witness in broken)
    return {part if part in dropped else name for name, part in parts}
