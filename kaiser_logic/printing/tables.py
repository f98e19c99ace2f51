"""The tables of a printed rulebook, which ``book.lp`` in the game's folder makes of the data that no position changes.

* ``table(Order,Table)``, ``column(Table,Order,Column)``, ``row(Table,Order,Row)``: tables and their headings;
* ``cell(Table,Row,Column,Order,Term)``: one of the things in a cell; a column without any is left out.

These are the words of drawings too. Terms get their phrases from ``[words]`` in ``book.toml``, otherwise from the game's
own; ``head(Column)`` is the heading of a column, ``corner(Table)`` what stands above the rows.
"""

from __future__ import annotations

import re
import tomllib
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from .. import clingo
from ..engine import symbols
from ..engine.grounding import Grounding
from ..engine.ruleset import Ruleset
from ..rules.loader import label, parse_rules
from ..rules.phrases import Phrases

# -- prose ---------------------------------------------------------------------------------------------------
#
# Paragraphs and lists in the texts of ``book.toml``: a blank line ends a block, ``- `` begins an item of a list.


@dataclass(frozen=True)
class Block:
    """A paragraph, which has one item, or a list."""

    is_list: bool
    items: tuple[str, ...]


def blocks(text: str) -> tuple[Block, ...]:
    r"""The blocks of a text.

    >>> [(b.is_list, b.items) for b in blocks('In order\nof play:\n\n- set-up\n- five\n  rounds')]
    [(False, ('In order of play:',)), (True, ('set-up', 'five rounds'))]
    """
    found = []
    for part in re.split(r"\n\s*\n", text.strip()):
        lines = part.strip().splitlines()
        if lines and lines[0].lstrip().startswith("- "):
            found.append(Block(True, tuple(_items(lines))))
        elif lines:
            found.append(Block(False, (" ".join(" ".join(lines).split()),)))
    return tuple(found)


def _items(lines: Sequence[str]) -> list[str]:
    """The items of a list; a line that does not begin one goes on with the last."""
    items: list[str] = []
    for line in lines:
        bare = line.strip()
        if bare.startswith("- "):
            items.append(bare[2:].strip())
        else:
            items[-1] += f" {bare}"
    return items


FILE: Final = "book.lp"
_PHRASES: Final = "english.toml"


@dataclass(frozen=True)
class Table:
    """A table in words: its name, its headings (the first one above the rows' names), and its rows, names first."""

    name: str
    heading: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def tables(rules: Ruleset, words: Mapping[str, str]) -> tuple[Table, ...]:
    """The tables of a rulebook under a configuration; none where there is no ``book.lp``.

    Args:
        rules: The rules in force; only their static facts are read.
        words: Phrases by pattern, before those of the game.

    Raises:
        FaultyRulebook: ``book.lp`` cannot be read.
    """
    path = rules.book.folder / FILE
    if not path.is_file():
        return ()
    made = parse_rules(path.read_text(encoding="utf-8"), label(rules.book.folder, FILE.removesuffix(".lp")))
    grounding = Grounding(rules.complete(tuple(made)), ())
    columns, rows = grounding.get("column", 3), grounding.get("row", 3)
    found: dict[tuple[clingo.Symbol, ...], list[clingo.Symbol]] = defaultdict(list)
    for cell in sorted(grounding.get("cell", 5), key=lambda s: s.arguments[3]):
        found[tuple(cell.arguments[:3])].append(cell.arguments[4])
    phrases = _phrases(rules, words)

    def under(headings: list[clingo.Symbol], name: clingo.Symbol) -> list[clingo.Symbol]:
        return [s.arguments[2] for s in sorted(headings) if s.arguments[0] == name]

    def table(name: clingo.Symbol) -> Table:
        down = under(rows, name)
        across = [c for c in under(columns, name) if any((name, r, c) in found for r in down)]
        heading = (_word(phrases, "corner", name), *(_word(phrases, "head", c) for c in across))
        lines = (
            (
                phrases.drawn(str(r)),
                *(", ".join(phrases.drawn(str(t)) for t in found[name, r, c]) for c in across),
            )
            for r in down
        )
        return Table(symbols.text(name), heading, tuple(lines))

    return tuple(table(s.arguments[1]) for s in sorted(grounding.get("table", 2)))


def _word(phrases: Phrases, kind: str, term: clingo.Symbol) -> str:
    """The phrase for a heading; that of the term itself where the words have none, for a corner nothing."""
    wanted = f"{kind}({term})"
    text = phrases.drawn(wanted)
    return text if text != wanted else "" if kind == "corner" else phrases.drawn(str(term))


def _phrases(rules: Ruleset, words: Mapping[str, str]) -> Phrases:
    """The game's phrases, with these before them."""
    path = rules.book.folder / _PHRASES
    terms = tomllib.loads(path.read_text(encoding="utf-8")).get("terms", {}) if path.is_file() else {}
    return Phrases({"drawing": words, "terms": terms})
