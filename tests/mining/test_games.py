"""Positions of random games: reproducible, legal, from every start."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from support import mined
from support.heap_game import variant

from kaiser_logic.errors import NotDecided
from kaiser_logic.evaluation.evaluator import evaluator_of
from kaiser_logic.game import load
from kaiser_logic.mining.queries import Facts, positions, sorts_of, starts


def played(name: str, games: int = 6, seed: int = 1, jobs: int = 1) -> list[Facts]:
    game = mined.game(name)
    sorts = sorts_of(game.ruleset)
    return positions([game.evaluator], sorts, games, seed, time.monotonic() + 60, jobs)


def test_positions_are_reachable() -> None:
    found = played("nim")
    assert len(found) == len(set(found)) > 6
    assert set(found) <= mined.positions("nim")


def test_positions_include_the_start() -> None:
    assert mined.game("nim").evaluator.initial() in played("nim", games=1)


@pytest.mark.slow
def test_positions_depend_on_the_seed_only() -> None:
    assert played("bank", games=9) == played("bank", games=9, jobs=2)
    assert played("bank", games=9) != played("bank", games=9, seed=2)


def test_games_begin_at_every_start(tmp_path: Path) -> None:
    game = load(variant(tmp_path, mined.TAGGED))
    evaluators = [evaluator_of(c) for c in starts(game.ruleset).configurations]
    found = positions(evaluators, sorts_of(game.ruleset), 2, 1, time.monotonic() + 60, 1)
    assert {e.initial() for e in evaluators} <= set(found)
    assert len({e.initial() for e in evaluators}) == 2


def test_timeout_decides_nothing() -> None:
    game = mined.game("nim")
    with pytest.raises(NotDecided, match="too short"):
        positions([game.evaluator], sorts_of(game.ruleset), 2, 1, time.monotonic() - 1, 1)
