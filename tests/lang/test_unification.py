"""Simple terms are unified, and patterns that differ only in names of variables are the same."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kaiser_logic.lang.algebra import variables
from kaiser_logic.lang.printer import show_term
from kaiser_logic.lang.terms import ANY, Fun, Term, Var
from kaiser_logic.lang.unification import (
    arguments,
    canonical,
    constant_term,
    functor,
    label,
    most_general,
    most_general_term,
    rename_all,
    resolve,
    resolve_to_depth,
    unify,
    unify_all,
)
from kaiser_logic.rules.reader import is_anonymous, read_term


@pytest.mark.parametrize(
    ("one", "other", "both"),
    [
        ("X", "a", "a"),
        ("f(X,b)", "f(a,Y)", "f(a,b)"),
        ("f(X,X)", "f(Y,a)", "f(a,a)"),
        ("f(X,g(X))", "f(a,Y)", "f(a,g(a))"),
        ("f(X,X)", "f(a,b)", None),
        ("f(X)", "f(X,Y)", None),
        ("f(X)", "g(X)", None),
        ("a", "f(a)", None),
        ("1", "2", None),
        ('"a"', "a", None),
    ],
)
def test_terms_unify_as_expected_in_both_orders(one: str, other: str, both: str | None) -> None:
    a, b = read_term(one), read_term(other)
    for x, y in ((a, b), (b, a)):
        binding = unify(x, y, {})
        assert (binding is None) == (both is None)
        if binding is not None:
            assert show_term(resolve(x, binding)) == show_term(resolve(y, binding)) == both


def test_an_earlier_binding_is_kept() -> None:
    binding = unify(read_term("X"), read_term("a"), {})
    assert binding is not None
    assert unify(read_term("X"), read_term("b"), binding) is None


def test_canonical_patterns_ignore_names_of_variables() -> None:
    assert canonical((read_term("f(X,Y)"),)) == canonical((read_term("f(B,A)"),))
    assert canonical((read_term("f(X,Y)"),)) != canonical((read_term("f(X,X)"),))
    assert canonical((Var("A"), Var("B"))) == most_general(2)
    assert most_general(0) == ()


def test_each_anonymous_variable_is_a_new_variable() -> None:
    both = Fun("f", (ANY, ANY))
    assert unify(both, read_term("f(1,2)"), {}) == {}
    assert unify(read_term("f(X,X)"), Fun("f", (ANY, read_term("a"))), {}) == {"X": read_term("a")}
    assert canonical((both,)) == canonical((read_term("f(X,Y)"),))
    assert rename_all((both,), "2") == (both,)


def test_parts_of_terms_are_found() -> None:
    term = read_term("f(X,g(Y,X),_,a)")
    assert variables(term) == ("X", "Y", "_1")
    assert [is_anonymous(a) for a in arguments(term)] == [False, False, True, False]
    assert [functor(a) for a in (term, *arguments(term))] == [("f", 4), None, ("g", 2), None, ("a", 0)]
    assert [label(a) for a in (term, *arguments(term))] == ["f", "X", "g", "_1", "a"]
    assert arguments(read_term("a")) == ()
    assert unify(term, most_general_term(("f", 4)), {}) is not None


def test_deep_terms_are_cut_off() -> None:
    term = read_term("f(f(f(f(f(f(f(a)))))))")
    (cut,) = canonical((resolve_to_depth(term, {}),))
    assert show_term(cut) == "f(f(f(f(f(f(#0))))))"


TERMS = st.recursive(
    st.one_of(
        st.sampled_from("XYZ").map(Var),
        st.sampled_from(["a", "b", "1", '"a"']).map(constant_term),
    ),
    lambda inner: st.builds(
        lambda name, args: Fun(name, tuple(args)),
        st.sampled_from("fg"),
        st.lists(inner, min_size=1, max_size=3),
    ),
    max_leaves=6,
)


@given(TERMS)
def test_a_printed_term_is_read_back(term: Term) -> None:
    assert read_term(show_term(term)) == term


@given(TERMS, TERMS)
def test_a_unifier_makes_both_terms_equal(one: Term, other: Term) -> None:
    """The two terms share no variable."""
    (other,) = rename_all((other,), "2")
    binding = unify_all((one,), (other,), {})
    if binding is not None:
        assert resolve(one, binding) == resolve(other, binding)
    assert (binding is None) == (unify(other, one, {}) is None)


@given(TERMS, st.dictionaries(st.sampled_from("XYZ"), st.sampled_from(["a", "1"]), min_size=3))
def test_a_term_unifies_with_each_of_its_instances(term: Term, values: dict[str, str]) -> None:
    instance = resolve(term, {name: constant_term(value) for name, value in values.items()})
    assert variables(instance) == ()
    assert unify(term, instance, {}) is not None
