"""Segments of the heap game, and positions, for tests of completion."""

from __future__ import annotations

from itertools import product

from support.heap_positions import after

from kaiser_logic.completion.symbolic_replay import Segment
from kaiser_logic.engine import symbols
from kaiser_logic.notation.reading import parse_record
from kaiser_logic.notation.record import Item, Move, PositionBlock, RecordedFact
from kaiser_logic.position import Position

FOREVER = float("inf")


def block(position: Position) -> PositionBlock:
    return PositionBlock(tuple(RecordedFact(symbols.term(s)) for s in position.symbols))


def segment(
    text: str,
    start: Position | None = None,
    end: Position | None = None,
    result: tuple[str, ...] | None = None,
) -> Segment:
    """A segment with the items of a record's text. It begins at the start of the game, or at a position."""
    items = parse_record(f'[Game "heap"]\n{text}').items
    return Segment(start or after(), items, block(end) if end else None, result, "heap.game")  # type: ignore[arg-type]


def amounts(filling: tuple[Item, ...]) -> tuple[int, ...]:
    """The numbers of stones that the moves take."""
    return tuple(item.action.args[0] for item in filling if isinstance(item, Move))  # type: ignore[union-attr, misc]


def games(length: int, players: int = 2) -> set[tuple[int, ...]]:
    """All sequences of so many moves that take one to three of twelve stones."""
    return {taken for taken in product((1, 2, 3), repeat=length) if sum(taken) <= 12}
