"""Queries about what moves lead to have the expected answers in open positions."""

import pytest
from support import TINY
from support.heap_game import FOLDER

from kaiser_logic.errors import WrongUsage
from kaiser_logic.game import load
from kaiser_logic.query.after import Course, alternatives, is_decided, kinds_meant
from kaiser_logic.query.evaluation import Evaluation
from kaiser_logic.query.language import parse_query
from kaiser_logic.search.reach import find_reachable

HEAP = load(FOLDER)


def test_simultaneous_decisions_never_meet_a_query_about_moves():
    sealed = load(TINY / "sealed")
    position = sealed.initial()
    assert len(position.decisions) == 2
    query = parse_query("after(R,A,phase(P))", sealed.book)
    assert not Evaluation(sealed.evaluator, query).holds(position.symbols)


def test_alternatives_are_separated():
    query = parse_query("after(red,A,heap(1)), not after(red,A,phase(P)) ; heap(3)", HEAP.book)
    one, other = alternatives(query)
    assert not is_decided(one)
    assert not is_decided(other)
    assert is_decided(parse_query("after(red,A,heap(N)), after(red,A,phase(P)), N > 3", HEAP.book))
    assert not is_decided(parse_query("after(red,A,heap(N)), after(red,B,phase(P)), N > 3", HEAP.book))


@pytest.mark.parametrize("query", ["after(red,A,phase(over))", "violates(red,take(1),take)"])
def test_a_query_about_moves_is_refused_with_reachable(query):
    with pytest.raises(WrongUsage, match="cannot be asked together with --reachable"):
        find_reachable(HEAP, query, 3)


# The course of steps after an action is read from the rules.
KAISER = load("kaiser", players=3)


def test_the_first_step_that_may_change_a_predicate_is_found():
    (kind,) = kinds_meant(HEAP.ruleset, parse_query("after(red,take(K),phase(over))", HEAP.book))
    assert Course(HEAP.ruleset, [("phase", 1)]).first_change(kind) == 1  # by the step after it
    assert Course(HEAP.ruleset, [("heap", 1)]).first_change(kind) == 0
    assert Course(HEAP.ruleset, [("seat", 2)]).first_change(kind) is None


def test_steps_that_matter_and_the_longest_course_are_found():
    course = Course(KAISER.ruleset, [("emperor", 1)])
    assert course.telling == {"tally"}
    assert course.live == {"place_gray", "contest", "election", "tally"}
    vote, passing, son = (
        kinds_meant(KAISER.ruleset, parse_query(f"after(red,{action},emperor(red))", KAISER.book))[0]
        for action in ("vote(rival)", "pass", "son(E,D)")
    )
    assert (course.first_change(vote), course.first_change(passing), course.first_change(son)) == (0, 4, None)
    assert course.longest_run(son) == 0
    assert course.longest_run(vote) == 0
    assert course.longest_run(passing) is None  # one electorate after the other is contested


def test_steps_that_change_a_derived_predicate_matter():
    course = Course(KAISER.ruleset, [("power", 3)])
    (passing,) = kinds_meant(KAISER.ruleset, parse_query("after(red,pass,tied(E))", KAISER.book))
    assert {"contest", "tally", "aging"} <= course.telling
    assert course.first_change(passing) == 2
