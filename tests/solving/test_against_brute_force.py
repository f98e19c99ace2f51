"""The prover of :mod:`kaiser_logic.solving` agrees with brute force about tiny games and their mutants."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from support.judge import _LIMIT, Judge, stratified
from support.mutants import NAMES, TINY, mutant
from support.plain import Plain, body_of

from kaiser_logic.errors import FaultyRulebook
from kaiser_logic.evaluation.evaluator import Evaluator
from kaiser_logic.game import Game, load
from kaiser_logic.solving import prover
from kaiser_logic.solving.rounds import Rounds

_ONE_AT_A_TIME = """
:- h(due(_),0), h(decision(_,_),0).
:- h(decision(_,D),0), h(decision(_,E),0), name_of(D,N), name_of(E,M), N < M.
:- h(decision(R,D),0), h(decision(Q,E),0), (R,D) < (Q,E), name_of(D,N), not simultaneous(N).
"""
"""The claim ``exclusive``, on which other proofs may rest and which the judge does not assume."""


class Exclusive(Judge):
    """A judge of positions in which all pending decisions and steps belong to one transition."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        exceeded = (_LIMIT.sub(lambda m: f"{m[1]} > {m[2]}", body_of(r)) for r in self.sums)
        extra = [f"exceeds_{k} :- {body}." for k, body in enumerate(exceeded)]
        self.plain = Plain(game, 5, extra=extra, more=_ONE_AT_A_TIME)


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
    test_no_false_claim_about_mutants_is_proved(0, 7, tmp_path)


@pytest.mark.parametrize(
    ("first", "many"),
    [
        (0, 3),
        pytest.param(0, 7, marks=pytest.mark.slow),
        *(pytest.param(n, 7, marks=pytest.mark.slow) for n in range(1000, 1140, 7)),
    ],
)
def test_no_false_claim_about_mutants_is_proved(first: int, many: int, tmp_path: Path) -> None:
    seen, wrong = Counter[str](), []
    for seed in range(first, first + many):
        text = mutant(seed, tmp_path / str(seed))
        try:
            game = load(tmp_path / str(seed))
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
            in_play = any(
                e.is_reached for e in claim.counterexamples
            )  # although other claims may be broken there
            if claim.status == "falls" and verdict == "kept" and not in_play:
                wrong.append((seed, text.name, claim, text.done))
            if claim.status == "proved":  # a position that meets only the proved claims may not break it
                alone = alone or Exclusive(Game(Evaluator(game.ruleset.dropping(rounds.dropped))))
                if alone.knows(claim.claim) and alone.verdict(claim.claim) == "broken":
                    wrong.append((seed, text.name, claim, text.done))
    assert not wrong
    assert seen["mutants"] >= many // 2
    assert sum(n for found, n in seen.items() if found.startswith(("proved", "falls"))) >= many
    assert seen["falls, broken"] or first or many < 7
