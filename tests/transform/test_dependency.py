"""Predicates that depend on changed predicates are found."""

from __future__ import annotations

import pytest

from kaiser_logic.rules.loader import parse_rules
from kaiser_logic.transform.dependency import Dependence

RULES = parse_rules(
    """
    a :- b. c :- not a. d :- N = #sum { V: c, e(V) }, N > 1. f(X) :- e(X): a. loop :- loop.
    add(p(X,1)) :- a, e(X). add(q) :- a. add(r(1;2)). del(s(X)) :- e(X).
    """
)


@pytest.mark.parametrize(
    ("changed", "affected"),
    [
        ("b/0", "a/0 add/1 b/0 c/0 d/0 f/1"),
        ("c/0", "c/0 d/0"),
        ("e/1", "add/1 d/0 del/1 e/1 f/1"),
        ("e/2", "e/2"),
        ("loop/0", "loop/0"),
        ("", ""),
    ],
)
def test_all_predicates_that_depend_on_a_changed_one_are_affected(changed: str, affected: str) -> None:
    signatures = [(s[:-2], int(s[-1])) for s in changed.split()]
    found = Dependence(RULES).predicates_affected(signatures)
    assert sorted(f"{name}/{arity}" for name, arity in found) == affected.split()


def test_stated_dependencies_replace_those_of_the_rules() -> None:
    dependence = Dependence(RULES)
    dependence.state(("c", 0), {("z", 0)})
    assert ("c", 0) not in dependence.predicates_affected([("b", 0)])
    assert ("d", 0) in dependence.predicates_affected([("z", 0)])
