"""Readings that part in random games."""

from __future__ import annotations

import pytest
from support.limits import NO_END
from support.opened import heap

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


@pytest.mark.parametrize(
    ("ruling", "value", "action"),
    [
        ("raise_must_lead", "no", "done"),
        ("duel_card", "any", "card(noble("),
        ("defence_from", "structure", "add("),
    ],
)
@pytest.mark.slow
def test_rulings_of_a_game_with_too_much_to_list(ruling: str, value: str, action: str) -> None:
    """Each is told apart by a position that a game reaches, and what is done there."""
    first, second = load("vive"), load("vive", options={ruling: value})
    (difference,) = compare(first, second, timeout=NO_END)
    assert difference.how in ("legality", "outcome")
    assert difference.position is not None
    assert difference.actions[0][1].startswith(action)
    assert not difference.position.broken()
