"""The search for random games that support proofs has a limited effort for every rulebook."""

from __future__ import annotations

from itertools import count
from pathlib import Path
from random import Random

import pytest
from support.heap_game import CANDIDATE
from support.opened import changed
from support.proofs import report_on

from kaiser_logic.errors import NotDecided
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


@pytest.mark.slow
def test_an_illegal_action_in_the_list_is_reported(tmp_path: Path) -> None:
    """No game is played with it: verdicts that rest on such a game would be about other moves than the legal ones."""
    game = changed(
        tmp_path,
        {"amount(1..3).": "amount(1..3).\nmuch(1..4).", CANDIDATE: CANDIDATE.replace("amount", "much")},
    )
    assert "take(4)" in game.initial().legal()["red"] and not game.initial().is_legal("red", "take(4)")
    with pytest.raises(NotDecided, match=r"take\(4\) is listed as legal and breaks action.unknown"):
        for seed in range(20):
            list(random_game(game.evaluator, Random(seed)))
    found = report_on(game)
    assert all(p.status == "undecided" for p in found.proofs)
