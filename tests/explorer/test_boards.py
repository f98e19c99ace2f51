"""Pictures of positions as data."""

import re
from typing import Any

import pytest
from support.places import GAMES, opened_record, place
from support.tables import rows

from kaiser_logic.explorer.boards import boards, legend


def pictures(name: str, first: int, count: int, **more: Any) -> Any:
    """The pictures of a part of a record."""
    places = [place(name, n) for n in range(first, first + count)]
    states = [{"facts": one["facts"]} for one in places]
    return boards({"tags": places[0]["tags"], "states": states, **more})


@pytest.mark.parametrize(("name", "moves"), GAMES)
def test_parts_are_stored_once(name, moves):
    answer = pictures(name, moves, 6)
    assert len(answer["pictures"]) == 6
    assert len(answer["texts"]) == len(set(answer["texts"]))
    used = [n for picture in answer["pictures"] for n in picture["groups"]]
    assert set(used) == set(range(len(answer["texts"])))
    assert len(answer["texts"]) < 0.7 * len(used)
    areas = opened_record(name)["game"]["layouts"]
    assert any(f'data-name="{area}"' in text for text in answer["texts"] for area in areas[0]["areas"])


def test_pieces_keep_their_places_across_blocks():
    name = "games/four-players.game"
    whole = pictures(name, 50, 8)["pictures"]
    first = pictures(name, 50, 4)["pictures"]
    before = {"facts": place(name, 53)["facts"], "deal": first[-1]["deal"]}
    second = pictures(name, 54, 4, before=before)["pictures"]
    assert [p["deal"] for p in first + second] == [p["deal"] for p in whole]
    assert [p["changes"] for p in first + second][1:] == [p["changes"] for p in whole][1:]


def test_concealed_deals_put_nothing_on_the_board():
    name = "games/four-players.game"
    strange = {"at(koeln,aristocrat,1)": ["<script>", "x", "y", 1], "nowhere": ["baron", "red", "25", 1]}
    before = {"facts": place(name, 53)["facts"], "deal": strange}
    answer = pictures(name, 54, 1, before=before)
    assert "<script" not in "".join(answer["texts"])
    assert answer["pictures"][0]["deal"].keys() <= opened_record(name)["game"]["layouts"][0]["places"].keys()


# The legend explains every sign on the board.
@pytest.mark.parametrize(("name", "moves"), GAMES)
def test_the_legend_has_every_sign_on_the_board(name, moves):
    here = place(name, moves)
    if name.startswith("games"):
        here = {**here, "facts": [*here["facts"], "influenced(mainz)"]}
    if name.startswith("krone"):
        here = {**here, "facts": [*here["facts"], "visit(red,1)"]}
    entries = [entry for chapter in legend(here)["chapters"] for entry in chapter["entries"]]
    texts = {words for _, words in entries}
    assert texts >= {row.values[1] for row in rows("explorer/legend", "words") if row.values[0] == name}
    assert all(svg.startswith("<") and words for svg, words in entries)
    # the entries are words, not terms
    assert not [words for words in texts if re.search(r"[a-z]\(|_", words)]


def test_equal_entries_are_listed_once():
    for chapter in legend(place(*GAMES[2]))["chapters"]:
        texts = [tuple(entry) for entry in chapter["entries"]]
        assert len(texts) == len(set(texts))
