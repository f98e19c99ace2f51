"""How a game is set up."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import pytest
from support.heap_game import FOLDER, variant

from kaiser_logic.engine.configuration import Configuration, Problem, chosen_seats, configure
from kaiser_logic.errors import WrongUsage
from kaiser_logic.notation.terms import Term
from kaiser_logic.rules.loader import rulebook

HEAP = rulebook(FOLDER)
TAGGED = {
    "[editions]\n": '[tags.First]\nabout = "who begins"\nvalues = "seats"\ndefault = "first seat"\n\n'
    '[tags.Stones]\nabout = "the kinds of stones"\nvalues = [1, 2, 3]\ndefault = "1 2"\ncount = 2\n\n[editions]\n'
}


def set_up(**settings: Any) -> Configuration:
    """The configuration of the heap game under settings without problems."""
    configuration, problems = configure(HEAP, "heap", **settings)
    assert not problems
    return configuration


def test_what_is_not_given_is_the_default() -> None:
    assert set_up() == Configuration("heap", "standard", ("red", "green"))


def test_settings_that_say_the_same_are_equal() -> None:
    assert set_up(options={"last_stone": "wins"}) == set_up(seats=["red", "green"]) == set_up(players=2)
    changed = set_up(options={"last_stone": "loses"})
    assert changed.changed == (("last_stone", "loses"),)
    assert changed == set_up().ruled("last_stone", "loses") != set_up()
    assert len({changed, set_up(), set_up()}) == 2
    assert pickle.loads(pickle.dumps(changed)) == changed


def test_the_values_of_all_rulings() -> None:
    assert set_up().options(HEAP) == {"last_stone": "wins"}
    assert set_up(options={"last_stone": "loses"}).options(HEAP) == {"last_stone": "loses"}


def test_what_the_rules_are_told() -> None:
    given = set_up(seats="blue red", board=(Term.of("stones", 7),)).given(HEAP)
    assert list(map(str, given)) == [
        "seat(blue,1)", "seat(red,2)", "ruling(last_stone,wins)", "board(stones(7))",
    ]  # fmt: skip


def test_what_cannot_be_counts_as_not_given() -> None:
    configuration, problems = configure(
        HEAP,
        "heap",
        edition="latin",
        options={"last_stone": "flies", "first_stone": "wins"},
        seats=["red", "pink"],
        start={"first": "red"},
    )
    assert configuration == set_up()
    assert [(p.setting, p.name) for p in problems] == [
        ("edition", ""), ("option", "last_stone"), ("option", "first_stone"), ("seats", ""), ("start", "first"),
    ]  # fmt: skip
    assert problems[1] == Problem(
        "option", "last_stone", "last_stone cannot be 'flies'; its values are: wins, loses"
    )
    assert problems[4].message == "heap has no start tag 'first'; it has: none"


@pytest.mark.parametrize(
    ("seats", "players"),
    [
        (["red"], None),
        (["red", "red"], None),
        (["red", "pink"], None),
        (["red", "green"], 3),
        (None, 4),
        (None, 0),
    ],
)
def test_seats_that_cannot_be(seats: list[str] | None, players: int | None) -> None:
    with pytest.raises(WrongUsage):
        chosen_seats(HEAP, seats, players)


def test_start_tags(tmp_path: Path) -> None:
    book = rulebook(variant(tmp_path, TAGGED))
    configuration, problems = configure(book, "heap", start={"first": "green", "stones": ["3", "1"]})
    assert (configuration.start, problems) == ((("first", ("green",)), ("stones", ("3", "1"))), ())
    assert list(map(str, configuration.given(book)))[-3:] == [
        "start(first,green)",
        "start(stones,3)",
        "start(stones,1)",
    ]
    configuration, problems = configure(book, "heap", start={"first": "blue", "stones": "1 1"})
    assert configuration.start == (("first", ("red",)), ("stones", ("1", "2")))
    assert [p.message for p in problems] == [
        "first is who begins: 1 of red green; not: blue",
        "stones is the kinds of stones: 2 of 1 2 3; not: 1 1",
    ]


def test_values_of_a_start_tag_are_chosen_together_by_a_name(tmp_path: Path) -> None:
    sets = 'count = 2\nsets = { "Smooth Ones" = "3 1" }\n'
    book = rulebook(variant(tmp_path, {k: v.replace("count = 2\n", sets) for k, v in TAGGED.items()}))
    for name in ("Smooth Ones", "smooth ones"):
        configuration, problems = configure(book, "heap", start={"stones": name})
        assert (dict(configuration.start)["stones"], problems) == (("3", "1"), ())
    _, (problem,) = configure(book, "heap", start={"stones": "rough ones"})
    assert problem.message == (
        "stones is the kinds of stones: 2 of 1 2 3, or one of Smooth Ones; not: rough ones"
    )


def test_other_seats_keep_the_start_tags_that_fit(tmp_path: Path) -> None:
    book = rulebook(variant(tmp_path, TAGGED))
    configuration, _ = configure(book, "heap", seats="green blue", start={"first": "blue"})
    assert configuration.reseated(book, ("blue", "red")).start == configuration.start
    assert configuration.reseated(book, ("red", "green")).start == (("stones", ("1", "2")),)
