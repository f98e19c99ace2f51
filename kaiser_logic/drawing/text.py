"""Positions drawn as plain text: headlines, then tables, a thing shown as the game's phrases call it."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Final

from ..position import Position
from ..rules.phrases import Phrases, phrases
from .frame import Frame
from .model import Table, drawing
from .scene import scene

WIDTH: Final = 80
"""The columns of text that a table may take up where nothing else is said."""
_WIDEST: Final = 44
"""The columns of text that a column of a table takes up at most."""
_GAP: Final = 2
"""The blanks between two columns of a table."""


def render(
    position: Position, before: Position | None = None, theme: str = "", layout: str | None = None
) -> str:
    """The position as plain text; of a game without drawing rules its facts in words, one a line.

    ``before``: the position before the last move, of which is said below what it changed. A layout that is
    a number is the width of the text in columns (80); a theme is nothing to it.
    """
    changes = [] if before is None else changed(before, position)
    width = int(layout) if layout is not None and layout.isdigit() else WIDTH
    return _render(position, max(40, width)) + ("\n" + "\n".join(changes) + "\n" if changes else "")


def changed(before: Position, after: Position) -> list[str]:
    """What is different after a move, a line each, with the marks ``+ - > ~`` of all texts.

    Of a game without picture rules: the facts in words that hold no longer, and those that hold now.
    """
    old, new = scene(before), scene(after)
    if old is not None and new is not None:
        return Frame.after(new, Frame.after(old)).change_lines
    words = phrases(after.ruleset.book.folder)
    ordered = after.ruleset.book.ordered
    gone, come = before.facts - after.facts, after.facts - before.facts
    return [*(f"- {words.fact(f)}" for f in ordered(gone)), *(f"+ {words.fact(f)}" for f in ordered(come))]


def _render(position: Position, width: int) -> str:
    shown = drawing(position)
    words = phrases(position.ruleset.book.folder)
    if shown is None:
        return "\n".join(words.fact(f) for f in position.ruleset.book.ordered(position.facts)) + "\n"
    parts = [
        "\n".join(line for h in shown.headlines for line in textwrap.wrap(words.drawn(h), width) or [""])
    ]
    parts += ["\n".join(_table(t, words, width)) for t in shown.tables]
    return "\n\n".join(part for part in parts if part) + "\n"


def _table(table: Table, words: Phrases, widest: int) -> list[str]:
    """A table's lines, each column as narrow as is needed for all to have room; what has none yet, below them."""
    names = _Column(words.drawn(table.name), [[words.drawn(row)] for row in table.rows], narrow=False)
    columns = [
        _Column(words.drawn(name), [[words.drawn(t) for t in cells[k]] for cells in table.cells])
        for k, name in enumerate(table.columns)
    ]
    lines: list[str] = []
    while True:
        beside = _beside(names, columns, widest)
        lines += ["", *_layout([names, *beside])] if lines else _layout([names, *beside])
        columns = columns[len(beside) :]
        if not columns:
            return lines


class _Column:
    """A column of a table: its heading and its cells, at a width.

    Attributes:
        whole: The narrowest, in columns of text, that breaks none of the things in it: that of the longest.
        least: The narrowest that it can be: that of its longest word.
        width: How wide it is.
    """

    def __init__(self, heading: str, cells: Sequence[Sequence[str]], narrow: bool = True) -> None:
        """``narrow``: whether it may be narrower than its contents."""
        self._heading, self._cells = heading, cells
        pieces = list(_pieces(cells))
        words = [word for text in (heading, *pieces) for word in (text.split() if narrow else [text])]
        self.least = max(map(len, words), default=0)
        self.whole = max(self.least, *map(len, pieces), 0)
        self.shrink(_WIDEST if narrow else self.least)

    def shrink(self, most: int) -> None:
        """Makes it so wide at most, where it can be."""
        most = max(most, self.least)
        self.heading = textwrap.wrap(self._heading, most) or [""]
        self.cells = [_wrapped(terms, most) for terms in self._cells]
        self.width = max(len(line) for lines in (self.heading, *self.cells) for line in lines)


def _beside(names: _Column, columns: Sequence[_Column], widest: int) -> Sequence[_Column]:
    """The first columns, as many as have room beside the names of the rows, made narrow enough for that."""
    room = widest - names.width
    while len(columns) > 1 and sum(column.least + _GAP for column in columns) > room:
        columns = columns[:-1]
    while sum(column.width + _GAP for column in columns) > room:
        wide = [column for column in columns if column.width > column.whole]
        wide = wide or [column for column in columns if column.width > column.least]
        if not wide:
            break
        widest_one = max(wide, key=lambda column: column.width)
        widest_one.shrink(widest_one.width - 1)
    return columns


def _layout(columns: Sequence[_Column]) -> list[str]:
    """Headings, a rule, and for each row as many lines as its fullest cell needs."""
    widths = [column.width for column in columns]
    lines = [*_row([column.heading for column in columns], widths)]
    lines.append("─" * (sum(widths) + _GAP * (len(widths) - 1)))
    for k in range(len(columns[0].cells)):
        lines += _row([column.cells[k] for column in columns], widths)
    return lines


def _row(cells: Sequence[Sequence[str]], widths: Sequence[int]) -> Iterator[str]:
    """The lines of a row; numbers stand at the right of their column."""
    for parts in zip_longest(*cells, fillvalue=""):
        padded = (
            p.rjust(w) if p.removeprefix("-").isdigit() else p.ljust(w)
            for p, w in zip(parts, widths, strict=True)
        )
        yield (" " * _GAP).join(padded).rstrip()


def _pieces(cells: Sequence[Sequence[str]]) -> Iterator[str]:
    """What the cells hold, one by one, with the comma before the next."""
    for terms in cells:
        yield from (f"{term}," for term in terms[:-1])
        yield from terms[-1:]


def _wrapped(terms: Sequence[str], width: int) -> list[str]:
    """The contents of a cell, as many on a line as there is room for; what is longer than a line goes on below."""
    lines = [""]
    for piece in _pieces([terms]):
        if lines[-1] and (len(lines[-1]) + len(piece) >= width or lines[-1].startswith(" ")):
            lines.append("")
        parts = textwrap.wrap(piece, width, subsequent_indent=" ", break_long_words=False) or [""]
        if max(map(len, parts)) > width:  # the indent took the room of a long word
            parts = textwrap.wrap(piece, width, break_long_words=False)
        lines[-1] += (" " if lines[-1] else "") + parts[0]
        lines += parts[1:]
    return lines
