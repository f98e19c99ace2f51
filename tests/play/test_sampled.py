"""Positions of random games in which a query holds."""

import pytest
from support.heap_game import FOLDER

import kaiser_logic as kl
from kaiser_logic.play.sampled import sampled_position
from kaiser_logic.records.replay import Replay


@pytest.mark.parametrize(("query", "games"), [("heap(N), N < 5, decision(R,take)", True), ("heap(0)", False)])
def test_an_answer_is_reached_by_its_game(query, games):
    """The game replays to the position, the query holds there, somebody has to decide; the same answer each time."""
    game = kl.load(FOLDER)
    found, again = sampled_position(game, query), sampled_position(game, query)
    assert (found is not None) is games
    if found is None or again is None:
        return
    position = Replay.at(found.match.record().with_rules(FOLDER)).here()
    assert position == found.match.position == again.match.position
    assert position.query(query)
    assert position.to_move
    assert found.origin.verdict == "reachable"
    assert len(found.origin.moves) == len(found.match.moves)


@pytest.mark.parametrize("query", ["haep(3)", "heap(", "legal(red,take(3))", "after(red,A,heap(3))"])
def test_what_only_the_solver_may_answer_is_left_to_it(query):
    assert sampled_position(kl.load(FOLDER), query) is None


def test_few_positions_are_looked_at_if_few_are_asked_for():
    game = kl.load("kaiser")
    assert sampled_position(game, "emperor(green)", 10) is None
    found = sampled_position(game, "emperor(green)")
    assert found is not None
    assert len(found.match.moves) > 10
