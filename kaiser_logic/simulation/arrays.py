"""Arrays of whole numbers, programs of gates among them, and what is demanded of those that may be anything."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from .gates import AGAIN, CONSTANT, KINDS, Code

Numbers = npt.NDArray[np.int32]
"""Whole numbers of 32 bits, in one or more dimensions."""


class Damaged(Exception):
    """What should be a bucket is none."""


@dataclass(frozen=True)
class Gates:
    """A program of gates as numbers.

    Attributes:
        gates: A row for each: kind, slot of the value, slots of the two values read; long runs of one kind.
        outputs: A row for each: slot or `CONSTANT`, and whether it is negated there; the last one says that the
            circuit does not know.
        slots: How many slots there are.
    """

    gates: Numbers
    outputs: Numbers
    slots: int

    @classmethod
    def of(cls, code: Code) -> Gates:
        """From code that was lowered."""
        return cls(table_of(code.gates, 4), table_of(code.outputs, 2), code.slots)

    def check(self, first: int, outputs: int) -> None:
        """Looks at every index: there are so many inputs, and outputs besides that for "unknown"."""
        demand(first <= self.slots <= 10_000_000 and self.gates.shape[1:] == (4,))
        within(self.gates[:, 0], 0, KINDS)
        back = self.gates[:, 0] == AGAIN
        within(self.gates[:, 1], first, self.slots)
        within(self.gates[~back, 2:], 0, self.slots)
        within(self.gates[back, 3], 0, 1_000_000)
        room = (
            np.diff(np.flatnonzero(back), prepend=-1) - 1
        )  # loops lie one after the other: each comes to its end
        demand(bool(((self.gates[back, 2] >= 0) & (self.gates[back, 2] <= room)).all()))
        demand(self.outputs.shape == (outputs + 1, 2))
        within(self.outputs[:, 0], CONSTANT, self.slots)
        within(self.outputs[:, 1], 0, 2)


def table_of(rows: Sequence[Sequence[int]], width: int) -> Numbers:
    """Rows of this width as an array."""
    return np.array(rows, np.int32).reshape(len(rows), width)


def numbers_of(values: Sequence[int]) -> Numbers:
    """Whole numbers as an array."""
    return np.array(values, np.int32)


def padded(rows: Sequence[Sequence[int]]) -> Numbers:
    """Rows of unequal length, filled with -1."""
    width = max(map(len, rows), default=0) or 1
    return table_of([[*row, *[-1] * (width - len(row))] for row in rows], width)


def within(values: Any, low: int, high: int) -> None:
    """Damaged unless all of them lie from ``low`` to before ``high``."""
    demand(not values.size or bool(values.min() >= low and values.max() < high))


def demand(fine: bool) -> None:
    """Damaged unless this holds."""
    if not fine:
        raise Damaged
