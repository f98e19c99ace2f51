"""A query is read back in English."""

from __future__ import annotations

import pytest

from kaiser_logic.errors import WrongUsage
from kaiser_logic.query.in_words import in_english
from kaiser_logic.rules.loader import rulebook


@pytest.mark.parametrize(
    ("game", "query", "words"),
    [
        ("kaiser", "emperor(red), thalers(red,N), N = 0", "Red is emperor, and Red has N thalers, and N is 0"),
        ("kaiser", "emperor(red) ; emperor(blue), round(2)", "Red is emperor, or (Blue is emperor, and it is round 2)"),
        ("kaiser", "held(R,rival,1), not aristocrat(_,R,_,_,_)",
         "R holds the rival, and it is not the case that R has a tile on an aristocrat space"),
        ("kaiser", "not (legal(red,A), A != pass)", "it is not the case that (A is legal for Red, and A is not pass)"),
        ("kaiser", "count{E : elector(E,red,_,_)} >= 2",
         "the number of E such that (Red has the elector of E) is at least 2"),
        ("kaiser", "decision(_,turn), points(red,N), points(green,M), N >= M+100",
         "it is somebody's turn, and Red has N points, and Green has M points, and N is at least M plus 100"),
        ("kaiser", "aristocrat(koeln,red,G,K,N)", "Red has N K of G on aristocrat spaces of Köln"),
        ("staufer", "rank(G,R,1), rank(G,_,4)", "R is the first in G, and there is a number 4 in G"),
        ("vive", "hand(_,_,3)", "somebody has a card in hand (hand(_,_,3))"),
        ("kaiser", "elector(_,R,G,_), G > 15", "R has an elector (elector(_,R,G,_)), and G is more than 15"),
        ("kaiser", "legal(red,pass)", "it is legal that Red passes"),
        ("kaiser", "violates(R,pass,Rule)", "it would break the rule Rule that R passes"),
        ("kaiser", "after(red,A,thalers(red,0))", "after Red does A: Red has 0 thalers"),
        ("kaiser", "terminal, winner(R), goal(R,N)", "the game is over, and R is ahead or has won, and R has reached N"),
        ("krone", "max{N : visit(_,N)} = 2", "the largest N such that (a papal visit lies before somebody (visit(_,N))) is 2"),
        ("staufer", "can_deploy(R,_,_)", "R can take a seat now, and pay for it"),
    ],
)  # fmt: skip
def test_queries_have_the_expected_words(game: str, query: str, words: str) -> None:
    assert in_english(query, rulebook(game)) == words


def test_an_unknown_predicate_is_refused() -> None:
    with pytest.raises(WrongUsage, match="did you mean 'power'"):
        in_english("powr(E,R,N)", rulebook("kaiser"))
