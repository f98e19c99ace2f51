"""Readings that part in random games."""

from __future__ import annotations

import pytest
from support.opened import heap

from kaiser_logic.comparison import in_games
from kaiser_logic.comparison.in_games import parted


def test_a_result() -> None:
    found = parted(heap(), heap(last_stone="loses"))
    assert found is not None
    assert found.actions == ()
    assert "phase(over)" in found.facts


def test_nothing_where_nothing_differs() -> None:
    assert parted(heap(), heap(), positions=40) is None


def test_rare_decisions_are_looked_at_where_no_more_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """The end of a game is rarer than turns; the first position shows nothing."""
    first, second = heap(), heap(last_stone="loses")
    assert parted(first, second, positions=1) is None
    monkeypatch.setattr(in_games, "_SELDOM", 2)
    assert parted(first, second, positions=1) is not None


def test_who_decides_together_decides_more_seldom() -> None:
    assert in_games._pending(["heap(3)", "decision(red,turn)"]) == ("turn",)
    assert in_games._pending(["decision(red,bid(2))", "decision(blue,bid(3))"]) == ("bid", "bid")
