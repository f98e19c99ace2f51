"""Queries: what they can say, and that nothing of a stranger's text reaches a program."""

from __future__ import annotations

import pytest

from kaiser_logic.errors import UnreadableInput, WrongUsage
from kaiser_logic.game import load
from kaiser_logic.query.language import parse_query

BOOK = load("kaiser").book


def test_literals_are_rebuilt() -> None:
    query = parse_query("held(R,rival,1), not aristocrat(_,R,_,_,_), count{E : elector(E,R,_,_)} >= 7.", BOOK)
    assert query.literals == (
        "held(R,rival,1)",
        "not aristocrat(_,R,_,_,_)",
        "7 <= #count { E : elector(E,R,_,_) }",
    )
    assert query.facts == ("held(R,rival,1)",)


def test_a_variable_only_under_not_means_anybody() -> None:
    assert parse_query("not acting(R)", BOOK).body == "not acting(_)"


def test_rules_and_comparisons() -> None:
    query = parse_query(
        "violates(red,buy(pope,hold),actions.buy.thalers), thalers(red,N), N >= 0, N+1 < 2", BOOK
    )
    assert query.literals[0] == 'violates(red,buy(pope,hold),"actions.buy.thalers")'
    assert query.literals[2:] == ("N >= 0", "(N+1) < 2")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "held(R",
        "#script (lua) os.exit() #end.",
        "held(R,rival,1) :- emperor(R)",
        "thalers(red,1..99999999)",
        "points(red,99999999999)",
        "@call(1) = 1",
        '"text"',
        "(" * 5000,
        "emperor(R), " * 2000,
        "\x00",
    ],
)
def test_what_is_no_query_is_refused(text: str) -> None:
    with pytest.raises(UnreadableInput):
        parse_query(text, BOOK)


@pytest.mark.parametrize("text", ["foo(R)", "emperor(R,S)", "next(income)", "N > 3", "submitted(R,A)"])
def test_what_cannot_be_asked_is_refused(text: str) -> None:
    with pytest.raises(WrongUsage):
        parse_query(text, BOOK)
