"""Readings that part in random games."""

from __future__ import annotations

import pytest
from support.limits import NO_END
from support.opened import heap

from kaiser_logic.comparison import in_games
from kaiser_logic.comparison.compare import compare
from kaiser_logic.comparison.in_games import parted
from kaiser_logic.game import load


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


@pytest.mark.parametrize(
    ("ruling", "value", "action"),
    [
        ("raise_must_lead", "no", "add("),
        ("duel_card", "any", "card(noble("),
        ("defence_from", "structure", "add("),
        ("ear_tie", "all", "card("),
    ],
)
@pytest.mark.long
def test_rulings_of_a_game_with_too_much_to_list(ruling: str, value: str, action: str) -> None:
    """Each is told apart by a position that a game reaches, and what is done there."""
    first, second = load("vive", players=3), load("vive", players=3, options={ruling: value})
    (difference,) = compare(first, second, timeout=NO_END)
    assert difference.how in ("legality", "outcome")
    assert difference.position is not None
    assert difference.actions[0][1].startswith(action)
    assert not difference.position.broken()
