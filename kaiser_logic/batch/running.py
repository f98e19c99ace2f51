"""Buckets run on rows of positions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from ..evaluation.evaluator import Evaluator
from .buckets import STEP
from .layout import LARGEST
from .machine import MOST_LANES, OTHER
from .stock import Stock

_MOST_STEPS = 10_000
"""What happens by itself ends sooner, or is left to the engine for one position."""


class Runner:
    """A game's buckets, ready to be run on rows.

    Attributes:
        evaluator: What evaluates positions one at a time.
        stock: The buckets.
    """

    def __init__(self, evaluator: Evaluator, stock: Stock) -> None:
        """Of a game whose buckets are in stock."""
        self.evaluator, self.stock = evaluator, stock

    def where(self, state: Any, others: Iterable[int] = ()) -> Any:
        """The buckets of rows, made ready if need be; OVER where nothing is pending, OTHER where there is none."""
        layout = self.stock.layout
        met = (
            np.bitwise_or.reduce(state[:, : layout.control], axis=0) if len(state) else np.zeros(0, np.uint64)
        )
        bits = {w * 64 + b for w, word in enumerate(map(int, met)) for b in range(64) if word >> b & 1}
        self.stock.need([key for key, its in self.stock.keys.items() if not bits.isdisjoint(its)])
        machine = self.stock.machine
        found = machine.where(state)
        for place in others:
            found[place] = OTHER
        return found

    def naming(self, where: Any) -> Any:
        """Which of the positions, by their buckets, are such that somebody may name a set."""
        own = np.array([*(b.picks for b in self.stock.machine.buckets), False], np.bool_)
        return own[np.where(where >= 0, where, len(own) - 1)]

    def carry_out(
        self,
        state: Any,
        numbers: Any,
        where: Any,
        done: Any,
        known: Any,
        picked: Any = None,
        sure: bool = False,
    ) -> None:
        """Carries out what is done in positions; ``known`` becomes False where that cannot be.

        Args:
            state: Rows of positions; changed.
            numbers: The numbers beside them; changed.
            where: Their buckets.
            done: For each position and role the number of an action, or -1.
            known: Which of the positions are meant.
            picked: For each position and box of its bucket how many are in the set that is named; None: no sets are.
            sure: Whether what is done is legal.
        """
        machine = self.stock.machine
        known &= where >= 0
        for bucket in np.unique(where[known]):
            ready = machine.ready[bucket]
            every = np.flatnonzero(known & (where == bucket))
            for first in range(0, len(every), MOST_LANES):
                lanes = every[first : first + MOST_LANES]
                boxes = len(ready.bucket.picking.boxes)
                sets = np.zeros((len(lanes), boxes), np.int32) if picked is None else picked[lanes, :boxes]
                fine = np.ones(len(lanes), np.bool_)
                planes = ready.planes(state, lanes)
                if ready.tickets and not sure:
                    ready.judged(ready.may(planes, len(lanes)), done[lanes], sets, fine)
                ready.change(planes, state, numbers, self.least, lanes, done[lanes], sets, fine)
                known[lanes[~fine]] = False

    def settle(self, state: Any, numbers: Any, known: Any) -> None:
        """Lets happen what is due by itself in positions, until nothing is; ``known`` as for `carry_out`."""
        mask = self.steps
        for _ in range(_MOST_STEPS):
            due = known & (state[:, : len(mask)] & mask).any(axis=1)
            if not due.any():
                return
            lanes = np.flatnonzero(due)
            some, beside = state[lanes], numbers[lanes]
            where = self.where(some)
            fine = np.ones(len(lanes), np.bool_)
            done = np.full((len(lanes), len(self.evaluator.ruleset.roles)), -1, np.int64)
            self.carry_out(some, beside, where, done, fine, sure=True)
            state[lanes], numbers[lanes] = some, beside
            known[lanes[~fine]] = False
        known[:] = False

    @property
    def steps(self) -> Any:
        """The bits of what happens by itself, as the first words of a row."""
        steps = np.zeros(64 * self.stock.layout.control, np.bool_)
        for key, bits in self.stock.keys.items():
            steps[bits] = key.role == STEP
        return np.packbits(steps, bitorder="little").view(np.uint64)

    @property
    def least(self) -> Any:
        """The least value of each number beside the bits, and what all stay below."""
        layout = self.stock.layout
        return np.array([*map(layout.least, layout.numbers), LARGEST], np.int64)
