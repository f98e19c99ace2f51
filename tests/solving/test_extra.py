"""Invariants of the user, which are in no rulebook, exclude positions if they are proved."""

import pytest
from support.heap_game import FOLDER

from kaiser_logic.engine import symbols
from kaiser_logic.errors import FaultyRulebook, WrongUsage
from kaiser_logic.game import load
from kaiser_logic.solving.extra import excluding, with_extra

pytestmark = pytest.mark.by_hand

HEAP = load(FOLDER)
SEATS = "seat(red,1) seat(green,2)"
ALONE = frozenset(
    map(symbols.read_symbol, f"{SEATS} phase(play) heap(3) taken(red,9) took(green) decision(red,take)".split())
)
"""A valid position in which green took last and has nothing."""
TRUE = "has(R) :- taken(R,_). broken(took_something,R) :- took(R), not has(R)."
FALSE = "broken(even,N) :- heap(N), odd(N). odd(1;3;5;7;9;11)."


@pytest.mark.slow
def test_a_proved_invariant_excludes_positions_that_break_it():
    assert excluding(HEAP.evaluator, TRUE, ALONE, 60, 1) == "took_something"
    assert not HEAP.evaluator.broken_invariants(ALONE)


@pytest.mark.slow
def test_an_unproved_invariant_excludes_nothing():
    assert excluding(HEAP.evaluator, FALSE, ALONE, 60, 1) is None
    # the false invariant is dropped, and the other one is proved without it
    assert excluding(HEAP.evaluator, TRUE + FALSE, ALONE, 60, 1) == "took_something"


def test_a_position_that_breaks_no_invariant_needs_no_proof():
    assert excluding(HEAP.evaluator, TRUE, HEAP.initial().symbols, 0.001) is None


def test_an_extra_rule_may_not_change_the_rulebook():
    for text in (
        "broken(one_taker,x) :- heap(1).",
        "broken(I,x) :- heap(1), I = 1.",
        "add(heap(3)) :- heap(1).",
        "phase(over) :- heap(1).",
        "violates(R,take(1),none) :- candidate(R,take(1)).",
    ):
        with pytest.raises(WrongUsage):
            with_extra(HEAP.ruleset, text)
    with pytest.raises(FaultyRulebook):
        with_extra(HEAP.ruleset, "broken(x,")
    wider, names = with_extra(HEAP.ruleset, TRUE)
    assert names == ("took_something",)
    assert len(wider.book.rules) == len(HEAP.book.rules) + 2
