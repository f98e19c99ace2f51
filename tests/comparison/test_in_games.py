"""Random games find positions in which two rulings differ."""

from __future__ import annotations

import pytest
from support.opened import heap

from kaiser_logic.comparison.compare import _pending, diverging_position


def test_a_different_result_is_found_at_the_end() -> None:
    found = diverging_position(heap(), heap(last_stone="loses"))
    assert found is not None
    assert found.actions == ()
    assert "phase(over)" in found.facts


def test_the_same_game_shows_no_difference() -> None:
    assert diverging_position(heap(), heap(), positions=40) is None


def test_rare_decisions_are_compared_after_the_positions_are_used_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """The end of a game is rarer than turns; the first position shows nothing."""
    first, second = heap(), heap(last_stone="loses")
    assert diverging_position(first, second, positions=1) is None
    monkeypatch.setattr("kaiser_logic.comparison.compare._SELDOM", 2)
    assert diverging_position(first, second, positions=1) is not None


def test_a_simultaneous_decision_is_a_pending_set_of_its_own() -> None:
    assert _pending(["heap(3)", "decision(red,turn)"]) == ("turn",)
    assert _pending(["decision(red,bid(2))", "decision(blue,bid(3))"]) == ("bid", "bid")
