"""What can follow while a query is written."""

from __future__ import annotations

from collections import Counter

import pytest

from kaiser_logic.game import load
from kaiser_logic.query.listing import listed, suggestions
from kaiser_logic.query.mistakes import read_query
from kaiser_logic.query.vocabulary import askable


def offered(text: str, game: str = "kaiser") -> list[str]:
    return [one.text for one in suggestions(load(game).ruleset, text)]


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("emp", ["emperor(", "empire_city("]),
        ("emperor(red), tha", ["thalers("]),
        ("emperor(red), not (tha", ["thalers("]),
        ("count{R : poi", ["points("]),
        ("elector(", ["boehmen", "brandenburg", "koeln"]),
        ("elector(koeln,", ["blue", "green", "red", "yellow", "R", "_"]),
        ("elector(cologn", ["koeln"]),
        ("elector(Keul", []),
        ("elector(keul", ["koeln"]),
        ("legal(red,buy(doc", ["doctor"]),
        ("after(red,buy(doctor,hold),tha", ["thalers("]),
        ("display(doctor,", ["1", "2", "3", "4", "N", "_"]),
        ("thalers(red,N), N < ", []),
        ("thalers(red,N) ", []),
        ("thalers(red,Num", []),
        ("tha", ["thalers("]),
        ("doct", ["display(doctor,N)", "held(R,doctor,N)"]),
    ],
)
def test_what_follows(text: str, first: list[str]) -> None:
    assert offered(text)[: len(first)] == first
    assert first or not offered(text)


def test_words_are_found_too() -> None:
    """Whoever does not know what the rulebook calls it writes what it is called in English."""
    assert "aristocrat(" in offered("space")


@pytest.mark.sample(4)
@pytest.mark.parametrize("game", ["kaiser", "krone", "staufer", "vive"])
def test_whatever_is_offered_can_be_asked(game: str) -> None:
    """Each argument of each fact, written with the value that is offered first, makes a query that is understood."""
    ruleset = load(game).ruleset
    several = [
        name for name, times in Counter(name for name, _ in askable(ruleset.book)).items() if times > 1
    ]
    for written, (_, values) in listed(ruleset)[0].items():
        name, _, inside = written.removesuffix(")").partition("(")
        if name in ("after", "legal", "violates", *several) or not values:
            continue
        arity = inside.count(",") + 1
        for number in range(arity):
            first = next(one for one in offered(f"{name}({'_,' * number}", game) if not one.endswith("("))
            read_query(f"{name}({'_,' * number}{first}{',_' * (arity - number - 1)})", ruleset)
