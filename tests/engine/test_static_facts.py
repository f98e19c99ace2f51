"""A program gets only the static facts that its rules can match."""

from __future__ import annotations

import pytest

from kaiser_logic.engine import symbols
from kaiser_logic.engine.grounding import StaticFacts
from kaiser_logic.rules.loader import parse_rules

BORDERS = [f"border(f{i},f{i + 1})" for i in range(20)]
FEW = ["seat(red,1)", "seat(green,2)"]
FACTS = StaticFacts({
    ("border", 2): tuple(map(symbols.read_symbol, BORDERS)),
    ("seat", 2): tuple(map(symbols.read_symbol, FEW)),
})  # fmt: skip


def static(text: str) -> list[str]:
    """The static facts that a program of these rules gets, as texts."""
    return list(map(symbols.text, FACTS.complete(tuple(parse_rules(text))).static))


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ("near(X) :- border(f3,X).", ["border(f3,f4)"]),
        ("near(X) :- border(X,f4), not border(f7,X).", ["border(f3,f4)", "border(f7,f8)"]),
        ("near(N) :- N = #count{ X : border(f5,X) }.", ["border(f5,f6)"]),
        ("near(X,Y) :- border(X,Y).", BORDERS),
        ("near(X) :- border(X,_), border(f2,X).", BORDERS),
        ("near(X) :- border(X,X).", []),
        ("turn(R) :- seat(R,1).", FEW),
        ("turn(R) :- heap(R).", []),
    ],
)
def test_a_program_gets_the_facts_that_match(rule: str, expected: list[str]) -> None:
    """If a predicate has only a few facts, the program gets them all, since selecting costs more."""
    assert static(rule) == expected


def test_static_predicates_are_not_inputs() -> None:
    program = FACTS.complete(tuple(parse_rules("a(R) :- seat(R,I), heap(I), not b(R). b(R) :- heap(R).")))
    assert program.inputs == {("heap", 1), ("b", 1)}
