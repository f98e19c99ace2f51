"""Draws positions as plain text: headlines, then tables with the game's phrases."""

from __future__ import annotations

import textwrap
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Final

from .. import clingo
from ..engine import symbols
from ..engine.compiled.program import derive
from ..engine.grounding import EngineProgram
from ..engine.ruleset import Ruleset
from ..lang.terms import Signature
from ..position import Position
from ..rules.loader import drawing_rules
from ..rules.phrases import Phrases, phrases
from ..rules.predicates import DECISION, DUE, SUBMITTED
from ..rules.rule import top
from ..transform.slicing import Slicer, position_seeds
from .frame import Frame
from .scene import scene

# -- model ---------------------------------------------------------------------------------------------------
#
# The content of a drawing, as the drawing rules of the game derive it: terms, without looks.
#
# A game's manifest may name a logic program, ``drawing = "drawing"``. Only this module reads it. From the predicates of the
# rulebook it derives what is shown, and where. The words come from the game's phrases:
#
# * ``headline(Order,Term)``: a line at the top;
# * ``table(Order,Table)``, ``column(Table,Order,Column)``, ``row(Table,Order,Row)``: tables and their headings;
# * ``cell(Table,Row,Column,Order,Term)``: one of the things in a cell;
# * ``keep(Table,Column)``: a column that is shown even if it is empty; other empty columns are left out.


_OUTPUTS: Final = (("headline", 2), ("table", 2), ("column", 3), ("row", 3), ("cell", 5), ("keep", 2))
_READ: Final[tuple[Signature, ...]] = (SUBMITTED, DUE, DECISION)


@dataclass(frozen=True)
class DrawnTable:
    """A table of a drawing; ``cells[row][column]`` lists the terms of a cell."""

    name: str
    columns: tuple[str, ...]
    rows: tuple[str, ...]
    cells: tuple[tuple[tuple[str, ...], ...], ...]


@dataclass(frozen=True)
class Drawing:
    """The content of a text drawing, as terms; the renderer decides the looks."""

    headlines: tuple[str, ...]
    tables: tuple[DrawnTable, ...]


def drawing(position: Position) -> Drawing | None:
    """The text drawing of a position by the game's drawing rules; None for a game without such rules."""
    if "drawing" not in position.ruleset.book.manifest:
        return None
    program = _program(position.ruleset, _knowledge_in(position))
    grounding = derive(program, position.symbols, engine=position.ruleset.configuration.engine)
    headlines, tables, columns, rows, cells, keeps = (grounding.get(*output) for output in _OUTPUTS)
    always = {tuple(s.arguments) for s in keeps}
    terms_at: dict[tuple[clingo.Symbol, ...], list[clingo.Symbol]] = defaultdict(list)
    for cell in sorted(cells, key=lambda s: s.arguments[3]):
        terms_at[tuple(cell.arguments[:3])].append(cell.arguments[4])

    def table(name: clingo.Symbol) -> DrawnTable:
        across, down = _headings_of(columns, name), _headings_of(rows, name)
        filled = [c for c in across if (name, c) in always or any((name, r, c) in terms_at for r in down)]
        texts = tuple(tuple(_texts(terms_at[name, r, c]) for c in filled) for r in down)
        return DrawnTable(symbols.text(name), _texts(filled), _texts(down), texts)

    lines = [s.arguments[1] for s in sorted(headlines)]
    return Drawing(_texts(lines), tuple(table(s.arguments[1]) for s in sorted(tables)))


def _headings_of(headings: Iterable[clingo.Symbol], table: clingo.Symbol) -> list[clingo.Symbol]:
    """The columns or rows of a table in their order."""
    return [s.arguments[2] for s in sorted(headings) if s.arguments[0] == table]


def _texts(terms: Iterable[clingo.Symbol]) -> tuple[str, ...]:
    return tuple(map(symbols.text, terms))


def _knowledge_in(position: Position) -> frozenset[Signature]:
    """The predicates of what a role knows in place of concealed facts, such as the size of a hand.

    From the facts that it sees the rules would derive other sizes. So they derive none of these predicates.
    """
    return frozenset(map(symbols.signature, position.symbols)) - position.ruleset.book.fluents


def _program(rules: Ruleset, known: frozenset[Signature]) -> EngineProgram:
    """The slice of the rulebook and its drawing rules, without rules for known predicates; made at the first use."""

    def make() -> EngineProgram:
        every = (*rules.judging.rules, *drawing_rules(rules.book))
        used = [rule for rule in every if not any(head.signature in known for head in rule.heads)]
        slicer = Slicer(used, _READ, rules.static)
        return rules.complete(tuple(slicer.slice(position_seeds(), [top(*output) for output in _OUTPUTS])))

    return rules.remember(("drawing", known), make)


WIDTH: Final = 80
"""The default width of the text, in columns of text."""
_WIDEST: Final = 44
"""The largest width of a column of a table, in columns of text."""
_GAP: Final = 2
"""The blanks between two columns of a table."""


def render(position: Position, before: Position | None = None, theme: str = "", layout: str | None = None) -> str:
    """The position as plain text; for a game without drawing rules, its facts in words, one on each line.

    Args:
        position: The position.
        before: The position before the last move, if the changes are to be listed below.
        theme: Has no effect.
        layout: The width of the text in columns of text (80), if it is a number.
    """
    changes = [] if before is None else changes_of(before, position)
    width = int(layout) if layout is not None and layout.isdigit() else WIDTH
    return _render(position, max(40, width)) + ("\n" + "\n".join(changes) + "\n" if changes else "")


def changes_of(before: Position, after: Position) -> list[str]:
    """The differences after a move, one on each line, marked ``+ - > ~``.

    For a game without picture rules they are the facts, in words, that hold no longer, and those that are new.
    """
    old, new = scene(before), scene(after)
    if old is not None and new is not None:
        return Frame.frame_of(new, Frame.frame_of(old)).change_lines
    words = phrases(after.ruleset.book.folder)
    ordered = after.ruleset.book.sort_facts
    gone, come = before.facts - after.facts, after.facts - before.facts
    return [*(f"- {words.fact(f)}" for f in ordered(gone)), *(f"+ {words.fact(f)}" for f in ordered(come))]


def _render(position: Position, width: int) -> str:
    shown = drawing(position)
    words = phrases(position.ruleset.book.folder)
    if shown is None:
        return "\n".join(words.fact(f) for f in position.ruleset.book.sort_facts(position.facts)) + "\n"
    parts = ["\n".join(line for h in shown.headlines for line in textwrap.wrap(words.short_phrase(h), width) or [""])]
    parts += ["\n".join(_table(t, words, width)) for t in shown.tables]
    return "\n\n".join(part for part in parts if part) + "\n"


def _table(table: DrawnTable, words: Phrases, widest: int) -> list[str]:
    """The lines of a table. Columns for which there is no room follow in a second table below, and so on."""
    names = _Column(words.short_phrase(table.name), [[words.short_phrase(row)] for row in table.rows], narrow=False)
    columns = [
        _Column(words.short_phrase(name), [[words.short_phrase(t) for t in cells[k]] for cells in table.cells])
        for k, name in enumerate(table.columns)
    ]
    lines: list[str] = []
    while True:
        fitting = _columns_that_fit(names, columns, widest)
        lines += ["", *_layout([names, *fitting])] if lines else _layout([names, *fitting])
        columns = columns[len(fitting) :]
        if not columns:
            return lines


class _Column:
    """A column of a table: its heading and its cells, wrapped to a width. Widths are in columns of text.

    Attributes:
        whole: The smallest width at which no entry is wrapped.
        least: The smallest width that is possible: that of the longest word.
        width: The present width.
    """

    def __init__(self, heading: str, cells: Sequence[Sequence[str]], narrow: bool = True) -> None:
        """Wraps the cells; ``narrow``: whether the column may be narrower than its entries."""
        self._heading, self._cells = heading, cells
        pieces = list(_pieces(cells))
        words = [word for text in (heading, *pieces) for word in (text.split() if narrow else [text])]
        self.least = max(map(len, words), default=0)
        self.whole = max(self.least, *map(len, pieces), 0)
        self.shrink(_WIDEST if narrow else self.least)

    def shrink(self, most: int) -> None:
        """Wraps the texts to this width, or to the smallest that is possible."""
        most = max(most, self.least)
        self.heading = textwrap.wrap(self._heading, most) or [""]
        self.cells = [_wrap(terms, most) for terms in self._cells]
        self.width = max(len(line) for lines in (self.heading, *self.cells) for line in lines)


def _columns_that_fit(names: _Column, columns: Sequence[_Column], widest: int) -> Sequence[_Column]:
    """The first columns that fit beside the names of the rows, at least one; the widest of them are made narrower."""
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
    """The lines of a table: the headings, a rule, and the rows."""
    widths = [column.width for column in columns]
    lines = [*_row([column.heading for column in columns], widths)]
    lines.append("─" * (sum(widths) + _GAP * (len(widths) - 1)))
    for k in range(len(columns[0].cells)):
        lines += _row([column.cells[k] for column in columns], widths)
    return lines


def _row(cells: Sequence[Sequence[str]], widths: Sequence[int]) -> Iterator[str]:
    """The lines of a row; numbers are aligned to the right."""
    for parts in zip_longest(*cells, fillvalue=""):
        padded = (
            p.rjust(w) if p.removeprefix("-").isdigit() else p.ljust(w) for p, w in zip(parts, widths, strict=True)
        )
        yield (" " * _GAP).join(padded).rstrip()


def _pieces(cells: Sequence[Sequence[str]]) -> Iterator[str]:
    """The entries of all cells; each has a comma if another entry of its cell follows."""
    for terms in cells:
        yield from (f"{term}," for term in terms[:-1])
        yield from terms[-1:]


def _wrap(terms: Sequence[str], width: int) -> list[str]:
    """The lines of a cell: as many entries on each line as fit; an entry that is too long is wrapped."""
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


# -- events --------------------------------------------------------------------------------------------------
#
# The events between two positions in the words of the game: income, points, new offices.
#
# The event is ``gain(COUNTER,N)`` if a counter rises, and ``lose(COUNTER,N)`` if it falls. For other facts it is ``add(FACT)``
# or ``del(FACT)``. An event without words in the game's table ``[events]`` is left out.


def events(before: Position, after: Position) -> list[str]:
    """The events in words, in the order of the vocabulary; those of counters come first."""
    if before.ruleset.book is not after.ruleset.book:
        return []
    words = phrases(after.ruleset.book.folder)
    sentences = (words.event(term) for term in (*counter_changes(before, after), *_other_changes(before, after)))
    return [f"{sentence[:1].upper()}{sentence[1:]}" for sentence in dict.fromkeys(sentences) if sentence]


def counter_changes(before: Position, after: Position) -> Iterator[str]:
    """The changes of counters as terms: ``gain(thalers(red),8)``."""
    counters = after.ruleset.book.counters
    gone, come = before.symbols - after.symbols, after.symbols - before.symbols
    old, new = _counter_values(gone, counters), _counter_values(come, counters)
    ordered = after.ruleset.book.sort_facts
    for key in ordered({*old, *new}):
        rise = new.get(key, 0) - old.get(key, 0)
        if rise:
            yield f"{'gain' if rise > 0 else 'lose'}({key},{abs(rise)})"


def _other_changes(before: Position, after: Position) -> Iterator[str]:
    """The changes of other facts as terms."""
    counters, ordered = after.ruleset.book.counters, after.ruleset.book.sort_facts
    gone, come = before.symbols - after.symbols, after.symbols - before.symbols
    for name, facts in (("del", gone), ("add", come)):
        others = (symbols.text(f) for f in facts if symbols.signature(f) not in counters)
        yield from (f"{name}({fact})" for fact in ordered(others))


def _counter_values(facts: frozenset[clingo.Symbol], counters: Mapping[Signature, bool]) -> dict[str, int]:
    """The counters among some facts: each without its number, with its number."""
    values = {}
    for fact in facts:
        *rest, number = fact.arguments or [clingo.Function("x")]
        if symbols.signature(fact) in counters and number.type is clingo.SymbolType.Number:
            key = f"{fact.name}({','.join(map(symbols.text, rest))})" if rest else fact.name
            values[key] = number.number
    return values
