"""Which literal binds what: as clingo sees it."""

from __future__ import annotations

import pytest
from support.programs import GIVEN, answers, program

from kaiser_logic.lang.modes import binds, bound_by, unsafe
from kaiser_logic.lang.normal import normal_program
from kaiser_logic.lang.reader import read, read_body

# a literal, what is bound, and what it binds then; None where it cannot be evaluated
BINDS: list[tuple[str, str, str | None]] = [
    ("p(X,f(Y))", "X", "Y"),
    ("not p(X,_)", "", None),
    ("not p(X,_)", "X", ""),
    ("X = Y", "Y", "X"),
    ("f(X,Z) = Y", "Y", "XZ"),
    ("X != Y", "Y", None),
    ("X = Y+Z", "YZ", "X"),
    ("X = Y+Z", "XZ", "Y"),
    ("X = Y-Z", "XY", "Z"),
    ("X = Y*Z", "XY", None),
    ("X = -Y", "X", "Y"),
    ("X = Y..Z", "YZ", "X"),
    ("X = Y..Z", "XY", None),
    ("N = #sum { X : p(X,Y) }", "", "N"),
    ("N < #sum { X : p(X,Y) }", "", None),
    ("N = #sum { X : p(X,S) }", "", None),
    ("N = #sum { X : p(X,S) }", "S", "N"),
]


@pytest.mark.parametrize(("text", "bound", "expected"), BINDS)
def test_what_a_literal_binds(text: str, bound: str, expected: str | None) -> None:
    (literal,) = read_body(text)
    found = binds(literal, set(bound), {"S"})
    assert found == (None if expected is None else set(expected))


def test_in_the_best_order() -> None:
    literals = read_body("Z = Y+1, Y = X+1, p(X), not q(W), V = Z+W")
    assert bound_by(literals) == {"X", "Y", "Z"}


@pytest.mark.parametrize("block", range(5))
def test_what_is_safe_is_so_for_clingo(block: int) -> None:
    both = 0
    for seed in range(40 * block, 40 * block + 40):
        text = program(seed)
        safe = not any(map(unsafe, normal_program(read(text))))
        accepted = answers(text, GIVEN) is not None
        both += safe and accepted
    assert both > 10
