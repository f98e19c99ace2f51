"""Places in a game, read from JSON."""

from __future__ import annotations

from typing import Any

import pytest
from support.places import GAMES, place

from kaiser_logic.answers.question_reader import read_value
from kaiser_logic.errors import KaiserLogicError, WrongUsage
from kaiser_logic.explorer.state import MOST_FACTS, State
from kaiser_logic.records.replay import FaultyRecord

TAGS = [["Game", "kaiser"]]


@pytest.mark.parametrize(("name", "moves"), GAMES)
def test_places_give_their_positions(name: str, moves: int) -> None:
    here = place(name, moves)
    replay = read_value(State, here).replay()
    assert replay.here().facts == set(here["facts"])
    assert len(replay.pending) == len(here["pending"])


@pytest.mark.parametrize(
    "data",
    [
        None, [], {}, {"tags": TAGS}, {"tags": TAGS, "facts": "round(1)"}, {"tags": TAGS, "facts": [1]},
        {"tags": {}, "facts": []}, {"tags": [["Game"]], "facts": []}, {"tags": TAGS, "facts": [], "pending": 1},
        {"tags": TAGS, "facts": ["round(1)"] * (MOST_FACTS + 1)},
    ],
)  # fmt: skip
def test_invalid_places_are_refused(data: Any) -> None:
    with pytest.raises(WrongUsage):
        read_value(State, data)


@pytest.mark.parametrize("fact", ["#script(python)", "round(1). x", "round(?)", "round(X)", "1..9", "a;b"])
def test_facts_that_are_not_data_are_refused(fact: str) -> None:
    with pytest.raises(KaiserLogicError):
        read_value(State, {"tags": TAGS, "facts": [fact]}).replay()


def test_facts_of_invalid_positions_are_refused() -> None:
    here = place("games/four-players.game", 60)
    with pytest.raises(FaultyRecord, match="emperor"):
        read_value(State, {**here, "facts": [*here["facts"], "emperor(green)"]}).replay()
    with pytest.raises(WrongUsage, match="no such fact"):
        read_value(State, {**here, "facts": [*here["facts"], "chess(green)"]}).position()
