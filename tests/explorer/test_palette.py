"""The palette of the editor: pieces as they are drawn, each with its fact."""

from __future__ import annotations

import pytest
from support.places import GAMES, facts_of, place

from kaiser_logic.explorer.editing import palette, show_facts, spots

PUT = {
    "games/four-players.game": ("Blue couple 25", "aristocrat", [None, "blue", "25", "couple", "1"]),
    "krone/random-30.game": ("Red shield", "shield", [None, "red"]),
    "staufer/random-5.game": ("Red noble", "paid", [None, "red", "noble", "1"]),
    "vive/random-6.game": ("gold 2", "gold", [None, "2", "1"]),
}


@pytest.mark.parametrize(("name", "moves"), GAMES)
def test_pieces_of_the_palette_can_be_put(name: str, moves: int) -> None:
    here = place(name, moves)
    wanted, fact, args = PUT[name]
    found = palette(here)["pieces"]
    one = next(one for one in found if one["label"] == wanted and one["name"] == fact)
    assert one["args"] == args
    assert one["svg"].startswith("<g")
    assert spots({**facts_of(here), "name": fact, "slots": args})["spots"]


@pytest.mark.parametrize(("name", "moves"), GAMES)
def test_pieces_have_their_facts(name: str, moves: int) -> None:
    """Nearly all pieces on the board have a fact, so that they can be dragged."""
    here = place(name, moves)
    answer = show_facts({"tags": here["tags"], "text": "".join(f"{fact}. " for fact in here["facts"])})
    known = {tuple(piece) for pieces in answer["pieces"] for piece in pieces}
    shown = {tuple(look[:3]) for look in answer["board"]["pictures"][0]["deal"].values()}
    assert len(shown & {piece[1:] for piece in known}) >= 0.75 * len(shown)


def test_a_broken_limit_states_the_number() -> None:
    here = place(*GAMES[0])
    text = "".join(f"{fact}. " for fact in here["facts"]) + "aristocrat(koeln,red,15,baron,2)."
    broken = show_facts({"tags": here["tags"], "text": text})["broken"]
    assert [one["message"] for one in broken] == ["Aristocrat spaces of Köln: there are at most 3, not 4."]
