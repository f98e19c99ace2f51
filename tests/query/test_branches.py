"""Queries with alternatives become rules, and each rule binds its own variables."""

from __future__ import annotations

import pytest

from kaiser_logic.errors import WrongUsage
from kaiser_logic.game import load
from kaiser_logic.lang.printer import show
from kaiser_logic.lang.terms import Atom
from kaiser_logic.query.language import parse_query
from kaiser_logic.query.program import MOST

BOOK = load("kaiser").book


def rules(query: str) -> list[str]:
    """The rules that a query to kaiser becomes."""
    return list(map(show, parse_query(query, BOOK).values(Atom("query", ()))))


def test_each_combination_of_alternatives_becomes_a_rule() -> None:
    found = rules("emperor(R), (round(1) ; round(2), (acting(R) ; finished(R)))")
    assert found == [
        "query :- emperor(R); round(1).",
        "query :- emperor(R); round(2); acting(R).",
        "query :- emperor(R); round(2); finished(R).",
    ]


def test_too_many_alternatives_are_refused() -> None:
    every = ", ".join(["(round(1) ; round(2))"] * 7)
    assert len(parse_query(every, BOOK).branches) == 2**7 <= MOST
    with pytest.raises(WrongUsage, match="more than 200 alternatives"):
        parse_query(f"{every}, (round(3) ; round(4))", BOOK)


def test_each_alternative_binds_its_own_variables() -> None:
    with pytest.raises(WrongUsage, match="says what N is"):
        parse_query("(thalers(red,N) ; emperor(red)), N > 3", BOOK)
    assert rules("(thalers(red,N) ; votes(red,N)), N > 3")[1] == "query :- votes(red,N); N > 3."


def test_a_term_takes_the_place_of_its_variable() -> None:
    """Then only actions of this form are tried."""
    (rule,) = rules("legal(red,A), A = buy(C,_), not violates(green,A,_)")
    assert rule == "query :- legal(red,buy(C,_V0)); not violates(green,buy(C,_V0),_)."
    (rule,) = rules("legal(red,A), held(red,C,_), age(G), A = buy(C,age(red,throne,G,G))")
    assert "A = buy(C,age(red,throne,G,G))" in rule


def test_a_term_within_a_negation_is_compared() -> None:
    found = rules("legal(red,A), not (legal(green,A), A = buy(C,_), held(red,C,_))")
    assert found == [
        "query :- legal(red,A); 0 = #count { 1: legal(green,A), A = buy(C,_), held(red,C,_) }.",
    ]


def test_a_maximum_as_a_value_is_an_element_without_a_larger_one() -> None:
    (rule,) = rules("N = max{M : thalers(_,M)}, N > 4")
    assert rule == "query :- N > 4; thalers(_,_V0); N = _V0; 0 = #count { 1: thalers(_,M), M > N }."


def test_a_compared_maximum_needs_no_search_for_the_largest_element() -> None:
    assert rules("max{M : points(_,M)} > 4") == ["query :- 0 < #count { 1: points(_,M), M > 4 }."]
    assert rules("3 >= min{M : points(_,M)}") == ["query :- 0 < #count { 1: points(_,M), M <= 3 }."]
    assert rules("min{M : points(_,M)} > 4") == ["query :- 0 = #count { 1: points(_,M), M <= 4 }."]


def test_an_aggregate_within_a_negation_gets_a_rule_of_its_own() -> None:
    found = rules("not (emperor(R), thalers(R,N), count{E : elector(E,R,_,_)} > N)")
    assert found == [
        "query__0(N,R) :- emperor(R); thalers(R,N); N < #count { E: elector(E,R,_,_) }.",
        "query :- 0 = #count { 1: emperor(R), thalers(R,N), query__0(N,R) }.",
    ]


def test_new_variables_of_inner_and_outer_rules_differ() -> None:
    """The value of the inner maximum has another name than that of the outer one."""
    found = rules("N = max{M : thalers(_,M)}, not (points(R,K), K + 1 > max{M : points(_,M)} * 2)")
    inner = next(rule for rule in found if rule.startswith("query :- "))
    assert inner.count("_V0") == 2


def test_many_parts_without_a_common_variable_get_rules_of_their_own() -> None:
    """Their instances would be multiplied in one rule."""
    found = rules("emperor(A), acting(B), thalers(A,N), N > 3, finished(C), not round(1), tied(D)")
    assert found == [
        "query__apart0 :- acting(B).",
        "query__apart1 :- emperor(A); thalers(A,N); N > 3.",
        "query__apart2 :- finished(C).",
        "query__apart3 :- not round(1).",
        "query__apart4 :- tied(D).",
        "query :- query__apart0; query__apart1; query__apart2; query__apart3; query__apart4.",
    ]


@pytest.mark.parametrize("query", ["M = count{E : elector(E,R,_,_), points(R,N)}, N = M+1, N > 2"])
def test_a_variable_that_nothing_binds_is_refused(query: str) -> None:
    with pytest.raises(WrongUsage, match="nothing in the query says"):
        parse_query(query, BOOK)
