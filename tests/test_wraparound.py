"""Calculations beyond 32 bits are seen in the ground program, whatever form they have."""

from pathlib import Path

import pytest
from support.tables import rows

from kaiser_logic.clingo import ground
from kaiser_logic.wraparound import find_wraparound

TABLE = Path(__file__).with_name("wraparound.cases")


@pytest.mark.parametrize("text", rows(TABLE, "beyond"))
def test_calculations_that_may_leave_32_bits_are_seen(text):
    control = ground(text, [])
    assert find_wraparound([text], control.symbolic_atoms) == text


@pytest.mark.parametrize("text", rows(TABLE, "within"))
def test_small_calculations_are_let_through(text):
    control = ground(text, [])
    assert find_wraparound([text], control.symbolic_atoms) is None
