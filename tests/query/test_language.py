"""Queries are parsed and printed anew, so no text of a user reaches a program. Errors are explained."""

from __future__ import annotations

import pytest

from kaiser_logic.errors import UnreadableInput, WrongUsage
from kaiser_logic.game import load
from kaiser_logic.lang.printer import show
from kaiser_logic.lang.terms import Atom
from kaiser_logic.query.language import parse_query

BOOK = load("kaiser").book


def rule(query: str) -> str:
    """The only rule that a query becomes."""
    (found,) = parse_query(query, BOOK).values(Atom("query", ()))
    return show(found)


def test_literals_are_printed_in_a_standard_form() -> None:
    assert rule("held(R,rival,1), not aristocrat(_,R,_,_,_), count{E : elector(E,R,_,_)} >= 7.") == (
        "query :- held(R,rival,1); not aristocrat(_,R,_,_,_); 7 <= #count { E: elector(E,R,_,_) }."
    )


def test_a_variable_only_under_not_becomes_anonymous() -> None:
    assert rule("not acting(R)") == "query :- not acting(_)."


def test_rule_ids_become_strings_and_comparisons_are_kept() -> None:
    found = rule("violates(red,buy(pope,hold),actions.buy.thalers), thalers(red,N), N >= 0, N+1 < 2")
    assert found.startswith('query :- violates(red,buy(pope,hold),"actions.buy.thalers"); ')
    assert found.endswith("; N >= 0; (N+1) < 2.")


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
def test_unreadable_text_is_refused(text: str) -> None:
    with pytest.raises(UnreadableInput):
        parse_query(text, BOOK)


@pytest.mark.parametrize("text", ["foo(R)", "emperor(R,S)", "due(income)", "N > 3", "submitted(R,A)"])
def test_unknown_and_internal_predicates_are_refused(text: str) -> None:
    with pytest.raises(WrongUsage):
        parse_query(text, BOOK)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("powr(E,red,N)", "column 1: kaiser knows no powr; did you mean 'power'?"),
        (
            "emperor(R),\n  elecor(E,R,_,_)",
            "line 2, column 3: kaiser knows no elecor; did you mean 'elector'?",
        ),
        (
            "tied_to(R)",
            "column 1: kaiser knows no tied_to; did you mean 'tied'? Near it are also tile_of, tile_fact, time. "
            "'kaiser-logic rules kaiser --names' lists what a query can ask for",
        ),
        ("xyzzy(R)", "column 1: kaiser knows no xyzzy. 'kaiser-logic rules kaiser --names' lists what"),
        (
            "emperor(R,S)",
            "column 1: emperor has 1 argument in kaiser, not 2: write emperor(R) (R is emperor)",
        ),
        ("after(R,A,emprer(R))", "column 1: kaiser knows no emprer; did you mean 'emperor'?"),
        ("after(R,A,F)", "column 1: after(R,A,FACT) needs a fact such as decision(R,D)"),
        ("Emperor(R)", "column 8: did not expect '(' here"),
        ("emperor(R) or emperor(S)", "column 12: did not expect 'or' here: either/or is written ';'"),
        ("emperor(R) and acting(R)", "column 12: did not expect 'and' here: 'and' is written ','"),
        ("emperor(R) | acting(R)", "column 12: cannot read '|' here: either/or is written ';'"),
        ("elector(köln,R,_,_)", "column 10: cannot read 'öl' here: names have no umlauts, e.g. koeln"),
        ("round(N), N == 3", "column 14: did not expect '=' here"),
        ("count{E : elector(E,_,_,_) > 3", "column 31: the query ends too early: '}' is missing"),
        ("not (emperor(R)", "column 16: the query ends too early: ')' is missing"),
        ("sum{N : power(E,red,M)} > 3", "nothing in sum{...} says what N is"),
        ("thalers(red,N), N > _", "_ cannot be compared or calculated with"),
    ],
)
def test_errors_explain_what_is_wrong(text: str, message: str) -> None:
    with pytest.raises((UnreadableInput, WrongUsage)) as raised:
        parse_query(text, BOOK)
    assert str(raised.value).startswith(message)


def test_queries_can_ask_for_static_facts() -> None:
    query = parse_query("spaces(E,aristocrat,N), archbishopric(E), ruling(convent_by_choice,no)", BOOK)
    assert [a.name for a in query.stated] == ["spaces", "archbishopric", "ruling"]


def test_stated_atoms_are_told_apart() -> None:
    query = parse_query("emperor(R), not acting(R), (round(1) ; not (round(2), acting(Q)))", BOOK)
    assert [a.name for a in query.stated] == ["emperor", "round"]
    assert {a.name for a in query.atoms} == {"emperor", "acting", "round"}
