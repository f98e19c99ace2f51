"""Positions edited as facts."""

from __future__ import annotations

from typing import Any

import pytest
from support.places import GAMES, facts_of, place

from kaiser_logic.errors import KaiserLogicError, UnreadableInput
from kaiser_logic.explorer.editing import palette, show_facts, spots, trays

HERE = place("games/four-players.game", 60)


def text(facts: list[str]) -> str:
    """Facts in the form in which they are typed."""
    return "\n".join(f"{fact}." for fact in facts)


@pytest.mark.sample(2)
@pytest.mark.parametrize(("name", "moves"), GAMES)
def test_a_position_of_a_game_is_valid(name: str, moves: int) -> None:
    here = place(name, moves)
    answer = show_facts({"tags": here["tags"], "text": text(here["facts"])})
    assert answer["broken"] == []
    assert set(answer["facts"]) == set(here["facts"])
    assert answer["board"]["pictures"]


def test_broken_invariants_have_a_line_and_a_pin() -> None:
    facts = [*HERE["facts"], "thalers(blue,99)"]
    answer = show_facts({"tags": HERE["tags"], "text": text(facts)})
    assert answer["broken"]
    one = next(b for b in answer["broken"] if "thalers(blue" in b["witness"])
    assert one["message"]
    assert "reason 1" in "".join(answer["board"]["texts"])


def test_facts_that_cannot_be_drawn_are_judged() -> None:
    answer = show_facts({"tags": HERE["tags"], "text": "seat(red,1). seat(green,2). nonsense(1)."})
    assert answer["broken"]
    assert "nonsense" in answer["undrawn"]


def test_syntax_errors_have_a_place() -> None:
    with pytest.raises(UnreadableInput) as caught:
        show_facts({"tags": HERE["tags"], "text": "round(1).\nround(X)."})
    assert (caught.value.line, caught.value.column) == (2, 7)


@pytest.mark.parametrize("typed", ["", "#include <x>.", "a(1..9).", "f(" * 200, "a(?)."])
def test_texts_that_are_not_facts_are_refused(typed: str) -> None:
    with pytest.raises(KaiserLogicError):
        show_facts({"tags": HERE["tags"], "text": typed})


# The palette of the editor: pieces as they are drawn, each with its fact.
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
def test_trays_can_form_every_fact_of_a_position(name: str, moves: int) -> None:
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
def test_facts_can_be_put_where_they_are(name: str, moves: int) -> None:
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


def test_facts_that_are_drawn_only_with_others_have_places() -> None:
    """A castle of krone is drawn for its owner, so it is not visible without the owner's shield."""
    here = place("krone/random-30.game", 120)
    there = spots({**facts_of(here), "name": "castle", "slots": [None]})["spots"]
    shields = {fact[7:].partition(",")[0] for fact in here["facts"] if fact.startswith("shield(")}
    assert set(there) == shields
    assert all(facts == [f"castle({area})"] for area, facts in there.items())


def test_only_facts_of_the_vocabulary_can_be_put() -> None:
    here = place("games/four-players.game", 60)
    there = spots({**facts_of(here), "name": "influenced", "slots": [None]})["spots"]
    assert set(there) == {"koeln", "mainz", "trier"}
    assert (
        spots({**facts_of(here), "name": "aristocrat", "slots": [None, "blue", "77", "baron", "1"]})["spots"]
        == {}
    )


@pytest.mark.slow
def test_a_large_vocabulary_is_not_listed() -> None:
    """The persons of vive: each argument has its own list, a few hundred values in all."""
    person = kinds(place("vive/random-6.game", 120))["person"]
    assert [bool(slot["values"]) for slot in person["slots"]] == [True] * 4
    assert sum(len(slot["values"]) for slot in person["slots"]) < 1000
