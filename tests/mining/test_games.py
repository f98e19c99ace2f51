"""Positions of random games: reproducible, legal, from every start."""

from __future__ import annotations

from pathlib import Path

from support import mined
from support.heap_game import variant

from kaiser_logic.evaluation.evaluator import evaluator_of
from kaiser_logic.game import load
from kaiser_logic.mining.candidates import Facts
from kaiser_logic.mining.miner import positions, starts


def played(name: str, games: int = 6, seed: int = 1) -> set[Facts]:
    return set(positions([mined.game(name).evaluator], games, seed))


def test_positions_are_reachable() -> None:
    found = played("nim")
    assert len(found) > 6
    assert found <= mined.positions("nim")


def test_positions_include_the_start() -> None:
    assert mined.game("nim").evaluator.initial() in played("nim", games=1)


def test_positions_depend_on_the_seed_only() -> None:
    assert played("bank") == played("bank")
    assert played("bank") != played("bank", seed=2)


def test_games_begin_at_every_start(tmp_path: Path) -> None:
    evaluators = [evaluator_of(c) for c in starts(load(variant(tmp_path, mined.TAGGED)).ruleset)[0]]
    found = set(positions(evaluators, 2, 1))
    assert {e.initial() for e in evaluators} <= found
    assert len({e.initial() for e in evaluators}) == 2
