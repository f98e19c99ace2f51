"""Positions drawn as plain text: headlines, then tables, a thing shown as the game's phrases call it."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Final

from ..position import Position
from ..rules.phrases import Phrases, phrases
from .frame import Frame
from .model import Table, drawing
from .scene import scene

_WIDTH: Final = 120
"""The columns of text that a table may take up."""
_CELLS: Final = (44, 36, 28, 20, 14, 10)
"""The widths of cells that are tried, in columns of text."""


def render(
    position: Position, before: Position | None = None, theme: str = "", layout: str | None = None
) -> str:
    """The position as plain text; of a game without drawing rules its facts in words, one a line.

    ``before``: the position before the last move, of which is said below what it changed. A layout that is
    a number is the width of the text in columns (120); a theme is nothing to it.
    """
    said = [] if before is None else changed(before, position)
    width = int(layout) if layout is not None and layout.isdigit() else _WIDTH
    return _render(position, max(40, width)) + ("\n" + "\n".join(said) + "\n" if said else "")


def changed(before: Position, after: Position) -> list[str]:
    """What is different after a move, a line each, with the marks ``+ - > ~`` of all texts.

    Of a game without picture rules: the facts in words that hold no longer, and those that hold now.
    """
    old, new = scene(before), scene(after)
    if old is not None and new is not None:
        return Frame.after(new, Frame.after(old)).said
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
    """A table's lines, in cells narrow enough for all of them to have room."""
    for width in _CELLS:
        lines = _layout(table, words, width)
        if len(lines[1]) <= widest:
            break
    return lines


def _layout(table: Table, words: Phrases, width: int) -> list[str]:
    """Headings, a rule, and for each row as many lines as its fullest cell needs."""
    grid = [[[words.drawn(table.name)], *([words.drawn(c)] for c in table.columns)]]
    for name, cells in zip(table.rows, table.cells, strict=True):
        grid.append(
            [[words.drawn(name)], *(_wrapped([words.drawn(t) for t in terms], width) for terms in cells)]
        )
    widths = [max(len(line) for row in grid for line in row[k]) for k in range(len(grid[0]))]
    lines = [_line([cell[0] for cell in grid[0]], widths), "─" * (sum(widths) + 2 * len(widths) - 2)]
    for row in grid[1:]:
        height = max(map(len, row))
        lines += [_line([(cell + [""] * height)[k] for cell in row], widths) for k in range(height)]
    return lines


def _line(parts: Sequence[str], widths: Sequence[int]) -> str:
    """One line of a table; numbers stand at the right of their column."""
    padded = (p.rjust(w) if p.isdigit() else p.ljust(w) for p, w in zip(parts, widths, strict=True))
    return "  ".join(padded).rstrip()


def _wrapped(terms: Sequence[str], width: int) -> list[str]:
    """The contents of a cell, as many on a line as there is room for."""
    lines = [""]
    for k, term in enumerate(terms):
        piece = term + ("," if k < len(terms) - 1 else "")
        if lines[-1] and len(lines[-1]) + len(piece) >= width:
            lines.append(piece)
        else:
            lines[-1] += (" " if lines[-1] else "") + piece
    return lines
