"""Rules with ranges have the same meaning for compiled rules, for batches and for clingo."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.heap_game import variant

from kaiser_logic.batch.playing import play_games
from kaiser_logic.engine.compiled.code_cache import code_of_rule
from kaiser_logic.game import Game, load
from kaiser_logic.lang.printed import Printed
from kaiser_logic.lang.reader import read_rule
from kaiser_logic.linting.lint import lint

BODIES = {
    "K != 2..3": [],
    "not K = 2..3": [],
    "K < 2..3": [3],
    "not K < 2..3": [1],
    "not not K = 2..3": [1],
    "not K != 2..3": [1],
    "K = 2..3": [1],
    "K = 2..3 < N, N < 13": [1],
    "1 < K = 2..9": [1],
    "1 < K <= N": [1],
    "1 <= K < 2..3 <= N": [3],
    "not 1 < K < 9": [2, 3],
    "#count{ 1 : K != 2..3 } = 1": [],
    "not taken(R,3..5), K = 2": [1, 3],
    "not taken(_,3..5), K = 2": [1, 3],
    "not taken(R,K..3)": [],
    "not heap(N..N+1), K = 2": [1, 3],
    "heap(N..N+1), K = 2": [1, 3],
    "#count{ 1 : not taken(R,3..5) } = 1, K = 2": [1, 3],
    "not ruling(last_stone,1..2)": [],
    "not taken(R,3..5) : K = 2": [],
    "K != 2..3 : heap(12)": [],
    "taken(Q,1..12) : player(Q); K = 1": [1, 2, 3],
    "|K-3| = 1": [1, 3],
    "K = (1;3)": [2],
}
"""Bodies of a rule that forbids taking K of N stones, and the numbers that are legal at the start."""


def forbidding(folder: Path, body: str, engine: str = "compiled") -> Game:
    """The heap game with one more rule that forbids actions."""
    enough = "holds_at_least(1..N)         :- heap(N), N > 0."
    rule = f'violates(R,take(K),"take.enough") :- candidate(R,take(K)), heap(N); {body}.'
    return load(variant(folder, {enough: f"{enough}\n{rule}"}), players=2, engine=engine)


@pytest.mark.sample(3)
@pytest.mark.parametrize("body", BODIES)
def test_both_engines_agree(body: str, tmp_path: Path) -> None:
    games = []
    for engine in ("compiled", "clingo"):
        (tmp_path / engine).mkdir()
        games.append(forbidding(tmp_path / engine, body, engine))
    position, other = (game.initial() for game in games)
    assert position.legal() == other.legal()
    assert position.legal().get("red", ()) == tuple(f"take({k})" for k in BODIES[body])
    for k in (1, 2, 3):
        assert (
            position.is_legal("red", f"take({k})")
            == other.is_legal("red", f"take({k})")
            == (k in BODIES[body])
        )
    while any((legal := position.legal()).values()):
        ((role, actions),) = legal.items()
        assert other.legal() == legal
        position, other = position.apply({role: actions[-1]}), other.apply({role: actions[-1]})


@pytest.mark.slow
@pytest.mark.sample(4)
@pytest.mark.parametrize("body", ["K < 2..3", "not K < 2..3", "1 < K = 2..9", "not taken(_,3..5), K = 2"])
def test_batches_agree(body: str, tmp_path: Path) -> None:
    pytest.importorskip("llvmlite")
    game = forbidding(tmp_path, body)
    position = game.initial()
    assert game.batch().legal([position]) == [position.legal()]
    assert dict(game.batch().play(20, seed=1).actions) == dict(
        play_games(game.evaluator, 20, 1, jobs=1).actions
    )


@pytest.mark.parametrize("body", [body for body in BODIES if "|" not in body])
def test_ranges_are_compiled(body: str) -> None:
    text = f'violates(R,take(K),"x") :- candidate(R,take(K)); heap(N); {body.replace(", ", "; ")}.'
    assert code_of_rule(Printed.from_rule(read_rule(text)), ("violates", 3))


def test_lint_accepts_chains_of_comparisons(tmp_path: Path) -> None:
    """This was an internal error."""
    forbidding(tmp_path, "1 < K = 2..9, not taken(R,3..5)")
    assert not [finding for finding in lint(tmp_path / "heap") if finding.what in ("slow", "error")]
