"""Buckets side by side in a few arrays, as the kernels want them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .arrays import Numbers
from .buckets import Bucket
from .places import PLACES
from .vectors import LANES, WORDS


class Machine:
    """Some buckets, ready to be run.

    Attributes:
        buckets: They.
        places: For each where its parts begin and end: :data:`.kernels.PLACES`.
        data: All arrays.
        pending: For each bucket the words of what is pending in it.
        bucket_of_bit: For each bit of what is pending its bucket, or -1.
        first: For each bucket the number of its first action.
        is_first: For each ticket whether it is the first one of its action.
        ticket_of: For each action its first ticket in its bucket.
        picked: How many boxes a bucket has at most.
    """

    def __init__(
        self,
        buckets: Sequence[Bucket],
        firsts: Sequence[int],
        control: int,
        roles: Sequence[str],
        tests: Sequence[tuple[int, int, int]] = (),
    ) -> None:
        """Of these buckets, whose actions have these numbers.

        Args:
            buckets: The buckets.
            firsts: For each the number of its first action.
            control: How many words hold what is pending.
            roles: Who can decide, in order.
            tests: Bits that follow from the numbers beside them, as in :class:`.layout.Layout`.
        """
        self.buckets = tuple(buckets)
        self.first = tuple(firsts)
        columns = {name: n for n, name in enumerate(PLACES)}
        self.places = np.zeros((len(buckets), len(PLACES)), np.int64)
        self.pending = np.zeros((len(buckets), control), np.uint64)
        self.bucket_of_bit = np.full(64 * control, -1, np.int64)
        gates, outputs, tickets, inputs, changed, added, ranges = (_Parts() for _ in range(7))
        shapes, pickers, boxes, options, values, blocks = (_Parts() for _ in range(6))
        done: dict[int, list[int]] = {}
        for n, bucket in enumerate(buckets):
            place = {
                "legal": gates.add(bucket.legal.gates),
                "legal_end": gates.size,
                "effects": gates.add(bucket.effects.gates),
                "effects_end": gates.size,
                "may": outputs.add(bucket.legal.outputs),
                "outputs": outputs.add(bucket.effects.outputs),
                "tickets": tickets.add(bucket.tickets),
                "tickets_end": tickets.size,
                "inputs": inputs.add(bucket.inputs),
                "inputs_end": inputs.size,
                "doing": bucket.doing,
                "changed": changed.add(bucket.changed),
                "changed_end": changed.size,
                "added": added.add(bucket.added),
                "added_end": added.size,
                "roles": ranges.add(_ranges(bucket, roles)),
                "roles_end": ranges.size,
                "action": firsts[n],
                "sets": gates.add(bucket.picking.sets.gates),
                "sets_end": gates.size,
                "checks": outputs.add(bucket.picking.sets.outputs),
                "more": bucket.picking.more,
                "pickers": pickers.add(bucket.picking.pickers),
                "pickers_end": pickers.size,
                "boxes": boxes.add(bucket.picking.boxes),
                "boxes_end": boxes.size,
                "options": options.add(bucket.picking.options),
                "options_end": options.size,
                "most": bucket.picking.most,
                "rows": values.add(bucket.picking.rows.reshape(-1)),
                "rows_end": values.size,
                "blocks": blocks.add(bucket.picking.blocks),
                "blocks_end": blocks.size,
                "beside": bucket.picking.beside,
                "guards": bucket.picking.guards,
            }
            shapes.add(bucket.picking.shapes)
            for name, value in place.items():
                self.places[n, columns[name]] = value
            for bit in map(int, bucket.pending):
                self.pending[n, bit >> 6] |= np.uint64(1 << (bit & 63))
                self.bucket_of_bit[bit] = n
            for k, row in enumerate(bucket.done):
                done[firsts[n] + k] = [x for x in map(int, row) if x >= 0]
        most = max(done, default=-1) + 1
        each = [done.get(k, []) for k in range(most)]
        self.data: tuple[Any, ...] = (
            gates.array(4),
            outputs.array(2),
            tickets.array(),
            inputs.array(),
            np.cumsum([0, *map(len, each)]).astype(np.int64),
            np.array([x for row in each for x in row], np.int32),
            changed.array(),
            added.array(2),
            ranges.array(3),
            shapes.array(),
            pickers.array(4),
            boxes.array(3),
            options.array(2),
            np.array(tests, np.int64).reshape(len(tests), 3),
            values.array(),
            blocks.array(2),
        )
        self.is_first = np.concatenate(
            [np.zeros(0, np.bool_), *(np.diff(b.tickets, prepend=-1) > 0 for b in buckets)]
        )
        self.ticket_of = np.full(most, -1, np.int64)
        for n, bucket in enumerate(buckets):
            at, ticket = np.unique(bucket.tickets, return_index=True)
            self.ticket_of[firsts[n] + at] = ticket
        self.picked = max((len(b.picking.boxes) for b in buckets), default=0)
        self._sizes = (
            max((b.slots for b in buckets), default=1),
            max((len(b.tickets) + b.picking.more for b in buckets), default=0) // 64 + 1,
        )

    def work(self) -> tuple[Any, Any, Any]:
        """Room to work for one who runs buckets."""
        slots, words = self._sizes
        return _aligned(slots * WORDS), np.zeros((words + 1, LANES), np.uint64), _aligned(64 * WORDS)


class _Parts:
    """Arrays to be put one after the other."""

    def __init__(self) -> None:
        self.size = 0
        self._parts: list[Numbers] = []

    def add(self, part: Numbers) -> int:
        """Adds an array; where it begins."""
        first = self.size
        self._parts.append(part)
        self.size += len(part)
        return first

    def array(self, *width: int) -> Numbers:
        """All of them."""
        return np.ascontiguousarray(np.concatenate([np.zeros((0, *width), np.int32), *self._parts]))


def _ranges(bucket: Bucket, roles: Sequence[str]) -> Numbers:
    """For each role that can act its place, and its tickets from the first to before the last."""
    rows: list[list[int]] = []
    for ticket, action in enumerate(map(int, bucket.tickets)):
        place = roles.index(bucket.actions[action][0])
        if not rows or rows[-1][0] != place:
            rows.append([place, ticket, ticket])
        rows[-1][2] = ticket + 1
    return np.array(rows, np.int32).reshape(len(rows), 3)


def _aligned(words: int) -> Any:
    """So many words, beginning where the processor reads fastest."""
    whole = np.zeros(words + 8, np.uint64)
    skipped = (-whole.ctypes.data // 8) % 8
    return whole[skipped : skipped + words]
