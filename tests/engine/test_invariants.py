"""The invariants of a game, and those that a ruling waives."""

from __future__ import annotations

from pathlib import Path

from support.opened import changed, heap

from kaiser_logic.engine.invariants import GENERAL, invariants


def test_invariants_of_the_heap_game() -> None:
    found = invariants(heap().ruleset)
    assert found.every == tuple(sorted(found.every))
    assert {"heap_stated", "one_taker", "one_phase", "one_decision"} <= set(found.every)
    assert found.assumed == found.every
    assert not set(GENERAL) & set(found.every)


def test_a_waived_invariant_is_not_assumed(tmp_path: Path) -> None:
    game = changed(tmp_path, {"amount(1..3).": "amount(1..3). waived(one_taker)."})
    found = invariants(game.ruleset)
    assert found.waived == {"one_taker"}
    assert "one_taker" in found.every
    assert "one_taker" not in found.assumed
