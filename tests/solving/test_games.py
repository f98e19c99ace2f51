"""The search for random games that support proofs has a limited effort for every rulebook."""

from __future__ import annotations

from itertools import count
from pathlib import Path

import pytest
from support.heap_game import CANDIDATE
from support.opened import changed

from kaiser_logic.evaluation.random_games import random_game
from kaiser_logic.solving import games
from kaiser_logic.solving.questions import Setting

pytestmark = pytest.mark.by_hand


def test_the_search_ends_if_nobody_can_act(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = changed(tmp_path, {CANDIDATE: f"{CANDIDATE[:-1]}, heap(0)."})
    assert not any(game.initial().legal().values())
    played = count()

    def limited(*given: object) -> object:
        assert next(played) < 10_000
        return random_game(*given)  # type: ignore[arg-type]

    setting = Setting(game.ruleset)
    monkeypatch.setattr(games, "random_game", limited)
    evaluator, moves = setting.against
    found = games.sample_games(evaluator, setting.prover.theory, setting.prover.transitions, moves)
    assert not found.pairs
    assert next(played) > 1
