"""A query can be the goal of a search, with a distance for each position."""

from __future__ import annotations

import pytest
from support.opened import heap, reachable

from kaiser_logic.engine import symbols
from kaiser_logic.errors import WrongUsage
from kaiser_logic.query.goal import QueryGoal
from kaiser_logic.query.language import parse_query

GAME = heap()


def goal(query: str) -> QueryGoal:
    """The goal of a query to the heap game."""
    return QueryGoal(GAME.ruleset, parse_query(query, GAME.book))


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
