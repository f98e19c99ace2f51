"""The variables that a literal binds are those that clingo finds, and so are the unsafe rules."""

from contextlib import suppress

import pytest
from support.programs import GIVEN, answers, program
from support.tables import rows

from kaiser_logic.lang.modes import binds, bound_by, unbound, unsafe
from kaiser_logic.lang.normal import normal
from kaiser_logic.lang.reader import read_body, read_rule, read_rules
from kaiser_logic.lang.terms import Refused


@pytest.mark.parametrize(("text", "bound", "expected"), rows("lang/lang", "binds"))
def test_a_literal_binds_the_expected_variables(text, bound, expected):
    (literal,) = read_body(text)
    found = binds(literal, set(bound) - {"-"}, {"S"})
    assert found == (None if expected == "none" else set(expected) - {"-"})


def test_literals_bind_variables_in_any_order():
    literals = read_body("Z = Y+1, Y = X+1, p(X), not q(W), V = Z+W")
    assert bound_by(literals) == {"X", "Y", "Z"}


@pytest.mark.parametrize("block", range(5))
def test_random_programs_with_unbound_variables_are_unsafe_for_clingo(block):
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


@pytest.mark.parametrize(("text", "variables"), rows("lang/lang", "unbound"))
def test_rules_with_unbound_variables_are_unsafe_for_clingo(text, variables):
    assert ("".join(unbound(read_rule(text))) or "-") == variables
    assert (answers(text, "q. q(1..3). r(1). r(1,1). q(1,1).") is None) == (variables != "-")


@pytest.mark.parametrize("seed", range(60))
def test_the_normal_form_of_a_safe_rule_is_safe(seed):
    for rule in read_rules(program(seed)):
        with suppress(Refused):  # a division by 0
            if not unbound(rule):
                assert not any(map(unsafe, normal(rule)))
