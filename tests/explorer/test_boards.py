"""Pictures of positions as data."""

from __future__ import annotations

from typing import Any

import pytest
from support.places import GAMES, opened_record, place

from kaiser_logic.errors import WrongUsage
from kaiser_logic.explorer.boards import MOST, boards


def pictures(name: str, first: int, count: int, **more: Any) -> Any:
    """The pictures of a part of a record."""
    places = [place(name, n) for n in range(first, first + count)]
    states = [{"facts": one["facts"]} for one in places]
    return boards({"tags": places[0]["tags"], "states": states, **more})


@pytest.mark.parametrize(("name", "moves"), GAMES)
def test_parts_are_stored_once(name: str, moves: int) -> None:
    answer = pictures(name, moves, 6)
    assert len(answer["pictures"]) == 6
    assert len(answer["texts"]) == len(set(answer["texts"]))
    used = [n for picture in answer["pictures"] for n in picture["groups"]]
    assert set(used) == set(range(len(answer["texts"])))
    assert len(answer["texts"]) < 0.7 * len(used)
    areas = opened_record(name)["game"]["layouts"]
    assert any(f'data-name="{area}"' in text for text in answer["texts"] for area in areas[0]["areas"])


def test_pieces_keep_their_places_across_blocks() -> None:
    name = "games/four-players.game"
    whole = pictures(name, 50, 8)["pictures"]
    first = pictures(name, 50, 4)["pictures"]
    before = {"facts": place(name, 53)["facts"], "deal": first[-1]["deal"]}
    second = pictures(name, 54, 4, before=before)["pictures"]
    assert [p["deal"] for p in first + second] == [p["deal"] for p in whole]
    assert [p["changes"] for p in first + second][1:] == [p["changes"] for p in whole][1:]


def test_concealed_deals_put_nothing_on_the_board() -> None:
    name = "games/four-players.game"
    strange = {
        "at(koeln,aristocrat,1)": ["<script>", "x", "y", 1],
        "nowhere": ["baron", "red", "25", 1],
    }
    before = {"facts": place(name, 53)["facts"], "deal": strange}
    answer = pictures(name, 54, 1, before=before)
    assert "<script" not in "".join(answer["texts"])
    assert answer["pictures"][0]["deal"].keys() <= opened_record(name)["game"]["layouts"][0]["places"].keys()


def test_facts_are_escaped() -> None:
    here = place("games/four-players.game", 60)
    with pytest.raises(WrongUsage):
        boards({"tags": here["tags"], "layout": "wide", "states": [{"facts": ["thalers(red,'<b>')"]}]})


@pytest.mark.parametrize("states", [None, [], [1], [{}], [{"facts": []}] * (MOST + 1)])
def test_invalid_sequences_of_places_are_refused(states: Any) -> None:
    with pytest.raises(WrongUsage):
        boards({"tags": [["Game", "kaiser"]], "states": states})
