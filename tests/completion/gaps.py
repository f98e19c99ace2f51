"""Segments of the heap game, and positions, for tests of completion."""

from support.heap_game import after

from kaiser_logic.completion.symbolic_replay import Segment
from kaiser_logic.engine import symbols
from kaiser_logic.notation.reading import parse_record
from kaiser_logic.notation.record import Item, Move, PositionBlock, RecordedFact
from kaiser_logic.position import Position

FOREVER = float("inf")


def block(position: Position) -> PositionBlock:
    return PositionBlock(tuple(RecordedFact(symbols.term(s)) for s in position.symbols))


def segment(
    text: str, start: Position | None = None, end: Position | None = None, result: tuple[str, ...] | None = None
) -> Segment:
    """A segment with the items of a record's text. It begins at the start of the game, or at a position."""
    items = parse_record(f'[Game "heap"]\n{text}').items
    return Segment(start or after(), items, block(end) if end else None, result, "heap.game")


def taken_by(filling: tuple[Item, ...]) -> tuple[str, ...]:
    """The actions of the moves."""
    return tuple(str(item.action) for item in filling if isinstance(item, Move))
