"""Substitution, unification, matching and renaming apart obey their laws on random terms and rules."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.normal_forms import show_program
from support.programs import GIVEN, answers, program

from kaiser_logic.lang.algebra import (
    Fresh,
    integers,
    is_ground,
    names,
    rename_apart,
    rename_predicates,
    substitute,
    substitute_term,
    variables,
    variables_outside,
    walk,
)
from kaiser_logic.lang.printer import show
from kaiser_logic.lang.reader import read_rule, read_rules, read_term
from kaiser_logic.lang.terms import Fun, Int, Name, Term, Text, Var
from kaiser_logic.lang.unification import match, resolve, unify

LEAVES = st.one_of(
    st.sampled_from(["X", "Y", "Z"]).map(Var),
    st.sampled_from([0, 1]).map(Int),
    st.sampled_from(["a", "b"]).map(Name),
    st.just(Text("a")),
)
TERMS: st.SearchStrategy[Term] = st.recursive(
    LEAVES,
    lambda inner: st.builds(Fun, st.sampled_from(["f", "g", ""]), st.lists(inner, min_size=1, max_size=3).map(tuple)),
    max_leaves=6,
)
BINDINGS = st.dictionaries(st.sampled_from(["X", "Y", "Z"]), TERMS, max_size=3)


@given(TERMS, TERMS)
def test_a_unifier_makes_both_terms_equal(one, other):
    found = unify(one, other)
    assert (found is None) == (unify(other, one) is None)
    if found is not None:
        assert resolve(one, found) == resolve(other, found)
        again = resolve(one, found)
        assert resolve(again, found) == again


@given(TERMS, BINDINGS)
def test_terms_with_a_common_instance_are_unified(term, binding):
    """The unifier is the most general one: the common instance is an instance of its result."""
    apart = substitute_term(term, {name: Var(f"{name}1") for name in "XYZ"})
    instance = substitute_term(term, binding)
    found = unify(apart, instance)
    assert found is not None
    assert resolve(apart, found) == resolve(instance, found)
    assert match(resolve(apart, found), instance) is not None


@given(TERMS, BINDINGS)
def test_a_term_matches_each_of_its_instances(term, binding):
    instance = substitute_term(term, binding)
    found = match(term, instance)
    assert found is not None
    assert substitute_term(term, found) == instance
    assert set(found) == set(variables(term))


@given(TERMS, TERMS)
def test_a_match_turns_the_pattern_into_the_term(pattern, term):
    found = match(pattern, term)
    if found is not None:
        assert substitute_term(pattern, found) == term
        assert unify(substitute_term(pattern, {name: Var(f"{name}1") for name in "XYZ"}), term) is not None


@given(TERMS, BINDINGS, BINDINGS)
def test_substitutions_are_composed(term, one, other):
    both = {**other, **{name: substitute_term(value, other) for name, value in one.items()}}
    assert substitute_term(substitute_term(term, one), other) == substitute_term(term, both)


def test_a_term_is_never_part_of_itself():
    assert unify(read_term("X"), read_term("f(X)")) is None
    assert unify(read_term("g(X,Y)"), read_term("g(f(Y),f(X))")) is None
    assert unify(read_term("f(_,_)"), read_term("f(X,g(X))")) == {}


def test_terms_with_arithmetic_are_refused():
    with pytest.raises(ValueError, match="only simple terms"):
        unify(read_term("X+1"), read_term("2"))
    with pytest.raises(ValueError, match="only simple terms"):
        match(read_term("f(X+1)"), read_term("f(2)"))


def test_substitution_captures_no_variable():
    rule = read_rule("p(X) :- q(X), N = #count { Y : r(X,Y,Y1) }, s(Z) : t(Z,X).")
    assert variables_outside(rule) == ("X", "N")
    found = substitute(rule, {"X": read_term("f(Y,Z)"), "N": Int(2), "Z": Int(7)})
    assert show(found) == "p(f(Y,Z)) :- q(f(Y,Z)); 2 = #count { Y2: r(f(Y,Z),Y2,Y1) }; s(Z1): t(Z1,f(Y,Z))."


def test_a_rule_is_renamed_apart():
    rule = read_rule("p(X,X1) :- q(X,X1,_), not #sum { Y : r(Y) } > X.")
    assert show(rename_apart(rule, Var("Y"), read_term("f(X)"))) == (
        "p(X2,X1) :- q(X2,X1,_); not X2 < #sum { Y1: r(Y1) }."
    )
    assert rename_apart(rule, Var("Z")) == rule


@pytest.mark.parametrize("seed", range(60))
def test_renamed_rules_have_the_same_answers(seed):
    rules = read_rules(program(seed))
    others = tuple(rename_apart(rule, rule) for rule in rules)
    assert all(set(variables(one)).isdisjoint(variables(other)) for one, other in zip(rules, others, strict=True))
    assert answers(show_program(others), GIVEN) == answers(show_program(rules), GIVEN)


def test_predicates_are_renamed_everywhere():
    rule = read_rule("p(p) :- p(X;2), not p(p(1)), #count { Y : p(Y), p } > 0, p(Z) : p(Z).")
    assert show(rename_predicates(rule, {("p", 1): "q"})) == (
        "q(p) :- q(X;2); not q(p(1)); 0 < #count { Y: q(Y), p }; q(Z): q(Z)."
    )


def test_fresh_variables_are_new():
    fresh = Fresh(read_rule("p(V1,V3) :- q(V1,V3)."))
    assert [fresh.take().name for _ in range(3)] == ["V2", "V4", "V5"]
    assert fresh.take("X").name == "X1"


def test_names_integers_and_parts_of_a_rule_are_found():
    rule = read_rule('p(f(X),-3) :- q(a,_), 2 < #count { Y,b : r(Y), not s("t",1..4) }, u : v(g(Z)).')
    assert names(rule) == ("p", "f", "X", "q", "a", "_", "Y", "b", "r", "s", "v", "g", "Z", "u")
    assert integers(rule) == {-3, 1, 2, 4}
    assert not is_ground(rule)
    assert is_ground(read_rule('p(f(a),-3) :- q("X"), not r(1..2).'))
    assert [x for x in walk(read_term("f(a,g(X))")) if isinstance(x, Var)] == [Var("X")]
