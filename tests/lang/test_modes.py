"""The variables that a literal binds are those that clingo finds, and so are the unsafe rules."""

from __future__ import annotations

from contextlib import suppress

import pytest
from support.programs import GIVEN, answers, program

from kaiser_logic.lang.modes import binds, bound_by, unbound, unsafe
from kaiser_logic.lang.normal import normal
from kaiser_logic.lang.reader import read_body, read_rule, read_rules
from kaiser_logic.lang.terms import Refused

# a literal, the variables that are bound before, and those that it binds then; None where it cannot be evaluated
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
    ("X = Y*3", "X", "Y"),
    ("X = 0*Y", "X", None),
    ("X = -Y", "X", "Y"),
    ("X = Y..Z", "YZ", "X"),
    ("X = Y..Z", "XY", None),
    ("N = #sum { X : p(X,Y) }", "", "N"),
    ("N < #sum { X : p(X,Y) }", "", None),
    ("N = #sum { X : p(X,S) }", "", None),
    ("N = #sum { X : p(X,S) }", "S", "N"),
]


@pytest.mark.parametrize(("text", "bound", "expected"), BINDS)
def test_a_literal_binds_the_expected_variables(text: str, bound: str, expected: str | None) -> None:
    (literal,) = read_body(text)
    found = binds(literal, set(bound), {"S"})
    assert found == (None if expected is None else set(expected))


def test_literals_bind_variables_in_any_order() -> None:
    literals = read_body("Z = Y+1, Y = X+1, p(X), not q(W), V = Z+W")
    assert bound_by(literals) == {"X", "Y", "Z"}


@pytest.mark.parametrize("block", range(5))
def test_random_programs_with_unbound_variables_are_unsafe_for_clingo(block: int) -> None:
    refused = 0
    for seed in range(40 * block, 40 * block + 40):
        text = program(seed)
        try:
            found = any(map(unbound, read_rules(text)))
        except Refused:  # a division by 0
            continue
        assert found == (answers(text, GIVEN) is None), text
        refused += found
    assert refused


UNBOUND = {
    "p(X) :- q(Y), not X != Y.": (),
    "p(X) :- q(Y), not not X = Y.": (),
    "p(X) :- q(Y), not X = Y.": ("X",),
    "p(X) :- q(2*X+1).": (),
    "p(X) :- q(0*X).": ("X",),
    "p(X) :- q(X*X).": ("X",),
    "p(_) :- q.": ("_",),
    "p(X) :- q(X), not r(_,X), not X+_ = 2.": ("_",),
    "p :- #count { X : q(X), Y > 1 } > 0.": ("Y",),
    "p(N) :- not not N = #count { X : q(X) }.": ("N",),
    "p(N) :- N+1 = #count { X : q(X) }.": (),
    "p :- q(X,Y) : r(X).": (),
    "p :- not q(X,Y) : r(X).": ("Y",),
    "p :- Y > 1 : r(X).": ("Y",),
}


@pytest.mark.parametrize("text", UNBOUND)
def test_rules_with_unbound_variables_are_unsafe_for_clingo(text: str) -> None:
    assert unbound(read_rule(text)) == UNBOUND[text]
    assert (answers(text, "q. q(1..3). r(1). r(1,1). q(1,1).") is None) == bool(UNBOUND[text])


@pytest.mark.parametrize("seed", range(60))
def test_the_normal_form_of_a_safe_rule_is_safe(seed: int) -> None:
    for rule in read_rules(program(seed)):
        with suppress(Refused):  # a division by 0
            if not unbound(rule):
                assert not any(map(unsafe, normal(rule)))
