"""Simple terms are unified, and patterns that differ only in names of variables are the same."""

import pytest
from support.tables import rows

from kaiser_logic.lang.algebra import variables
from kaiser_logic.lang.printer import show_term
from kaiser_logic.lang.terms import ANY, Fun, Var
from kaiser_logic.lang.unification import (
    arguments,
    canonical,
    functor,
    label,
    most_general,
    most_general_term,
    rename_all,
    resolve,
    resolve_to_depth,
    unify,
)
from kaiser_logic.rules.reader import is_anonymous, read_term


@pytest.mark.parametrize(("one", "other", "both"), rows("lang/lang", "unify"))
def test_terms_unify_as_expected_in_both_orders(one, other, both):
    a, b = read_term(one), read_term(other)
    for x, y in ((a, b), (b, a)):
        binding = unify(x, y, {})
        assert (binding is None) == (both == "-")
        if binding is not None:
            assert show_term(resolve(x, binding)) == show_term(resolve(y, binding)) == both


def test_canonical_patterns_ignore_names_of_variables():
    assert canonical((read_term("f(X,Y)"),)) == canonical((read_term("f(B,A)"),))
    assert canonical((read_term("f(X,Y)"),)) != canonical((read_term("f(X,X)"),))
    assert canonical((Var("A"), Var("B"))) == most_general(2)
    assert most_general(0) == ()


def test_each_anonymous_variable_is_a_new_variable():
    both = Fun("f", (ANY, ANY))
    assert unify(both, read_term("f(1,2)"), {}) == {}
    assert unify(read_term("f(X,X)"), Fun("f", (ANY, read_term("a"))), {}) == {"X": read_term("a")}
    assert canonical((both,)) == canonical((read_term("f(X,Y)"),))
    assert rename_all((both,), "2") == (both,)


def test_parts_of_terms_are_found():
    term = read_term("f(X,g(Y,X),_,a)")
    assert variables(term) == ("X", "Y", "_1")
    assert [is_anonymous(a) for a in arguments(term)] == [False, False, True, False]
    assert [functor(a) for a in (term, *arguments(term))] == [("f", 4), None, ("g", 2), None, ("a", 0)]
    assert [label(a) for a in (term, *arguments(term))] == ["f", "X", "g", "_1", "a"]
    assert arguments(read_term("a")) == ()
    assert unify(term, most_general_term(("f", 4)), {}) is not None


def test_deep_terms_are_cut_off():
    term = read_term("f(f(f(f(f(f(f(a)))))))")
    (cut,) = canonical((resolve_to_depth(term, {}),))
    assert show_term(cut) == "f(f(f(f(f(f(#0))))))"
