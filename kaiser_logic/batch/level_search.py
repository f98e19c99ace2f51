"""Walks through all positions that games of a limited length reach, level by level: the first one with a property is nearest.

The positions after N moves are a level. Each position is visited once, on its first level, so a level is small where many
sequences of moves lead to the same positions. If no level has a position with the property, no game of that length reaches
one. Circuits do the work. `kaiser_logic.search` walks without them, through fewer positions.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from ..errors import NotDecided
from ..position import Position
from .batch import Batch, Levels
from .bits import Unsupported
from .layout import Layout
from .packed import PackedPositions
from .population import Property
from .vectorised import OTHER

POSITIONS: Final = 2_000_000
"""The largest number of positions that are visited."""
_ROWS: Final = 1 << 13
"""The number of positions that are expanded at a time."""
_DECISIONS: Final = 1 << 18
"""The number of decisions that are carried out at a time. A position of a large game takes a kilobyte."""


@dataclass(frozen=True)
class LevelReport:
    """The result of a walk.

    Attributes:
        games: The nearest positions with the property, each with its game: positions, and the decisions taken in each.
        moves: The number of moves of these games; of all games that were looked at if there is no position.
        positions: The number of positions that were visited before the level of the games.
    """

    games: tuple[tuple[tuple[Position, dict[str, str]], ...], ...]
    moves: int
    positions: int


@dataclass
class _Level:
    """Positions after the same number of moves, each with the first way to it: the level before, the row in it, the decisions."""

    packed: PackedPositions
    origin: Any
    row: Any
    done: Any


def walk_levels(
    start: Position,
    wanted: Callable[[Layout], Property],
    moves: int,
    count: int = 1,
    *,
    positions: int = POSITIONS,
    deadline: float = float("inf"),
    progress: Callable[[str], None] = lambda _: None,
) -> LevelReport | None:
    """Looks for the nearest positions with a property.

    Args:
        start: The position at which the games begin.
        wanted: Makes the property for rows with a layout.
        moves: The largest number of moves of a game; of simultaneous decisions each is a move.
        count: The largest number of positions that are wanted.
        positions: The largest number of positions that are visited.
        deadline: By :func:`time.monotonic`.
        progress: Is called with the number of positions so far.

    Returns:
        The result; None if circuits cannot do all of the work.

    Raises:
        NotDecided: There are too many positions, or the time is over.
    """
    try:
        batch = Batch(start.evaluator, None, progress, deadline)
        if batch.refused:
            return None
        return _Walk(batch, wanted(batch.store.layout), positions, deadline, progress).run(start, moves, count)
    except Unsupported:
        return None


class _Walk:
    """A walk through the levels."""

    def __init__(
        self,
        batch: Batch,
        property_sought: Property,
        most: int,
        deadline: float,
        progress: Callable[[str], None],
    ) -> None:
        self._batch, self._wanted, self._most = batch, property_sought, most
        self._deadline, self._progress = deadline, progress
        self._levels: list[_Level] = []
        self._seen: set[bytes] = set()
        self._coming: dict[int, set[bytes]] = {}

    def run(self, start: Position, moves: int, count: int) -> LevelReport:
        """Walks to the level of so many moves, or to the first one with the property."""
        first = self._batch.pack([start])
        nothing = np.full((1, len(self._batch.evaluator.ruleset.roles)), -1, np.int64)
        pending = {0: [_Level(first, np.array([-1]), np.array([0]), nothing)]}
        for length in range(moves + 1):
            nearer = len(self._seen)
            self._coming.pop(length, None)
            level = self._join(pending.pop(length, []))
            if level is None:
                continue
            self._levels.append(level)
            hits = np.flatnonzero(self._wanted(level.packed.state, level.packed.numbers))
            if self._wanted.is_partial:
                raise Unsupported("the property has no circuit at some positions")
            if len(hits):
                games = (self._game(len(self._levels) - 1, int(row)) for row in hits[:count])
                return LevelReport(tuple(games), length, nearer)
            if length < moves:
                for after, further in self._expand(level):
                    keys = self._coming.setdefault(length + further, set())
                    pending.setdefault(length + further, []).append(self._select_new(after, keys))
        return LevelReport((), moves, len(self._seen))

    def _join(self, parts: list[_Level]) -> _Level | None:
        """The new positions of some parts of a level; None if there are none."""
        kept = [new for part in parts if len((new := self._select_new(part, self._seen)).packed)]
        if not kept:
            return None
        packed = kept[0].packed
        state = np.concatenate([part.packed.state for part in kept])
        numbers = np.concatenate([part.packed.numbers for part in kept])
        return _Level(
            PackedPositions(packed.evaluator, packed.layout, state, numbers),
            np.concatenate([part.origin for part in kept]),
            np.concatenate([part.row for part in kept]),
            np.concatenate([part.done for part in kept]),
        )

    def _select_new(self, part: _Level, keys: set[bytes]) -> _Level:
        """The positions of a part that were not visited before and are not among some others; from now on they are."""
        if part.packed.others:
            raise Unsupported("positions that cannot be packed")
        new = []
        for place, (row, row_numbers) in enumerate(zip(part.packed.state, part.packed.numbers, strict=True)):
            key = row.tobytes() + row_numbers.tobytes()
            if key not in self._seen and key not in keys:
                keys.add(key)
                new.append(place)
        if len(self._seen) + (len(keys) if keys is not self._seen else 0) > self._most:
            raise NotDecided(f"there are more than {self._most} positions")
        places = np.array(new, np.int64)
        return _Level(part.packed.select(places), part.origin[places], part.row[places], part.done[places])

    def _expand(self, level: _Level) -> Iterator[tuple[_Level, int]]:
        """Yields the positions after the decisions in a level, with the number of moves to them."""
        batch, number = self._batch, len(self._levels) - 1
        where = batch.where(level.packed)
        where[batch.naming(where)] = OTHER
        if (where == OTHER).any():
            raise Unsupported("decisions without circuits")
        inside = np.flatnonzero(where >= 0)
        levels = Levels(batch)
        for first in range(0, len(inside), _ROWS):
            if time.monotonic() > self._deadline:
                raise NotDecided("the time is over")
            self._progress(f"all positions of games: {len(self._seen):,}")
            part = inside[first : first + _ROWS]
            packed = level.packed.select(part)
            source, done = levels.decisions(packed)
            further = (done >= 0).sum(axis=1)
            for moves in np.unique(further).tolist():
                every = np.flatnonzero(further == moves)
                for begin in range(0, len(every), _DECISIONS):
                    chosen = every[begin : begin + _DECISIONS]
                    after, place = levels.positions_after(packed, source[chosen], done[chosen])
                    _, ways = np.unique(place, return_index=True)
                    ways = chosen[ways]
                    origin = np.full(len(ways), number)
                    yield _Level(after, origin, part[source[ways]], done[ways]), moves

    def _game(self, number: int, row: int) -> tuple[tuple[Position, dict[str, str]], ...]:
        """The game to a position: the positions on the way, with the decisions in each."""
        parts: list[tuple[Position, dict[str, str]]] = []
        taken: dict[str, str] = {}
        while number >= 0:
            level = self._levels[number]
            parts.append((level.packed[row], taken))
            taken = dict(self._batch.actions[n] for n in level.done[row].tolist() if n >= 0)
            number, row = int(level.origin[row]), int(level.row[row])
        return tuple(reversed(parts))
