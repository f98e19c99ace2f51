"""A segment of a record: what stands between two known positions, and why there may be no way over it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

from ..notation.record import Assertion, Move, PositionBlock
from ..position import Position
from ..records.fault import Place

Progress: TypeAlias = Callable[[str], None]
"""Is told from time to time what is going on."""
NO_FILLING: Final = "complete.none"
"""The rule that a record breaks whose gaps cannot be filled."""


@dataclass(frozen=True)
class Segment:
    """Part of a record: from a position over moves and assertions to the next position or the end.

    Attributes:
        start: Where it begins.
        items: Its moves, some of them unknown, and assertions.
        end: The position block that closes it, if one does.
        result: The winners that the record names at its end: None where nothing is said, empty for an unfinished game.
        drawn: Whether the record says that the game is finished and nobody has won.
        following: The move that comes next, where the record is cut short after the items.
        path: The record's file.
        before: How many moves of the record come before.
    """

    start: Position
    items: tuple[Move | Assertion, ...]
    end: PositionBlock | None = None
    result: tuple[str, ...] | None = None
    path: str | None = None
    before: int = 0
    drawn: bool = False
    following: Move | None = None


class DeadEnd(Exception):
    """There is no going on in one branch; ``place`` is where that shows, after ``step`` items have been gone over.

    The item at ``place`` may be among those or not: steps of different branches are not to be compared.
    """

    def __init__(self, place: Place | None, step: int, message: str, rule: str = NO_FILLING) -> None:
        """``place``: None for the end of the record."""
        super().__init__(message)
        self.place = place
        self.step = step
        self.rule = rule
