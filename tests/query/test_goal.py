"""A query can be the goal of a search, with a distance for each position."""

from __future__ import annotations

import pytest
from support.opened import heap, reachable

from kaiser_logic.engine import symbols
from kaiser_logic.errors import WrongUsage
from kaiser_logic.position import Position
from kaiser_logic.query.goal import QueryGoal
from kaiser_logic.query.language import parse_query

GAME = heap()


def goal(query: str) -> QueryGoal:
    """The goal of a query to the heap game."""
    return QueryGoal(GAME.ruleset, parse_query(query, GAME.book))


FACTS = frozenset(
    map(
        symbols.read_symbol,
        ("seat(red,1)", "seat(green,2)", "phase(play)", "heap(2)", "took(green)", "decision(red,take)"),
    )
)


@pytest.mark.parametrize(
    ("query", "distance"),
    [
        ("heap(2)", 0),
        ("heap(3)", 1),
        ("heap(N), N < 3", 0),
        ("heap(N), N > 3", 1),
        ("heap(3), took(red), phase(over)", 3),
        ("heap(2), took(red), not phase(over)", 1),
        ("legal(red,take(2))", 0),
        ("legal(red,take(3))", 1),
        ("heap(N), M = N+1, K = M+1, K > 3", 0),
        ("heap(N), M = N+1, M > 7", 1),
        ("M = N-1, heap(N), not took(red), M = 1", 0),
        ("not (heap(N), N > 1), took(green)", 1),
        ("decision(R,take), took(R)", 1),  # each literal holds for some player, but not both for one player
    ],
)
def test_the_distance_counts_unmet_literals(query: str, distance: int) -> None:
    assert goal(query).unmet(FACTS) == distance
    position = Position(GAME.evaluator, FACTS)
    assert goal(query).distance(position) == distance
    assert goal(query).holds(position) == (distance == 0)


def test_a_goal_holds_in_exactly_the_positions_with_its_facts() -> None:
    target = goal("took(green), heap(N), N <= 4")
    found = {facts for facts in reachable(GAME) if target.unmet(facts) == 0}
    low = {symbols.read_symbol(f"heap({n})") for n in range(5)}
    assert found == {f for f in reachable(GAME) if symbols.read_symbol("took(green)") in f and low & f}
    assert found


def test_a_goal_knows_the_names_in_its_query() -> None:
    assert goal("decision(red,take), not took(green), heap(N), N > 3").words >= {"red", "take", "green"}
    assert "N" not in goal("heap(N), N > 3").words


def test_a_query_about_violations_is_refused_as_a_goal() -> None:
    with pytest.raises(WrongUsage, match="cannot be asked together with --reachable"):
        goal("violates(red,take(1),take)")
