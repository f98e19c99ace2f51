"""Which way an effect changes what is kept."""

from __future__ import annotations

import pytest

from kaiser_logic.symbolic.effects import Effects
from kaiser_logic.symbolic.kept import Kept
from kaiser_logic.symbolic.trees import parsed, symbolic

pytestmark = pytest.mark.slow

KEPT = Kept(
    {("hand", 3): {2}, ("person", 4): {2, 3}, ("noble", 2): set(), ("points", 2): {1}},
    frozenset({("hand", 3), ("person", 4), ("points", 2)}),
    frozenset({("noble", 2)}),
    stated=frozenset({("points", 2)}),
    moved=frozenset({("hand", 3), ("person", 4)}),
    tallied=frozenset({("hand", 3)}),
)


def heads(line: str) -> list[str]:
    rule = parsed(line)
    return [h.text() for h in Effects(KEPT).heads(rule, *symbolic(rule.head))]


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("gain(noble(R,b),1,x) :- p(R).", ["add__noble(R,b)"]),
        ("gain(points(R),3,x) :- p(R).", ["up__points(R)"]),
        ("gain(points(R),N,x) :- p(R,N).", ["alter__points(R)"]),
        ("gain(points(R),N,x) :- hand(R,k,N).", ["up__points(R)"]),  # no counter of cards is 0
        ("gain(person(R,k,G),N,x) :- points(R,N), g(G).", ["alter__person(R,k)"]),  # points may be 0
        ("lose(person(R,k,G),1,x) :- p(R,G).", ["down__person(R,k)"]),
        ("lose(hand(R,K),1,x) :- p(R,K).", ["down__hand(R,K)", "minus__hand(R,K,1,x)"]),
        ("lose(hand(R,K),N,x) :- p(R,K,N).", ["alter__hand(R,K)", "loose__hand(R,K)"]),
    ],
)
def test_amounts(line: str, found: list[str]) -> None:
    assert heads(line) == found


def test_all_that_look_so_lose_what_they_count() -> None:
    assert heads("lose(person(R,k,G),N,x) :- person(R,k,G,N), p(R).") == ["wipe__person(R,k)"]


def test_some_that_look_so() -> None:
    assert heads("lose(person(R,k,G),N,x) :- person(R,k,G,N), heavy(G).") == ["down__person(R,k)"]
    assert heads("lose(person(R,k,G),1,x) :- person(R,k,G,N), p(R).") == ["down__person(R,k)"]
    assert heads("lose(person(R,k,g),N,x) :- person(R,k,g,N), p(R).") == ["down__person(R,k)"]


def test_what_may_be_lost_more_than_once_is_said_so() -> None:
    """Each Q is a loss of its own: what is gained at the same time may be lost too."""
    found = heads("lose(person(R,k,G),N,Q) :- person(R,k,G,N), p(Q).")
    assert found == ["wipe__person(R,k)", "down__person(R,k)"]


def test_what_moves_within_what_looks_alike() -> None:
    line = "shift(person(R,K,G),person(R,K,H),1,x) :- p(R,K,G,H)."
    assert heads(line) == ["within__person(R,K)"]
    line = "shift(person(R,K,G),person(Q,K,H),1,x) :- p(R,Q,K,G,H)."
    assert heads(line) == ["down__person(R,K)", "up__person(Q,K)"]


def test_amounts_are_told_apart_by_where_they_come_from() -> None:
    (up, plus) = heads("gain(hand(R,K),1,x(V)) :- p(R,K,V).")
    assert (up, plus) == ("up__hand(R,K)", "plus__hand(R,K,1,x(V))")


def test_terms_that_stand_for_several_are_not_counted() -> None:
    assert heads("gain(hand(R,1..2),1,x) :- p(R).")[1] == "loose__hand(R,(1..2))"
    assert heads("gain(hand(R,k),1,x(1..2)) :- p(R).")[1] == "loose__hand(R,k)"
    assert heads("lose(person(R,1..2,G),N,x) :- person(R,1..2,G,N).") == ["down__person(R,(1..2))"]
