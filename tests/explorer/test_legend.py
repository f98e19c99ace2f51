"""The legend explains every sign on the board."""

from __future__ import annotations

import re

import pytest
from support.places import GAMES, place

from kaiser_logic.explorer.boards import legend

WORDS = {
    "games/four-players.game": {
        "archbishopric", "secular electorate", "thalers", "points", "empire", "knight", "the elector's seat",
        "church influence works here",
    },
    "krone/random-30.game": {"king", "points", "cathedral", "papal visits"},
    "staufer/random-5.game": {
        "chest of 1 noble", "violet chest", 'chest "cheap"', "a seat for a noble",
        "points for the most, the second and the third: 7, 4, 2", "marked by the round marker", "noble",
    },
    "vive/random-6.game": {"noble with the King's Ear", "musketeer", "king", "bishop, with 6 in gold"},
}  # fmt: skip


@pytest.mark.parametrize(("name", "moves"), GAMES)
def test_the_legend_has_every_sign_on_the_board(name: str, moves: int) -> None:
    here = place(name, moves)
    if name.startswith("games"):
        here = {**here, "facts": [*here["facts"], "influenced(mainz)"]}
    if name.startswith("krone"):
        here = {**here, "facts": [*here["facts"], "visit(red,1)"]}
    entries = [entry for chapter in legend(here)["chapters"] for entry in chapter["entries"]]
    texts = {words for _, words in entries}
    assert texts >= WORDS[name]
    assert all(svg.startswith("<") and words for svg, words in entries)
    # the entries are words, not terms
    assert not [words for words in texts if re.search(r"[a-z]\(|_", words)]


def test_equal_entries_are_listed_once() -> None:
    for chapter in legend(place(*GAMES[2]))["chapters"]:
        texts = [tuple(entry) for entry in chapter["entries"]]
        assert len(texts) == len(set(texts))
