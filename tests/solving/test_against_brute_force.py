"""The prover of :mod:`kaiser_logic.solving` agrees with brute force about tiny games and their mutants."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from support.judge import Judge, stratified
from support.mutants import NAMES, TINY, mutant

from kaiser_logic.errors import FaultyRulebook
from kaiser_logic.evaluation.evaluator import Evaluator
from kaiser_logic.game import Game, load
from kaiser_logic.solving import prover
from kaiser_logic.solving.rounds import Rounds

pytestmark = pytest.mark.by_hand


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", NAMES)
def test_all_claims_of_the_tiny_games_are_proved(name: str) -> None:
    rounds = Rounds(load(TINY / name).ruleset)
    rounds.run()
    assert [str(c) for c in rounds.claims.values() if c.status != "proved"] == []


@pytest.mark.slow
def test_examining_witnesses_singly_gives_the_same_verdicts(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Settings under which the prover treats each claim as a difficult one."""
    for name, value in (("TOGETHER", 1), ("EFFORTS", ()), ("SPLIT", 1), ("GROUPS", 2)):
        monkeypatch.setattr(prover, name, value)
    for name in NAMES:
        rounds = Rounds(load(TINY / name).ruleset)
        rounds.run()
        assert [str(c) for c in rounds.claims.values() if c.status != "proved"] == []
    test_no_false_claim_about_mutants_is_proved(0, tmp_path)


@pytest.mark.parametrize("seed", [0, *(pytest.param(n, marks=pytest.mark.slow) for n in range(1, 21))])
def test_no_false_claim_about_mutants_is_proved(seed: int, tmp_path: Path) -> None:
    seen, wrong = Counter[str](), []
    for name in NAMES:
        text = mutant(name, seed, tmp_path / name)
        try:
            game = load(tmp_path / name)
            if not stratified(game):
                continue
            judge = Judge(game)
        except (FaultyRulebook, RuntimeError):
            continue
        seen["mutants"] += 1
        rounds = Rounds(game.ruleset)
        rounds.run()
        alone: Judge | None = None
        for claim in rounds.claims.values():
            if not judge.knows(claim.claim):
                continue
            verdict = judge.verdict(claim.claim)
            seen[f"{claim.status}, {verdict}"] += 1
            # A game may break the claim after it has broken another one.
            in_play = any(e.is_reached for e in claim.counterexamples)
            if claim.status == "falls" and verdict == "kept" and not in_play:
                wrong.append((name, claim, text.done))
            if claim.status == "proved":  # a position that meets only the proved claims may not break it
                alone = alone or Judge(Game(Evaluator(game.ruleset.dropping(rounds.dropped))), exclusive=True)
                if alone.knows(claim.claim) and alone.verdict(claim.claim) == "broken":
                    wrong.append((name, claim, text.done))
    assert not wrong
    assert seen["mutants"] >= len(NAMES) // 2
    assert sum(n for found, n in seen.items() if found.startswith(("proved", "falls"))) >= len(NAMES)
    assert seen["falls, broken"] or seed
