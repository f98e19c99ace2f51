"""Sums at two moments."""

from __future__ import annotations

import pytest

from kaiser_logic.symbolic.kept import Kept
from kaiser_logic.symbolic.lasting import lasting

pytestmark = pytest.mark.slow

KEPT = Kept(
    {("hand", 3): {2}, ("bag", 2): {1}},
    frozenset({("hand", 3), ("bag", 2)}),
    frozenset(),
    moved=frozenset({("hand", 3)}),
)
BEFORE = "full(R) :- player(R); 7 <= #sum { N,K: hand(R,K,N) }."
AFTER = "full__m1(R) :- player(R); 7 <= #sum { N,K: hand__m1(R,K,N) }."
SAID = ["up__hand(R,K) :- p(R,K).", "{ down__hand(R,K) } :- q(R,K).", "within__hand(R,K) :- r(R,K)."]


def constraints(before: str, after: str) -> list[str]:
    return list(lasting([before, after], KEPT, SAID))


def test_what_grows_and_what_falls() -> None:
    assert constraints(BEFORE, AFTER) == [
        ":- full(R); not full__m1(R); not down__hand(R,_).",
        ":- full__m1(R); not full(R); not up__hand(R,_); not within__hand(R,_).",
    ]


def test_of_another_sum_it_is_only_known_where_nothing_changes() -> None:
    before, after = (x.replace("7 <=", "7 >=") for x in (BEFORE, AFTER))
    every = "; not down__hand(R,_); not up__hand(R,_); not within__hand(R,_)."
    assert constraints(before, after) == [
        f":- full(R); not full__m1(R){every}",
        f":- full__m1(R); not full(R){every}",
    ]


def test_nothing_where_more_changes() -> None:
    assert not constraints(BEFORE, AFTER.replace("player(R)", "player__m1(R)"))
    assert not constraints(BEFORE, AFTER.replace("7 <=", "6 <="))
    assert not list(lasting([BEFORE, AFTER, AFTER.replace("7 <=", "6 <=")], KEPT, SAID))
    assert not constraints(
        BEFORE.replace("N,K: hand(R,K,N)", "N,K: hand(R,K,N); N,b: bag(R,N)"),
        AFTER.replace("N,K: hand__m1(R,K,N)", "N,K: hand__m1(R,K,N); N,b: bag(R,N)"),
    )
