"""What the prover of :mod:`kaiser_logic.solving` says of tiny games and their mutants, against brute force."""

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
"""What the claim ``exclusive`` says, which the judge does not know: where it is proved, other proofs may rest on it."""


class Exclusive(Judge):
    """A judge who looks only at positions in which what is pending is part of one transition."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        swapped = (_LIMIT.sub(lambda m: f"{m[1]} > {m[2]}", body_of(r)) for r in self.sums)
        extra = [f"exceeds_{k} :- {body}." for k, body in enumerate(swapped)]
        self.plain = Plain(game, 5, extra=extra, more=_ONE_AT_A_TIME)


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", NAMES)
def test_all_claims_of_the_tiny_games_are_proved(name: str) -> None:
    rounds = Rounds(load(TINY / name).ruleset)
    rounds.run()
    assert [str(c) for c in rounds.claims.values() if c.status != "proved"] == []


@pytest.mark.slow
def test_witness_by_witness_the_same_is_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """As if every claim were hard."""
    for name, value in (("TOGETHER", 1), ("EFFORTS", ()), ("SPLIT", 1), ("GROUPS", 2)):
        monkeypatch.setattr(prover, name, value)
    for name in NAMES:
        rounds = Rounds(load(TINY / name).ruleset)
        rounds.run()
        assert [str(c) for c in rounds.claims.values() if c.status != "proved"] == []
    test_nothing_false_is_proved_of_mutants(0, 7, tmp_path)


@pytest.mark.parametrize(
    ("first", "many"),
    [
        (0, 3),
        pytest.param(0, 7, marks=pytest.mark.slow),
        *(pytest.param(n, 7, marks=pytest.mark.slow) for n in range(1000, 1140, 7)),
    ],
)
def test_nothing_false_is_proved_of_mutants(first: int, many: int, tmp_path: Path) -> None:
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
            in_play = any(e.is_reached for e in claim.counterexamples)  # whatever else is broken there
            if claim.status == "falls" and verdict == "kept" and not in_play:
                wrong.append((seed, text.name, claim, text.done))
            if claim.status == "proved":  # from all positions that meet what is proved
                alone = alone or Exclusive(Game(Evaluator(game.ruleset.dropping(rounds.dropped))))
                if alone.knows(claim.claim) and alone.verdict(claim.claim) == "broken":
                    wrong.append((seed, text.name, claim, text.done))
    assert not wrong
    assert seen["mutants"] >= many // 2
    assert sum(n for found, n in seen.items() if found.startswith(("proved", "falls"))) >= many
    assert seen["falls, broken"] or first or many < 7
