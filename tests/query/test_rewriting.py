"""A query with a fact in the place of a value is refused with a corrected query, which can be read."""

from __future__ import annotations

import pytest

from kaiser_logic.errors import WrongUsage
from kaiser_logic.game import Game, load
from kaiser_logic.query.mistakes import read_query

KAISER, KRONE, STAUFER = load("kaiser", players=2), load("krone", players=2), load("staufer", players=2)


@pytest.mark.parametrize(
    ("game", "query", "corrected"),
    [
        (KAISER, "thalers(red) = 0", "thalers(red,N), N = 0"),
        (KAISER, "emperor(red), thalers( red ) = 0", "emperor(red), thalers(red,N), N = 0"),
        (KAISER, "thalers(red) > 3", "thalers(red,N), N > 3"),
        (KAISER, "0 = thalers(red)", "thalers(red,N), 0 = N"),
        (KAISER, "thalers(red) != thalers(green)", "thalers(red,N), thalers(green,M), N != M"),
        (KAISER, "thalers(R) > thalers(Q), R != Q, emperor(R), acting(Q)",
         "thalers(R,N), thalers(Q,M), N > M, R != Q, emperor(R), acting(Q)"),
        (KAISER, "not (thalers(red) = 0)", "not (thalers(red,N), N = 0)"),
        (KAISER, "emperor(R), not (acting(R), thalers(R) = 0)", "emperor(R), not (acting(R), thalers(R,N), N = 0)"),
        (KAISER, "emperor(red) ; thalers(red) = 0", "emperor(red) ; thalers(red,N), N = 0"),
        (KAISER, "thalers(red)+1 > 2*thalers(green)", "thalers(red,N), thalers(green,M), N+1 > 2*M"),
        (KAISER, "N = thalers(red), N > 3", "thalers(red,N), N > 3"),
        (KAISER, "thalers(red,N) > 3", "thalers(red,N), N > 3"),
        (KAISER, "thalers(red) = points(red)", "thalers(red,N), points(red,M), N = M"),
        (KAISER, "thalers(red) = count{E : elector(E,red,_,_)}", "thalers(red,N), N = count{E : elector(E,red,_,_)}"),
        (KAISER, "count{R : emperor(R), thalers(R) = 0} = 1", "count{R : emperor(R), thalers(R,N), N = 0} = 1"),
        (KAISER, "max{thalers(R) : player(R)} > 5", "max{N : thalers(R,N), player(R)} > 5"),
        (KAISER, "sum{thalers(R) : emperor(R) ; acting(R)} > 5", None),
        (KAISER, "points(red,thalers(red))", "thalers(red,N), points(red,N)"),
        (KAISER, "not points(red,thalers(red))", "thalers(red,N), not points(red,N)"),
        (KAISER, "thalers(red,N), N = 3, thalers(green) = 0", "thalers(red,N), N = 3, thalers(green,M), M = 0"),
        (KAISER, "emperor = red", "emperor(R), R = red"),
        (KAISER, "round = 5", "round(N), N = 5"),
        (KAISER, "elector(koeln) = red", "elector(koeln,R,_,_), R = red"),
        (KAISER, "elector(koeln) = 15", "elector(koeln,_,N,_), N = 15"),
        (KAISER, "emperor(R), elector(koeln) = R", "emperor(R), elector(koeln,R,_,_)"),
        (KAISER, "power(koeln,red) > power(koeln,green)", "power(koeln,red,N), power(koeln,green,M), N > M"),
        (KAISER, "after(red,pass,thalers(red)) = 3", None),
        (KRONE, "points(red) > 3, castle(a1)", "points(red,N), N > 3, castle(a1)"),
        (STAUFER, "strength(red) = 2", "strength(_,red,N), N = 2"),
    ],
)  # fmt: skip
def test_the_corrected_query_is_suggested_and_can_be_read(
    game: Game, query: str, corrected: str | None
) -> None:
    with pytest.raises(WrongUsage) as caught:
        read_query(query, game.ruleset)
    if corrected is not None:
        assert str(caught.value).endswith(f": write {corrected}")
        read_query(corrected, game.ruleset)


@pytest.mark.parametrize("query", ["thalers(red,0) = 1", "emperor(red) = emperor(green)", "terminal = 1"])
def test_a_fact_without_a_value_has_no_corrected_query(query: str) -> None:
    with pytest.raises(WrongUsage, match="is a fact, which holds or does not, and no value: write"):
        read_query(query, KAISER.ruleset)
