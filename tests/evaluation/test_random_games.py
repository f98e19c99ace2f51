"""Actions with a number as an argument: candidates determine which numbers are possible."""

from pathlib import Path

import pytest
from support.heap_game import ACTION, variant
from support.rulebook_cases import changes

from kaiser_logic.batch.playing import play_games
from kaiser_logic.errors import NotDecided
from kaiser_logic.evaluation.random_games import Written
from kaiser_logic.game import Game, load

BETTING = changes("evaluation/betting")["BETTING"]


def betting(folder: Path, sorts: str = "number(N)", engine: str = "compiled") -> Game:
    """The heap game with points, in which a player can also bet the number of his points."""
    sorted_ = f"action(take,take(K)) :- amount(K).\naction(take,bet(N)) :- {sorts}."
    changes = {**BETTING, ACTION: sorted_}
    return load(variant(folder, changes), players=2, engine=engine)


@pytest.mark.parametrize("engine", ["compiled", "clingo"])
@pytest.mark.parametrize("sorts", ["number(N)", "number(N), N < 20"])
def test_listed_actions_are_legal(sorts, engine, tmp_path):
    position = betting(tmp_path, sorts, engine).initial()
    assert position.legal()["red"] == ("bet(0)", "take(1)", "take(2)", "take(3)")
    assert all(position.is_legal("red", action) for action in position.legal()["red"])
    after = position.apply({"red": "take(3)"}).apply({"green": "bet(0)"})
    assert "bet(3)" in after.legal()["red"]
    assert after.is_legal("red", "bet(3)")
    assert [v.rule for v in after.why("red", "bet(2)")] == ["bet"]
    wrong = {*(("bet(25)",) if "20" in sorts else ()), "bet(-3)", "bet(red)"}
    for action in wrong:
        assert [v.rule for v in after.why("red", action)] == ["action.unknown"]


@pytest.mark.slow
def test_batches_play_the_same_random_games(tmp_path):
    game = betting(tmp_path)
    expected = play_games(game.evaluator, 20, 1, jobs=1)
    batch = game.batch().play(20, seed=1)
    assert any("bet" in str(action) for action in expected.actions)
    assert dict(batch.actions) == dict(expected.actions)
    assert batch.points.tolist() == [list(points) for points in expected.points]


@pytest.mark.slow
@pytest.mark.parametrize("sorts", ["number(N)", "number(N), N < 20"])
def test_proofs_and_searches_include_such_actions(sorts, tmp_path):
    game = betting(tmp_path, sorts)
    report = game.prove(["decision_fits", "one_taker"])
    assert not any("is not what the rules say" in note for proof in report.proofs for note in proof.notes)
    assert game.find("points(red,2), legal(red,bet(2))")
    with pytest.raises(NotDecided, match="numbers without a limit were examined only up to"):
        game.find("points(red,2), legal(red,bet(1))")


def test_a_position_with_a_number_of_ten_digits_is_not_decided_in_another_process():
    with pytest.raises(NotDecided, match="more than 9 digits"):
        Written(("points(red,1000001999)",), ()).parse()
