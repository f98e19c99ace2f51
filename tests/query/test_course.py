"""The course of steps after an action is read from the rules."""

from __future__ import annotations

from support.heap_game import FOLDER

from kaiser_logic.game import load
from kaiser_logic.query.after import Course, kinds_meant
from kaiser_logic.query.language import parse_query

HEAP = load(FOLDER)
KAISER = load("kaiser", players=3)


def test_the_first_step_that_may_change_a_predicate_is_found() -> None:
    (kind,) = kinds_meant(HEAP.ruleset, parse_query("after(red,take(K),phase(over))", HEAP.book))
    assert Course(HEAP.ruleset, [("phase", 1)]).first(kind) == 1  # by the step after it
    assert Course(HEAP.ruleset, [("heap", 1)]).first(kind) == 0
    assert Course(HEAP.ruleset, [("seat", 2)]).first(kind) is None


def test_steps_that_matter_and_the_longest_course_are_found() -> None:
    course = Course(KAISER.ruleset, [("emperor", 1)])
    assert course.telling == {"tally"}
    assert course.live == {"place_gray", "contest", "election", "tally"}
    vote, passing, son = (
        kinds_meant(KAISER.ruleset, parse_query(f"after(red,{action},emperor(red))", KAISER.book))[0]
        for action in ("vote(rival)", "pass", "son(E,D)")
    )
    assert (course.first(vote), course.first(passing), course.first(son)) == (0, 4, None)
    assert course.longest(son) == 0
    assert course.longest(vote) == 0
    assert course.longest(passing) is None  # one electorate after the other is contested


def test_steps_that_change_a_derived_predicate_matter() -> None:
    course = Course(KAISER.ruleset, [("power", 3)])
    (passing,) = kinds_meant(KAISER.ruleset, parse_query("after(red,pass,tied(E))", KAISER.book))
    assert {"contest", "tally", "aging"} <= course.telling
    assert course.first(passing) == 2
