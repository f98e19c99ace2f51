"""The settings of a game: defaults, rulings, seats and start tags, and what is wrong with them."""

from typing import Any

import pytest
from support.heap_game import FOLDER, variant

from kaiser_logic.engine.configuration import Configuration, SettingProblem, configure
from kaiser_logic.errors import FaultyRulebook
from kaiser_logic.rules.loader import rulebook

HEAP = rulebook(FOLDER)
TAGGED = {
    "[editions]\n": '[tags.First]\nabout = "who begins"\nvalues = "seats"\ndefault = "first seat"\n\n'
    '[tags.Stones]\nabout = "the kinds of stones"\nvalues = [1, 2, 3]\ndefault = "1 2"\ncount = 2\n\n[editions]\n'
}


def set_up(**settings: Any) -> Configuration:
    """The configuration of the heap game with settings that have no problems."""
    configuration, problems = configure(HEAP, "heap", **settings)
    assert not problems
    return configuration


def test_impossible_settings_are_reported_and_ignored():
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
    assert problems[1] == SettingProblem(
        "option", "last_stone", "last_stone cannot be 'flies'; its values are: wins, loses"
    )
    assert problems[4].message == "heap has no start tag 'first'; it has: none"


def test_start_tags_have_values_or_defaults(tmp_path):
    book = rulebook(variant(tmp_path, TAGGED))
    configuration, problems = configure(book, "heap", start={"first": "green", "stones": ["3", "1"]})
    assert (configuration.start, problems) == ((("first", ("green",)), ("stones", ("3", "1"))), ())
    assert list(map(str, configuration.given_facts(book)))[-3:] == [
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


def test_a_name_chooses_several_values_of_a_start_tag(tmp_path):
    sets = 'count = 2\nsets = { "Smooth Ones" = "3 1" }\n'
    book = rulebook(variant(tmp_path, {k: v.replace("count = 2\n", sets) for k, v in TAGGED.items()}))
    for name in ("Smooth Ones", "smooth ones"):
        configuration, problems = configure(book, "heap", start={"stones": name})
        assert (dict(configuration.start)["stones"], problems) == (("3", "1"), ())
    _, (problem,) = configure(book, "heap", start={"stones": "rough ones"})
    assert problem.message == ("stones is the kinds of stones: 2 of 1 2 3, or one of Smooth Ones; not: rough ones")


def test_other_seats_keep_the_start_tags_that_fit(tmp_path):
    book = rulebook(variant(tmp_path, TAGGED))
    configuration, _ = configure(book, "heap", seats="green blue", start={"first": "blue"})
    assert configuration.with_seats(book, ("blue", "red")).start == configuration.start
    assert configuration.with_seats(book, ("red", "green")).start == (("first", ("red",)), ("stones", ("1", "2")))


def test_a_default_start_tag_follows_the_seats(tmp_path):
    book = rulebook(variant(tmp_path, TAGGED))
    configuration, _ = configure(book, "heap", seats="green blue")
    assert dict(configuration.start)["first"] == ("green",)
    assert dict(configuration.with_seats(book, ("blue", "green")).start)["first"] == ("blue",)
    assert configuration.other_start(book) == ""
    other, _ = configure(book, "heap", seats="green blue", start={"first": "blue"})
    assert other.other_start(book) == ", first=blue"


@pytest.mark.parametrize("name", ["Engine", "board", "Result", "Two-Words", "Stones"])
def test_names_that_a_start_tag_cannot_have(tmp_path, name):
    ((head, tags),) = TAGGED.items()
    more = f'[tags.{name}]\nabout = "x"\nvalues = [1, 2]\ndefault = "1"\n\n'
    wrong = tags.replace("[tags.Stones]", "[tags.stones]") if name == "Stones" else tags
    with pytest.raises(FaultyRulebook, match="cannot be a start tag"):
        rulebook(variant(tmp_path, {head: more + wrong}))
