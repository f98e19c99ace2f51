"""Sequences of decisions counted by a batch: whole levels of positions at once."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from math import prod
from typing import Any, Final

import numpy as np

from ..position import Position
from .batch import Batch
from .packed import PackedPositions
from .vectorised import OTHER

_ROWS: Final = 1 << 16
"""The number of positions that are expanded at a time."""


Singly = Callable[[dict[Position, int], int], list[int]]
"""Counts by the engine for one position: from positions with their numbers of paths, to a depth."""


class LevelCounter:
    """Counts sequences of decisions by a batch."""

    def __init__(self, batch: Batch, singly: Singly) -> None:
        """``singly``: counts from positions for which there are no circuits."""
        self._batch, self._singly = batch, singly

    def counted(self, paths: dict[Position, int], depth: int) -> list[int]:
        """The numbers of sequences of each length from 1 to ``depth``, from all of these positions together.

        Args:
            paths: The positions, each with the number of paths that lead to it.
            depth: How long the sequences are.
        """
        return self._counted(self._batch.pack(paths), np.array(list(paths.values()), object), depth)

    def _counted(self, packed: PackedPositions, paths: Any, depth: int) -> list[int]:
        """The same of packed positions."""
        found = [0] * depth
        if not depth or not len(packed):
            return found
        where = self._batch.where(packed.state, packed.others)
        where[self._batch.naming(where)] = OTHER
        apart = {place: packed[place] for place in map(int, np.flatnonzero(where == OTHER))}
        if apart:
            left: dict[Position, int] = {}
            for place, position in apart.items():
                left[position] = left.get(position, 0) + int(paths[place])
            found = [a + b for a, b in zip(found, self._singly(left, depth), strict=True)]
        inside = np.flatnonzero(where >= 0)
        for first in range(0, len(inside), _ROWS):
            part = inside[first : first + _ROWS]
            rows = PackedPositions(
                self._batch.evaluator, packed.layout, packed.state[part], packed.numbers[part]
            )
            found = [a + b for a, b in zip(found, self._level(rows, paths[part], depth), strict=True)]
        return found

    def _level(self, packed: PackedPositions, paths: Any, depth: int) -> list[int]:
        """The same of positions for all of which there are circuits."""
        offsets, numbers = self._batch.legal_numbers(packed)
        places = {role: k for k, role in enumerate(self._batch.evaluator.ruleset.roles)}
        roles = np.array([places[role] for role, _ in self._batch.actions], np.int64)
        sizes = np.diff(offsets)
        sources: list[Any] = []
        moves: list[Any] = []
        choices = sizes.astype(object)
        acting = roles[numbers]
        ends = np.repeat(np.arange(len(packed)), sizes)
        first_role = acting[np.minimum(offsets[:-1], max(len(numbers) - 1, 0))] if len(numbers) else acting
        several = np.unique(ends[acting != first_role[ends]]) if len(numbers) else np.zeros(0, np.int64)
        alone = np.ones(len(packed), np.bool_)
        alone[several] = False
        for place in map(int, several):
            its = numbers[offsets[place] : offsets[place + 1]]
            groups = [its[roles[its] == role] for role in np.unique(roles[its])]
            choices[place] = prod(map(len, groups))
            if depth > 1:
                rows = np.full((choices[place], len(places)), -1, np.int64)
                for k, joint in enumerate(product(*groups)):
                    rows[k, roles[list(joint)]] = joint
                sources.append(np.full(len(rows), place))
                moves.append(rows)
        found = [int(sum(paths * choices))]
        if depth == 1:
            return found
        mine = alone[ends]
        rows = np.full((int(mine.sum()), len(places)), -1, np.int64)
        rows[np.arange(len(rows)), acting[mine]] = numbers[mine]
        source, done = np.concatenate([ends[mine], *sources]), np.concatenate([rows, *moves])
        deeper = [0] * (depth - 1)
        for first in range(0, len(source), 4 * _ROWS):
            part = slice(first, first + 4 * _ROWS)
            after, its_paths = self._after(packed, source[part], done[part], paths)
            deeper = [a + b for a, b in zip(deeper, self._counted(after, its_paths, depth - 1), strict=True)]
        return found + deeper

    def _after(
        self, packed: PackedPositions, source: Any, done: Any, paths: Any
    ) -> tuple[PackedPositions, Any]:
        """The positions after some decisions, each once, with the number of paths to it."""
        state, numbers = packed.state[source], packed.numbers[source]
        known = np.ones(len(source), np.bool_)
        self._batch.carry_out(state, numbers, self._batch.where(state), done, known, sure=True)
        self._batch.settle(state, numbers, known)
        others: dict[Position, int] = {}
        for place in map(int, np.flatnonzero(~known)):
            actions = {self._batch.actions[n][0]: self._batch.actions[n][1] for n in done[place] if n >= 0}
            position = packed[int(source[place])].apply(actions)
            others[position] = others.get(position, 0) + int(paths[source[place]])
        whole = np.ascontiguousarray(np.hstack([state[known], numbers[known].view(np.uint64)]))
        rows, inverse = np.unique(whole, axis=0, return_inverse=True)
        summed = np.zeros(len(rows), object)
        np.add.at(summed, inverse.reshape(-1), paths[source[known]])
        width = state.shape[1]
        beside = np.ascontiguousarray(rows[:, width:]).view(np.int64)
        more = self._batch.pack(others)
        together = PackedPositions(
            self._batch.evaluator,
            packed.layout,
            np.concatenate([np.ascontiguousarray(rows[:, :width]), more.state]),
            np.concatenate([beside.reshape(len(rows), numbers.shape[1]), more.numbers]),
            {len(rows) + place: position for place, position in more.others.items()},
        )
        return together, np.concatenate([summed, np.array(list(others.values()), object)])
