"""A query to a given position has all values for which it holds as its answer."""

from __future__ import annotations

import pytest
from support.heap_game import FOLDER

import kaiser_logic as kl


def test_a_query_gives_each_combination_of_values_once() -> None:
    start = kl.load(FOLDER).initial()
    assert start.query("heap(N)") == [{"N": 12}]
    assert start.query("taken(R,N)") == []
    assert start.query("heap(N), N > 3, decision(R,D)") == [{"D": "take", "N": 12, "R": "red"}]
    assert start.query("heap(12)") == [{}]
    assert start.query("heap(11)") == []
    assert start.query("legal(R,A)") == [{"A": f"take({n})", "R": "red"} for n in (1, 2, 3)]
    assert start.query("violates(green,take(1),Rule)") == [{"Rule": "take"}]
    assert start.query("heap(_)") == [{}], "each combination once"
    assert start.query("N = count{A : legal(red,A)}") == [{"N": 3}]
    assert start.query("seat(R,_); heap(R)") == [{"R": 12}, {"R": "green"}, {"R": "red"}]


def test_queries_can_ask_for_the_result_of_every_game() -> None:
    """The rulebook does not need to export it."""
    game = kl.load(FOLDER)
    position = game.initial()
    assert position.query("terminal") == position.query("winner(R)") == []
    for role in ("red", "green") * 2:
        position = position.apply({role: "take(3)"})
    assert position.query("terminal, winner(R), goal(R,N)") == [{"N": 1, "R": "green"}]
    assert position.query("goal(R,N)") == [{"N": 0, "R": "red"}, {"N": 1, "R": "green"}]
    assert len(game.find("terminal, winner(red)")) == 1
    for name in ("kaiser", "krone", "staufer", "vive"):
        assert kl.load(name).initial().query("terminal") == []


def test_a_query_of_many_variables_that_share_no_fact_is_answered() -> None:
    """Three values for each of sixty variables: nobody could list all combinations, but one is found at once."""
    game = kl.load(FOLDER)
    many = ", ".join(f"legal(red,A{n})" for n in range(60))
    with pytest.raises(kl.NotDecided, match="more than 500,000 answers"):
        game.initial().query(many)
    found = game.find_result(f"heap(12), {many}, count{{A : legal(red,A)}} > 2")
    assert found.because[0].startswith("A0 = take(1), A1 = take(1), ")
    assert found.because[0].endswith("; count{A : legal(red,A)} is 3")


def test_a_faulty_query_is_refused() -> None:
    start = kl.load(FOLDER).initial()
    with pytest.raises(kl.WrongUsage, match="did you mean 'heap'"):
        start.query("haep(N)")
    with pytest.raises(kl.UnreadableInput):
        start.query("heap(N")
