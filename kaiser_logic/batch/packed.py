"""Positions as rows of words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, overload

import numpy as np

from ..errors import WrongUsage
from ..evaluation.evaluator import Evaluator
from ..position import Position
from .layout import Layout


class PackedPositions(Sequence[Position]):
    """Many positions of one game, packed: what a batch works on fastest. A sequence of positions, made when looked at.

    Attributes:
        evaluator: What evaluates them one at a time.
        layout: How they lie in rows.
        state: A row of words for each position.
        numbers: A row of the numbers beside them.
        others: Those that do not fit into rows, by their place.
    """

    def __init__(
        self,
        evaluator: Evaluator,
        layout: Layout,
        state: Any,
        numbers: Any,
        others: dict[int, Position] | None = None,
    ) -> None:
        """From rows: see :meth:`.batch.Batch.pack`."""
        self.evaluator, self.layout = evaluator, layout
        self.state, self.numbers = state, numbers
        self.others = others or {}

    @classmethod
    def of(cls, evaluator: Evaluator, layout: Layout, positions: Iterable[Position]) -> PackedPositions:
        """From positions.

        Raises:
            WrongUsage: One of them is of another game.
        """
        rows: list[bytes] = []
        numbers: list[list[int]] = []
        others: dict[int, Position] = {}
        nothing = bytes(8 * layout.words)
        wanted = replace(evaluator.ruleset.configuration, engine="")
        for place, position in enumerate(positions):
            own = position.ruleset is evaluator.ruleset
            if not own and replace(position.ruleset.configuration, engine="") != wanted:
                raise WrongUsage(f"{position!r} is none of this game, with its edition, rulings and seats")
            found = position.__dict__.get("_packed")
            if found is None or found[0] is not layout:
                encoded = layout.encoded(position.symbols)
                row = (
                    None if encoded is None else (encoded[0].to_bytes(8 * layout.words, "little"), encoded[1])
                )
                found = position.__dict__["_packed"] = (layout, row)
            if found[1] is None:
                others[place] = position
                rows.append(nothing)
                numbers.append([0] * len(layout.numbers))
            else:
                rows.append(found[1][0])
                numbers.append(found[1][1])
        state = np.frombuffer(bytearray(b"".join(rows)), np.uint64).reshape(len(rows), layout.words)
        beside = np.array(numbers, np.int64).reshape(len(rows), len(layout.numbers))
        return cls(evaluator, layout, state, beside, others)

    def __len__(self) -> int:
        return len(self.state)

    @overload
    def __getitem__(self, index: int) -> Position: ...
    @overload
    def __getitem__(self, index: slice) -> list[Position]: ...
    def __getitem__(self, index: int | slice) -> Position | list[Position]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        place = range(len(self))[index]
        if place in self.others:
            return self.others[place]
        return unpacked(self.evaluator, self.layout, self.state[place], self.numbers[place])


def unpacked(evaluator: Evaluator, layout: Layout, row: Any, numbers: Any) -> Position:
    """The position of a row, and of the numbers beside it."""
    whole = int.from_bytes(row.tobytes(), "little")
    return Position(evaluator, layout.decoded(whole, map(int, numbers)))
