"""Rules with ranges have the same meaning for compiled rules, for batches and for clingo."""

from pathlib import Path

import pytest
from support.heap_game import variant
from support.tables import rows

from kaiser_logic.batch.playing import play_games
from kaiser_logic.game import Game, load
from kaiser_logic.linting.lint import lint


def forbidding(folder: Path, body: str, engine: str = "compiled") -> Game:
    """The heap game with one more rule that forbids actions."""
    enough = "holds_at_least(1..N)         :- heap(N), N > 0."
    rule = f'violates(R,take(K),"take.enough") :- candidate(R,take(K)), heap(N); {body}.'
    return load(variant(folder, {enough: f"{enough}\n{rule}"}), players=2, engine=engine)


@pytest.mark.sample(3)
@pytest.mark.parametrize(("body", "legal"), rows("engine/compiled/compiled", "range"))
def test_both_engines_agree(body, legal, tmp_path):
    games = []
    for engine in ("compiled", "clingo"):
        (tmp_path / engine).mkdir()
        games.append(forbidding(tmp_path / engine, body, engine))
    position, other = (game.initial() for game in games)
    assert position.legal() == other.legal()
    assert position.legal().get("red", ()) == tuple(f"take({k})" for k in legal.replace("-", "").split())
    for k in (1, 2, 3):
        assert position.is_legal("red", f"take({k})") == other.is_legal("red", f"take({k})") == (str(k) in legal)
    while any((now := position.legal()).values()):
        ((role, actions),) = now.items()
        assert other.legal() == now
        position, other = position.apply({role: actions[-1]}), other.apply({role: actions[-1]})


@pytest.mark.slow
@pytest.mark.sample(4)
@pytest.mark.parametrize("body", ["K < 2..3", "not K < 2..3", "1 < K = 2..9", "not taken(_,3..5), K = 2"])
def test_batches_agree(body, tmp_path):
    pytest.importorskip("llvmlite")
    game = forbidding(tmp_path, body)
    position = game.initial()
    assert game.batch().legal([position]) == [position.legal()]
    assert dict(game.batch().play(20, seed=1).actions) == dict(play_games(game.evaluator, 20, 1, jobs=1).actions)


def test_lint_accepts_chains_of_comparisons(tmp_path):
    """This was an internal error."""
    forbidding(tmp_path, "1 < K = 2..9, not taken(R,3..5)")
    assert not [finding for finding in lint(tmp_path / "heap") if finding.what in ("slow", "error")]
