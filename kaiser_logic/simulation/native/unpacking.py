"""Packed positions as the rows of relations that native code reads, without a position made of each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import Any

import clingo
import numpy as np

from ...engine.compiled.values import Large
from ..layout import Layout
from .memory import Full
from .programs import FACTS


class Unpacking:
    """For each bit of a packed position its row."""

    def __init__(self, layout: Layout, encoded: Callable[[Iterable[clingo.Symbol]], Any]) -> None:
        """Of this layout; ``encoded``: facts as rows, as :meth:`.games.Native.encoded` has them.

        Raises:
            Full, Large: A fact cannot be a row.
        """
        tests = {bit for _, _, bit in layout.tests}
        facts = [(bit, f) for bit, f in enumerate(layout.facts) if f is not None and bit not in tests]
        ones = [clingo.Function(c.name, [*c.arguments, clingo.Number(1)]) for c in layout.numbers]
        rows = [encoded([f])[0] for f in (*(f for _, f in facts), *ones, *sorted(layout.seats))]
        self._layout = layout
        self._table = np.zeros((len(rows), max(map(len, rows), default=1)), np.int64)
        for place, row in enumerate(rows):
            self._table[place, : len(row)] = row
        self._place = np.full(len(layout.facts), -1, np.int64)
        self._place[[bit for bit, _ in facts]] = range(len(facts))
        self._ones = len(facts)
        self._stated = np.array(
            [layout.counters[c.name, len(c.arguments) + 1] for c in layout.numbers], np.bool_
        )

    def rows(self, state: Any, numbers: Any) -> Sequence[Any]:
        """For each of these positions its rows: a relation and its row each; none, without any width, of what is too large."""
        table, ones = self._table, self._ones
        bits = np.unpackbits(np.ascontiguousarray(state).view(np.uint8), axis=1, bitorder="little")
        lane, bit = np.nonzero(bits)
        place = self._place[bit]
        lane, place = lane[place >= 0], place[place >= 0]
        found = table[place]
        beside, which = np.nonzero((numbers != 0) | self._stated)
        said = table[ones + which]
        said[np.arange(len(said)), self._widths[which]] = numbers[beside, which]
        seats = table[ones + numbers.shape[1] :]
        ends, more = (np.searchsorted(its, np.arange(len(state) + 1)) for its in (lane, beside))
        nothing = np.zeros((0, 0), np.int64)
        return [
            np.concatenate([found[a:b], said[c:d], seats]) if b - a + d - c + len(seats) <= FACTS else nothing
            for (a, b), (c, d) in zip(pairwise(ends), pairwise(more), strict=True)
        ]

    @property
    def _widths(self) -> Any:
        """For each number its column in its row."""
        return np.array([len(c.arguments) + 1 for c in self._layout.numbers], np.int64)


def unpacking(layout: Layout, encoded: Callable[[Iterable[clingo.Symbol]], Any]) -> Unpacking | None:
    """For each bit its row; None where a fact cannot be a row."""
    try:
        return Unpacking(layout, encoded)
    except (Full, Large):
        return None
