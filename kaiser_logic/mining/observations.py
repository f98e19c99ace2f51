"""Positions that games have come to, and which of them show a feature: sets of positions as the bits of numbers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from .. import clingo
from ..engine import symbols
from ..rules.pattern import Signature
from .features import Feature, match

Bits: TypeAlias = int
"""A set of positions: bit number k for the position number k."""
Facts: TypeAlias = frozenset[clingo.Symbol]


class Observations:
    """What is true in given positions.

    Attributes:
        positions: The positions, each once.
        all: All of them as bits.
    """

    def __init__(self, positions: Iterable[Facts]) -> None:
        """Of these positions."""
        self.positions = tuple(dict.fromkeys(positions))
        self.all: Bits = (1 << len(self.positions)) - 1
        self._facts = _where(self.positions)
        self._by_signature: dict[Signature, list[clingo.Symbol]] = defaultdict(list)
        for fact in self._facts:
            self._by_signature[symbols.signature(fact)].append(fact)

    def __len__(self) -> int:
        return len(self.positions)

    def shown(self, feature: Feature) -> Bits:
        """Where a feature shows, whatever its variable stands for."""
        found = 0
        for where in self.by_value(feature).values():
            found |= where
        return found

    def by_value(self, feature: Feature) -> Mapping[clingo.Symbol | None, Bits]:
        """Where a feature shows, for each value of its variable; under None where it has no variable."""
        found: dict[clingo.Symbol | None, Bits] = defaultdict(int)
        pattern = feature.pattern
        signature = pattern[1], len(pattern[2]) if pattern[0] == "f" else 0
        for fact in self._by_signature.get(signature, ()):
            matched = match(pattern, fact)
            if matched is not None:
                found[matched[0] if matched else None] |= self._facts[fact]
        return found

    def numbers(self, feature: Feature) -> Mapping[int, Bits]:
        """Where a counter, with a variable for its number, has which number somewhere."""
        return {v.number: where for v, where in self.by_value(feature).items() if v is not None}


def _where(positions: Sequence[Facts]) -> dict[clingo.Symbol, Bits]:
    """For each fact the positions that have it."""
    size = len(positions) // 8 + 1
    found: dict[clingo.Symbol, bytearray] = {}
    for number, facts in enumerate(positions):
        place, bit = number >> 3, 1 << (number & 7)
        for fact in facts:
            row = found.get(fact)
            if row is None:
                row = found[fact] = bytearray(size)
            row[place] |= bit
    return {fact: int.from_bytes(row, "little") for fact, row in found.items()}
