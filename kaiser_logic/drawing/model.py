"""What is to be seen of a position, as the game's drawing rules say it: terms, without looks.

A game's manifest may name a logic program, ``drawing = "drawing"``, that is read only here. On top of the
rulebook's own predicates it derives what there is to see, and where; words come from the game's phrases:

* ``headline(Order,Term)``: a line above all;
* ``table(Order,Table)``, ``column(Table,Order,Column)``, ``row(Table,Order,Row)``: tables and their headings;
* ``cell(Table,Row,Column,Order,Term)``: one of the things in a cell; a column without any is left out,
* ``keep(Table,Column)``: but for this one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from .. import clingo
from ..engine import symbols
from ..engine.compiled.program import derived
from ..engine.grounding import Program
from ..engine.ruleset import Ruleset
from ..position import Position
from ..rules.loader import drawing_rules
from ..rules.pattern import Signature
from ..rules.predicates import DECISION, DUE, SUBMITTED
from ..rules.rule import top
from ..transform.slicing import Slicer, anywhere

_OUTPUTS: Final = (("headline", 2), ("table", 2), ("column", 3), ("row", 3), ("cell", 5), ("keep", 2))
_GIVEN: Final[tuple[Signature, ...]] = (SUBMITTED, DUE, DECISION)


@dataclass(frozen=True)
class Table:
    """A table of a drawing: ``cells[row][column]`` lists the terms there."""

    name: str
    columns: tuple[str, ...]
    rows: tuple[str, ...]
    cells: tuple[tuple[tuple[str, ...], ...], ...]


@dataclass(frozen=True)
class Drawing:
    """What is to be seen of a position, as terms; how it looks is left to whoever renders it."""

    headlines: tuple[str, ...]
    tables: tuple[Table, ...]


def drawing(position: Position) -> Drawing | None:
    """What the game's drawing rules show of the position; None for a game without any."""
    program = _program(position.ruleset)
    if program is None:
        return None
    grounding = derived(program, position.symbols, engine=position.ruleset.configuration.engine)
    headlines, tables, columns, rows, cells, keeps = (grounding.get(*output) for output in _OUTPUTS)
    always = {tuple(s.arguments) for s in keeps}
    found: dict[tuple[clingo.Symbol, ...], list[clingo.Symbol]] = defaultdict(list)
    for cell in sorted(cells, key=lambda s: s.arguments[3]):
        found[tuple(cell.arguments[:3])].append(cell.arguments[4])

    def table(name: clingo.Symbol) -> Table:
        across, down = _under(columns, name), _under(rows, name)
        filled = [c for c in across if (name, c) in always or any((name, r, c) in found for r in down)]
        texts = tuple(tuple(_texts(found[name, r, c]) for c in filled) for r in down)
        return Table(symbols.text(name), _texts(filled), _texts(down), texts)

    lines = [s.arguments[1] for s in sorted(headlines)]
    return Drawing(_texts(lines), tuple(table(s.arguments[1]) for s in sorted(tables)))


def _under(headings: Iterable[clingo.Symbol], table: clingo.Symbol) -> list[clingo.Symbol]:
    """The columns or rows of a table in their order."""
    return [s.arguments[2] for s in sorted(headings) if s.arguments[0] == table]


def _texts(terms: Iterable[clingo.Symbol]) -> tuple[str, ...]:
    return tuple(map(symbols.text, terms))


def _program(rules: Ruleset) -> Program | None:
    """The drawing rules with all that they need of the rulebook, cut at its first use."""
    if "drawing" not in rules.book.manifest:
        return None

    def make() -> Program:
        slicer = Slicer([*rules.judging.rules, *drawing_rules(rules.book)], _GIVEN, rules.static)
        return rules.complete(tuple(slicer.slice(anywhere(), [top(*output) for output in _OUTPUTS])))

    return rules.remember("drawing", make)
