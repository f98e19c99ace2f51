"""Claims about positions of games whose positions are known in part: as if the heap game had too much to be listed."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.opened import changed

from kaiser_logic.game import Game
from kaiser_logic.symbolic import kept

pytestmark = pytest.mark.slow

CLAIMS = (
    "never phase(play), phase(over)",
    "never took(red), took(green)",
    "never heap(N), N > 12",
    "never heap(1), taken(red,11)",
    "never taken(green,2)",
    "never heap(12)",
    "never heap(2), legal(R,take(3))",
    "never decision(R,take), phase(over)",
    "some heap(5), taken(green,2)",
    "some heap(5), taken(green,8)",
)


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Game:
    monkeypatch.setattr(kept, "_TOO_MANY", 1)
    return changed(tmp_path, {})


def test_what_is_said_is_what_is_said_of_whole_positions_or_less(
    game: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = {p.statement: p for p in game.prove(claims=CLAIMS, jobs=1).proofs}
    assert [*found] == [*CLAIMS]
    monkeypatch.setattr(kept, "_TOO_MANY", 100_000)
    (tmp_path / "whole").mkdir()
    whole = changed(tmp_path / "whole", {}).prove(claims=CLAIMS, jobs=1)
    for proof in whole.proofs:
        partly = found[proof.statement]
        assert partly.status in (proof.status, "undecided")
        assert partly.notes or partly.status != "undecided"
    said = {c: p.status for c, p in found.items()}
    assert {said[CLAIMS[k]] for k in (0, 1)} == {"proved"}
    assert {said[CLAIMS[k]] for k in (4, 5)} == {"falls"}
    assert said[CLAIMS[6]] == "undecided"
    assert found[CLAIMS[4]].counterexamples[0].actions


def test_invariants_are_asked_along(game: Game) -> None:
    proofs = game.prove(["one_taker"], claims=["never took(red), took(green)"], jobs=1).proofs
    assert [(p.claim, p.status) for p in proofs] == [("one_taker", "proved"), ("claim", "proved")]


def test_a_claim_that_a_move_breaks_is_not_decided(game: Game) -> None:
    """True, and no game shows otherwise; but what is listed of a position does not say so."""
    (proof,) = game.prove(claims=["never heap(11), taken(red,11)"], jobs=1).proofs
    assert proof.status == "undecided"
    assert "may break it" in proof.notes[0]
    assert not proof.counterexamples


def test_what_games_show_of_some_position_is_proved(game: Game) -> None:
    first, second = game.prove(
        claims=["some phase(over)", "some heap(3), took(red), taken(red,9)"], jobs=1
    ).proofs
    assert first.status == "proved"
    assert second.status in ("proved", "undecided")
    assert "--reachable" in "".join(second.notes) or second.status == "proved"
