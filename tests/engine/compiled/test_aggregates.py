"""Aggregates need no set of tuples if no tuple can occur twice. With or without a set, their values are those of clingo."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.constructs import atoms
from support.tables import rows

from kaiser_logic.engine.compiled.source import source
from kaiser_logic.engine.compiled.values import LARGE, TooLargeToCompile
from kaiser_logic.lang.reader import read_rule


@pytest.mark.parametrize(("tuples", "aggregate"), rows("engine/compiled/compiled", "aggregate"))
def test_only_tuples_that_can_repeat_are_collected_in_a_set(tuples, aggregate):
    rule = f"p(N) :- N = {aggregate}."
    text, _ = source(read_rule(rule), ("p", 1))
    assert ("x1 = 0" in text) is (tuples == "once") is not ("x1 = set()" in text), text
    ground, joined = atoms(rule)
    assert joined == ground != set()


def test_a_variable_that_is_bound_outside_has_one_value():
    rule = "p(X,N) :- a(X), N = #sum { 1,Y : b(X,Y) }."
    text, _ = source(read_rule(rule), ("p", 2))
    assert "set()" not in text
    ground, joined = atoms(rule)
    assert joined == ground
    assert "p(1,2)" in joined
    inner, _ = source(read_rule("p(N) :- N = #sum { 1,Y : b(X,Y) }."), ("p", 1))
    assert inner.count("set()") == 1


def test_sums_that_are_too_large_are_left_to_clingo():
    facts = " ".join(f"a({LARGE - k})." for k in range(12))
    with pytest.raises(TooLargeToCompile):
        atoms("p(N) :- N = #sum { X : a(X) }.", facts)


TERM = st.sampled_from(["X", "Y", "Z", "1", "x", "0-X", "X+1", "X-Y", "f(X)", "f(Y,x)"])
LITERAL = st.sampled_from(
    ["a(X)", "a(Z)", "b(X,Y)", "b(X,_)", "b(Z,x)", "c(f(X,Y),_)", "s((X,Y))", "e", "not a(X)", "X < Y"]
)
ELEMENT = st.tuples(st.lists(TERM, min_size=1, max_size=3), st.lists(LITERAL, min_size=1, max_size=3))


def safe(element: tuple[list[str], list[str]]) -> bool:
    """Whether a positive literal of the condition, or the body of the rule, binds each variable."""
    terms, condition = element
    binding = " ".join(x for x in condition if not x.startswith("not") and "<" not in x)
    return all(v in binding for v in "YZ" if v in " ".join((*terms, *condition)))


@given(
    st.sampled_from("XV"), st.sampled_from(["#sum", "#count"]), st.lists(ELEMENT.filter(safe), min_size=1, max_size=3)
)
def test_random_aggregates_have_the_values_of_clingo(other, function, elements):
    """With a second variable outside, the same value is asked for several times."""
    inside = " ; ".join(f"{','.join(terms)} : {', '.join(condition)}" for terms, condition in elements)
    ground, joined = atoms(f"p(X,{other},N) :- a(X), a({other}), N = {function} {{ {inside} }}.")
    assert joined == ground
