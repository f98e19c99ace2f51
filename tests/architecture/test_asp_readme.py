"""asp/README.md is up to date: the purpose of each file, and the files that define and use each predicate."""

from __future__ import annotations

import pytest
from support.asp_tables import engine_uses, name, readme, unread

from kaiser_logic.rules.loader import asp_folder, games


def test_the_page_is_up_to_date() -> None:
    """If it is not, run ``PYTHONPATH=.:tests python -m support.asp_tables > asp/README.md``."""
    assert (asp_folder() / "README.md").read_text(encoding="utf-8") == readme()


@pytest.mark.parametrize("game", games())
def test_every_predicate_of_a_game_is_used(game: str) -> None:
    assert not unread(game)


def test_the_table_shows_where_predicates_are_defined_and_used() -> None:
    found = {name(s): use for s, use in engine_uses().items()}
    assert found["enter/1"].defined == {"*rulebook*"} and found["enter/1"].used == {"phases"}
    assert found["does/2"].defined == {"judge"} and found["does/2"].used == {"*rulebook*", "generated"}
    assert found["pending/3"].defined == {"generated"} and found["pending/3"].used == {"judge"}
