"""Tables of data."""

from __future__ import annotations

import re

import pytest
from support.printed import GAMES

from kaiser_logic.engine.configuration import configure
from kaiser_logic.engine.ruleset import Ruleset
from kaiser_logic.printing.book import outline, tables
from kaiser_logic.rules.loader import rulebook


@pytest.mark.parametrize("game", GAMES)
def test_every_table_has_a_title_and_a_rule(game: str) -> None:
    book = rulebook(game)
    found = outline(book)
    made = tables(Ruleset(book, configure(book, game)[0]), found.words)
    assert {t.name for t in made} == set(found.tables)
    assert all(title for title, _ in found.tables.values())
    for table in made:
        assert table.rows and len(table.heading) > 1, table.name
        assert all(len(row) == len(table.heading) for row in table.rows)
        assert not [c for row in (table.heading, *table.rows) for c in row if re.search(r"\w\(|_", c)], table


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_tables(game: str) -> None:
    book = rulebook(game)
    assert tables(Ruleset(book, configure(book, game)[0]), {})


def test_cells_list_their_values_in_order() -> None:
    """The points of the first, second and third player on a tile."""
    book = rulebook("staufer")
    made = {t.name: t for t in tables(Ruleset(book, configure(book, "staufer")[0]), outline(book).words)}
    assert made["tiles"].heading == ("tile", "2 players", "3 to 5 players")
    assert made["tiles"].rows[0] == ("t1", "6", "7, 4, 2")
