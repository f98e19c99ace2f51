"""A move out of turn before which another's is missing."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from kaiser_logic.completion.missing import missing_before
from kaiser_logic.notation.reading import parse_record

GAME = (Path(__file__).parents[2] / "examples" / "games" / "four-players.game").read_text(encoding="utf-8")


def without(move: str) -> str:
    """The game without this move."""
    assert GAME.count(f"{move}\n") == 1
    return re.sub(rf"(?m)^{re.escape(move)}\n", "", GAME)


@pytest.mark.parametrize(
    ("move", "moves", "said"),
    [
        (
            "yellow: settle(koeln,yellow)",
            40,
            "a move of Yellow is missing here: yellow: settle(koeln,yellow)",
        ),
        ("yellow: elector(koeln)", 3, "a move of Yellow is missing here, such as yellow: elector(boehmen)"),
    ],
)
def test_what_is_missing(move: str, moves: int, said: str) -> None:
    assert missing_before(parse_record(without(move)), moves) == said


def test_nothing_is_missing_where_nothing_helps() -> None:
    assert missing_before(parse_record(GAME), 3) == ""
    strange = '[Game "kaiser"] red: empire_city(boehmen) red: pass'
    assert missing_before(parse_record(strange), 1) == ""
    assert missing_before(parse_record(strange), 2) == ""
