"""Readings that part in random games."""

from __future__ import annotations

import pytest
from support.opened import heap

from kaiser_logic.comparison.compare import _pending, diverging_position


def test_a_result() -> None:
    found = diverging_position(heap(), heap(last_stone="loses"))
    assert found is not None
    assert found.actions == ()
    assert "phase(over)" in found.facts


def test_nothing_where_nothing_differs() -> None:
    assert diverging_position(heap(), heap(), positions=40) is None


def test_rare_decisions_are_looked_at_where_no_more_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """The end of a game is rarer than turns; the first position shows nothing."""
    first, second = heap(), heap(last_stone="loses")
    assert diverging_position(first, second, positions=1) is None
    monkeypatch.setattr("kaiser_logic.comparison.compare._SELDOM", 2)
    assert diverging_position(first, second, positions=1) is not None


def test_who_decides_together_decides_more_seldom() -> None:
    assert _pending(["heap(3)", "decision(red,turn)"]) == ("turn",)
    assert _pending(["decision(red,bid(2))", "decision(blue,bid(3))"]) == ("bid", "bid")
