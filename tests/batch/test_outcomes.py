"""Outcomes: the engine evaluates one game for all games that end in the same way."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from support.heap_positions import heap

from kaiser_logic.batch.lanes import Outcomes, by_order_only
from kaiser_logic.batch.layout import layout_of
from kaiser_logic.engine import symbols
from kaiser_logic.game import load
from kaiser_logic.rules.loader import parse_rules

POINTS = frozenset({("points", 2)})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("goal(R,N) :- points(R,N).", True),
        ("goal(R,N) :- points(R,N). behind(R) :- goal(R,N), goal(_,M), N < M.", True),
        (
            "goal(R,N) :- points(R,N). leads(R) :- goal(R,N), not more(N). more(N) :- goal(_,M), goal(_,N), M > N.",
            True,
        ),
        ("goal(R,N+1) :- points(R,N).", False),
        ("goal(R,2*N) :- points(R,N).", False),
        ("goal(R,N) :- points(R,N), N > 3.", False),
        ("goal(R,N) :- points(R,N), thalers(R,N).", False),
        ("goal(R,N) :- thalers(R,N), points(R,_).", False),
        ("goal(R,N) :- points(R,N). winner(R) :- goal(R,0).", False),
        ("goal(R,N) :- points(R,N). winner(R) :- goal(R,N), 3 #count { M : goal(_,M), M < N }.", False),
        ("goal(R,N) :- points(R,N). best(N) :- N = #max { M : points(_,M) }.", False),
        ("goal(R,N) :- points(R,N). ahead(R,Q) :- goal(R,N), goal(Q,M), N < M + 2.", False),
        ("goal(R,N) :- points(R,N). near(R,f(N)) :- goal(R,N).", False),
    ],
)
def test_rules_that_use_only_the_order_of_numbers(text: str, expected: bool) -> None:
    assert by_order_only(parse_rules(text), POINTS) == expected


@pytest.mark.parametrize("name", ["kaiser", "krone", "staufer", "vive"])
def test_outcomes_of_the_games_use_only_the_order(name: str) -> None:
    rules = load(name, players=3).ruleset
    assert by_order_only(rules.outcome_program.rules, POINTS)


def test_outcomes_of_every_order_of_points() -> None:
    game = load("kaiser", players=3)
    layout = layout_of(game.ruleset)
    outcomes = Outcomes(game.evaluator, layout)
    nothing = np.zeros(layout.words, np.uint64)
    over, bit = nothing.copy(), layout.bits[symbols.read_symbol("phase(over)")]
    over[bit >> 6] = 1 << (bit & 63)
    for numbers in product((0, 3, 17), repeat=3):
        ending = outcomes.ending_of(over, numbers)
        assert ending is not None
        by_seat = dict(zip((str(c.arguments[0]) for c in layout.numbers), numbers, strict=True))
        assert ending[0] == tuple(by_seat[seat] for seat in game.seats)
        assert ending[1] == tuple(by_seat[seat] == max(numbers) for seat in game.seats)
    assert outcomes.ending_of(nothing, (1, 2, 3)) is None
    assert len(outcomes._known) <= 14, "there are 13 orders of three numbers, and one game is not over"


def test_outcome_of_a_game_without_numbers() -> None:
    game = heap()
    layout = layout_of(game.ruleset)
    last = game.initial()
    while last.to_move:
        role = last.to_move[0]
        last = last.apply({role: last.legal()[role][0]})
    encode = layout.encode(last.symbols)
    result = last.result()
    assert encode is not None
    assert result is not None
    ending = Outcomes(game.evaluator, layout).ending_of(np.frombuffer(encode[0], np.uint64), encode[1])
    assert ending == (tuple(result.points.values()), tuple(s in result.winners for s in game.seats))
