"""Positions edited as facts."""

from typing import Any

import pytest
from support.places import GAMES, facts_of, place

from kaiser_logic.explorer.editing import show_facts, spots, trays


@pytest.mark.sample(4)
@pytest.mark.parametrize(("name", "moves"), GAMES)
def test_pieces_have_their_facts(name, moves):
    """Nearly all pieces on the board have a fact, so that they can be dragged."""
    here = place(name, moves)
    answer = show_facts({"tags": here["tags"], "text": "".join(f"{fact}. " for fact in here["facts"])})
    known = {tuple(piece) for pieces in answer["pieces"] for piece in pieces}
    shown = {tuple(look[:3]) for look in answer["board"]["pictures"][0]["deal"].values()}
    assert len(shown & {piece[1:] for piece in known}) >= 0.75 * len(shown)


# The trays of the editor: the facts that can be put, and their places.
ON_BOARD = {
    "games/four-players.game": {"aristocrat", "elector", "knight", "city", "empire_city", "gray", "used"},
    "krone/random-30.game": {"shield", "castle", "city", "large_city", "cathedral", "attack"},
    "staufer/random-5.game": {"chest", "sits", "king", "marker", "tile"},
    "vive/random-6.game": {"person", "noble", "province", "gold", "brand"},
}


def kinds(here: dict[str, Any]) -> dict[str, Any]:
    return {kind["name"]: kind for kind in trays(facts_of(here))["kinds"]}


@pytest.mark.sample(4)
@pytest.mark.parametrize(("name", "moves"), GAMES)
def test_trays_can_form_every_fact_of_a_position(name, moves):
    here = place(name, moves)
    found = kinds(here)
    assert ON_BOARD[name] <= {kind["name"] for kind in found.values() if kind["onboard"]}
    for fact in here["facts"]:
        if fact.startswith("seat("):
            continue
        kind = found[fact.partition("(")[0]]
        for slot, arg in zip(kind["slots"], _args(fact), strict=True):
            values = [value for value, _ in slot["values"]]
            assert arg in values or slot["open"], (fact, arg)


def _args(fact: str) -> list[str]:
    inner, found, depth, part = fact.partition("(")[2].removesuffix(")"), [], 0, ""
    for letter in inner + "," if inner else "":
        depth += (letter == "(") - (letter == ")")
        if letter == "," and not depth:
            found.append(part)
            part = ""
        else:
            part += letter
    return found


@pytest.mark.sample(4)
@pytest.mark.parametrize(("name", "moves"), GAMES)
def test_facts_can_be_put_where_they_are(name, moves):
    """Each fact on the board is among those that can be put on its place."""
    here = place(name, moves)
    found = kinds(here)
    answer = show_facts({"tags": here["tags"], "text": "".join(f"{fact}. " for fact in here["facts"])})
    tried = set()
    for fact, areas in zip(answer["facts"], answer["areas"], strict=True):
        kind = found.get(fact.partition("(")[0])
        if not areas or kind is None or not kind["onboard"] or kind["name"] in tried:
            continue
        tried.add(kind["name"])
        slots = [None if slot["place"] else arg for slot, arg in zip(kind["slots"], _args(fact), strict=True)]
        there = spots({**facts_of(here), "name": kind["name"], "slots": slots})["spots"]
        assert all(fact in there[area] for area in areas)
        assert len(there) > 1
    assert tried


def test_facts_that_are_drawn_only_with_others_have_places():
    """A castle of krone is drawn for its owner, so it is not visible without the owner's shield."""
    here = place("krone/random-30.game", 120)
    there = spots({**facts_of(here), "name": "castle", "slots": [None]})["spots"]
    shields = {fact[7:].partition(",")[0] for fact in here["facts"] if fact.startswith("shield(")}
    assert set(there) == shields
    assert all(facts == [f"castle({area})"] for area, facts in there.items())


@pytest.mark.slow
def test_a_large_vocabulary_is_not_listed():
    """The persons of vive: each argument has its own list, a few hundred values in all."""
    person = kinds(place("vive/random-6.game", 120))["person"]
    assert [bool(slot["values"]) for slot in person["slots"]] == [True] * 4
    assert sum(len(slot["values"]) for slot in person["slots"]) < 1000
