"""Random games for proofs: sought by effort, whatever the rulebook."""

from __future__ import annotations

from itertools import count
from pathlib import Path

import pytest
from support.opened import changed

from kaiser_logic.proof import sample
from kaiser_logic.symbolic.domains import domains
from kaiser_logic.symbolic.transitions import transitions

ENUMERATION = "question(R,take(K))          :- decision(R,take), amount(K)."


def test_games_in_which_nobody_can_do_anything_are_not_played_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = changed(tmp_path, {ENUMERATION: f"{ENUMERATION[:-1]}, heap(0)."})
    assert not any(game.initial().legal().values())
    played, games = count(), sample.random_game

    def limited(*given: object) -> object:
        assert next(played) < 10_000
        return games(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(sample, "random_game", limited)
    found = transitions(game.ruleset, domains(game.ruleset))
    assert not sample.sampled(game.evaluator, found, every=True).pairs
    assert next(played) > 1
