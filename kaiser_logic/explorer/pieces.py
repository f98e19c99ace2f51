"""A record's text cut into pieces, so that it can be saved as it was written: comments, spaces, blocks and all.

A piece is a tag or a move with the comment lines above it and the rest of its last line. Assertions and positions go with
the move before them; those before the first move are the beginning.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from ..notation.record import Move, Record


@dataclass(frozen=True)
class Pieces:
    """A record's text in pieces.

    Attributes:
        head: Name, value and piece of each tag.
        begin: What stands between the tags and the first move.
        moves: A piece for each move. All of them one after the other are the text.
    """

    head: list[tuple[str, str, str]]
    begin: str
    moves: list[str]


def pieces(text: str, record: Record) -> Pieces:
    """The pieces of the text that a record was read from."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").removeprefix("\ufeff")
    tags, items = list(record.tags), list(record.items)
    starts = _offsets(text, [(one.line, one.column) for one in (*tags, *items)])
    starts[: len(tags)] = [text.rindex("[", 0, start + 1) for start in starts[: len(tags)]]
    bounds = [0, *(_bound(text, before, after) for before, after in pairwise(starts)), len(text)]
    cut = [text[start:end] for start, end in pairwise(bounds)]
    begin, moves = "", []
    for item, piece in zip(items, cut[len(tags) :], strict=True):
        if isinstance(item, Move):
            moves.append(piece)
        elif moves:
            moves[-1] += piece
        else:
            begin += piece
    head = [(tag.name, tag.value, piece) for tag, piece in zip(tags, cut[: len(tags)], strict=True)]
    return Pieces(head, begin, moves)


def _offsets(text: str, places: list[tuple[int, int]]) -> list[int]:
    """Where lines and columns, from 1, lie in a text."""
    lines, start = [0], text.find("\n")
    while start >= 0:
        lines.append(start + 1)
        start = text.find("\n", start + 1)
    return [lines[line - 1] + column - 1 for line, column in places]


def _bound(text: str, before: int, after: int) -> int:
    """Where a piece ends and the next begins: above the comment lines that stand right above the next one.

    A comment behind something on its line belongs to that; so does what an empty line divides from the next.
    """
    line = text.rfind("\n", before, after) + 1
    if not line or text[line:after].strip():
        return after  # both stand on one line
    for start in _lines_up(text, before, line):
        if not text[start:line].lstrip().startswith("%"):
            break
        line = start
    return line


def _lines_up(text: str, first: int, line: int) -> Iterator[int]:
    """The starts of the lines above one, upwards, as far as they begin after a place."""
    while (start := text.rfind("\n", first, line - 1) + 1) > first:
        yield start
        line = start
