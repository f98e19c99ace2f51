"""Random games, played one after the other."""

from __future__ import annotations

from collections import Counter

import pytest
from support.heap_positions import heap

from kaiser_logic.batch import playout as module
from kaiser_logic.batch.playing import play_games
from kaiser_logic.batch.playout import Stream, choose_actions, ending, playout, record
from kaiser_logic.errors import NotDecided
from kaiser_logic.game import load
from kaiser_logic.records.checking import check


@pytest.mark.slow
def test_games_do_not_depend_on_how_many_are_played() -> None:
    evaluator = heap().evaluator
    few, many = play_games(evaluator, 3, 7, jobs=1), play_games(evaluator, 20, 7, jobs=2)
    assert few.points == many.points[:3]
    assert few.decided == many.decided[:3]
    assert len(many) == 20
    assert len(set(many.decided)) > 3
    assert play_games(evaluator, 20, 8, jobs=1).decided != many.decided


def test_actions_are_counted_by_role() -> None:
    results = play_games(heap().evaluator, 10, 1, jobs=1)
    assert set(results.actions) == {("red", "take/1"), ("green", "take/1")}
    assert results.actions["red", "take/1"] == sum(row[0] for row in results.decided)
    assert all(row[-1] == 0 for row in results.decided), "chance decides nothing in this game"


@pytest.mark.slow
def test_records_of_games_are_legal() -> None:
    game = load("kaiser", players=2, edition="it")
    results = play_games(game.evaluator, 2, 5, jobs=1)
    found = record(game.evaluator, 5, 1)
    assert check(found).ok
    assert Counter(move.role for move in found.moves) == Counter(
        {role: n for role, n in zip(("red", "green", "chance"), results.decided[1], strict=True) if n}
    )
    assert found.tag("Result") == " ".join(
        s for s, won in zip(game.seats, results.winners[1], strict=True) if won
    )


def test_chance_follows_the_weights() -> None:
    position = load("krone", players=2).initial()
    given = position.weights()
    total = sum(given.values())
    counted = Counter(str(choose_actions(position, Stream(1, n))["chance"]) for n in range(2_000))
    for action, weight in given.items():
        expected = 2_000 * weight / total
        assert abs(counted[action] - expected) < 5 * expected**0.5


def test_players_choose_uniformly() -> None:
    position = heap().initial()
    counted = Counter(str(choose_actions(position, Stream(2, n))["red"]) for n in range(900))
    assert set(counted) == set(position.legal()["red"])
    assert all(abs(n - 300) < 75 for n in counted.values())


def test_a_game_that_does_not_end_is_not_decided(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LONGEST", 3)
    with pytest.raises(NotDecided, match="game 0 of seed 1 has not ended after 3 moments"):
        list(playout(heap().evaluator, 1, 0))


def test_an_end_without_a_result_is_not_decided() -> None:
    with pytest.raises(NotDecided, match="a game has stopped without a result"):
        ending(heap().initial(), {}, "a game")
