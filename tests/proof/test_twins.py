"""One predicate for two that have the same rules, and for no others."""

from __future__ import annotations

import pytest

from kaiser_logic.proof.twins import shared

pytestmark = pytest.mark.slow


def test_predicates_with_the_same_rules_are_one() -> None:
    lines = [
        "p(X) :- q(X).",
        "p__0(X) :- q(X).",
        "r(X) :- p(X); s(X).",
        "r__0(X) :- p__0(X); s(X).",
        "end :- r__0(_).",
    ]
    assert list(shared(lines, 0, ())) == ["p(X) :- q(X).", "r(X) :- p(X); s(X).", "end :- r(_)."]


@pytest.mark.parametrize(
    "other",
    [
        ["p__0(X) :- q(X); t(X)."],
        ["p__0(X) :- q(X).", "p__0(X) :- t(X)."],
        ["p__0(X) :- q(X).", "{ p(X) : t(X) }."],
        ["p__0(X) :- q(X).", "p(1..2)."],
        ["p__0(X) :- q(X).", "even :- not odd.", "odd :- not even."],
        ["p__0(X) :- q(X); not u__0(X).", "u__0(X) :- q(X); not p__0(X).", "u(X) :- q(X); not p(X)."],
    ],
)
def test_others_are_not(other: list[str]) -> None:
    lines = ["p(X) :- q(X).", *other, "r(X) :- p(X).", "r__0(X) :- p__0(X)."]
    assert set(shared(lines, 0, ())) == set(lines)


def test_what_recursion_through_not_lets_differ_is_not_made_one() -> None:
    lines = [f"{a}{s} :- not {b}{s}." for s in ("", "__0") for a, b in (("p", "u"), ("u", "p"))]
    assert set(shared(lines, 0, ())) == set(lines)
