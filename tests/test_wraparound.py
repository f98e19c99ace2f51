"""Calculations beyond 32 bits are seen in the ground program, whatever form they have."""

import pytest
from support.tables import rows

from kaiser_logic.clingo import ground
from kaiser_logic.wraparound import find_wraparound


@pytest.mark.parametrize("text", rows("wraparound", "beyond"))
def test_calculations_that_may_leave_32_bits_are_seen(text):
    control = ground(text, [])
    assert find_wraparound([text], control.symbolic_atoms) == text


@pytest.mark.parametrize("text", rows("wraparound", "within"))
def test_small_calculations_are_let_through(text):
    control = ground(text, [])
    assert find_wraparound([text], control.symbolic_atoms) is None
