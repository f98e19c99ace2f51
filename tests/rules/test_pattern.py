"""Unification of patterns."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kaiser_logic.rules.pattern import (
    Pattern,
    anonymous,
    anything,
    canonical,
    outermost,
    rename,
    show,
    substitute,
    unify,
    unify_all,
    variables,
)
from kaiser_logic.rules.reader import read_term


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
def test_unification(one: str, other: str, both: str | None) -> None:
    a, b = read_term(one), read_term(other)
    for x, y in ((a, b), (b, a)):
        binding = unify(x, y, {})
        assert (binding is None) == (both is None)
        if binding is not None:
            assert show(substitute(x, binding)) == show(substitute(y, binding)) == both


def test_an_earlier_binding_is_kept() -> None:
    binding = unify(read_term("X"), read_term("a"), {})
    assert binding is not None
    assert unify(read_term("X"), read_term("b"), binding) is None


def test_canonical_patterns_differ_in_more_than_names() -> None:
    assert canonical((read_term("f(X,Y)"),)) == canonical((read_term("f(B,A)"),))
    assert canonical((read_term("f(X,Y)"),)) != canonical((read_term("f(X,X)"),))
    assert canonical((("v", "A"), ("v", "B"))) == anything(2)
    assert anything(0) == ()


def test_parts_of_patterns() -> None:
    term = read_term("f(X,g(Y,X),_,a)")
    assert variables((term,)) == ["X", "Y", "_1"]
    assert [anonymous(a) for a in term[2]] == [False, False, True, False]
    assert [outermost(a) for a in (term, *term[2])] == [("f", 4), None, ("g", 2), None, ("a", 0)]


def test_what_is_deep_is_cut_off() -> None:
    term = read_term("f(f(f(f(f(f(f(a)))))))")
    (cut,) = canonical((substitute(term, {}),))
    assert show(cut) == "f(f(f(f(f(f(#0))))))"


TERMS = st.recursive(
    st.one_of(
        st.sampled_from("XYZ").map(lambda n: ("v", n)),
        st.sampled_from(["a", "b", "1"]).map(lambda t: ("c", t)),
    ),
    lambda inner: st.builds(
        lambda name, args: ("f", name, tuple(args)),
        st.sampled_from("fg"),
        st.lists(inner, min_size=1, max_size=3),
    ),
    max_leaves=6,
)


@given(TERMS)
def test_a_term_is_read_as_it_is_shown(term: Pattern) -> None:
    assert read_term(show(term)) == term


@given(TERMS, TERMS)
def test_what_unifies_is_equal_then(one: Pattern, other: Pattern) -> None:
    """With variables of their own; no deeper than what substitution follows."""
    (other,) = rename((other,), "2")
    binding = unify_all((one,), (other,), {})
    if binding is not None:
        assert substitute(one, binding) == substitute(other, binding)
    assert (binding is None) == (unify(other, one, {}) is None)


@given(TERMS, st.dictionaries(st.sampled_from("XYZ"), st.sampled_from(["a", "1"]), min_size=3))
def test_every_instance_unifies(term: Pattern, values: dict[str, str]) -> None:
    instance = substitute(term, {("v", name): ("c", value) for name, value in values.items()})
    assert variables((instance,)) == []
    assert unify(term, instance, {}) is not None
