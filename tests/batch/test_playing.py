"""Random games, played one after the other."""

from collections import Counter

import pytest
from support.heap_game import heap

from kaiser_logic.batch import playout as module
from kaiser_logic.batch.playing import Results, RuleCount, mean, occurrences, play_games, share, summary
from kaiser_logic.batch.playout import GameOutcome, Stream, choose_actions, ending, playout
from kaiser_logic.errors import NotDecided
from kaiser_logic.evaluation.evaluator import Evaluator
from kaiser_logic.game import load


@pytest.mark.slow
def test_games_do_not_depend_on_how_many_are_played():
    evaluator = heap().evaluator
    few, many = play_games(evaluator, 3, 7, jobs=1), play_games(evaluator, 20, 7, jobs=2)
    assert few.points == many.points[:3]
    assert few.decided == many.decided[:3]
    assert len(many) == 20
    assert len(set(many.decided)) > 3
    assert play_games(evaluator, 20, 8, jobs=1).decided != many.decided


def test_chance_follows_the_weights():
    position = load("krone", players=2).initial()
    given = position.weights()
    total = sum(given.values())
    counted = Counter(str(choose_actions(position, Stream(1, n))["chance"]) for n in range(2_000))
    for action, weight in given.items():
        expected = 2_000 * weight / total
        assert abs(counted[action] - expected) < 5 * expected**0.5


def test_a_game_that_does_not_end_is_not_decided(monkeypatch):
    monkeypatch.setattr(module, "LONGEST", 3)
    with pytest.raises(NotDecided, match="game 0 of seed 1 has not ended after 3 moments"):
        list(playout(heap().evaluator, 1, 0))


def test_an_end_without_a_result_is_not_decided():
    with pytest.raises(NotDecided, match="a game has stopped without a result"):
        ending(heap().initial(), {}, "a game")


# Confidence intervals and summaries.
def test_wilson_intervals_of_textbooks():
    """0 of 20, and 81 of 263 (Newcombe 1998: 0.2553 to 0.3662)."""
    assert (share(0, 20).low, round(share(0, 20).high, 4)) == (0.0, 0.1611)
    assert (round(share(81, 263).low, 4), round(share(81, 263).high, 4)) == (0.2553, 0.3662)


def test_intervals_of_means():
    assert mean([5]) == mean([5, 5, 5])
    found = mean([0, 10] * 50)
    assert found.value == 5
    assert found.high - found.value == pytest.approx(1.96 * 5.0252 / 10, abs=1e-3)


def test_summary_of_three_games():
    evaluator = heap().evaluator
    ends = [
        GameOutcome((3, 1), (True, False), (2, 2, 0)),
        GameOutcome((2, 2), (True, True), (3, 2, 1)),
        GameOutcome((0, 0), (False, False), (4, 4, 0)),
    ]
    found = summary(Results.collect(evaluator, 1, ends, {("green", "take/1"): 8, ("red", "take/1"): 9}))
    assert (found.games, found.draws, found.shortest, found.longest) == (3, 1, 4, 8)
    red, green = found.seats
    assert (red.wins, red.alone, green.wins, green.alone) == (2, 1, 1, 0)
    assert (red.share.value, green.share.value) == (0.5, pytest.approx(1 / 6))
    assert (red.points.value, green.decisions.value) == (pytest.approx(5 / 3), pytest.approx(8 / 3))
    assert found.length.value == 6
    assert found.actions == (("red", "take/1", 9), ("green", "take/1", 8))


# How often rules occur, compared with a count by hand of the same games.
def by_hand(evaluator: Evaluator, games: int, seed: int) -> list[RuleCount]:
    """Occurrences in the heap game: each decision takes and passes on; with fewer than three stones a rule forbids something."""
    counts: Counter[str] = Counter()
    for number in range(games):
        short = 0
        for position, taken in playout(evaluator, seed, number):
            left = next(s.arguments[0].number for s in position.symbols if s.name == "heap")
            counts["take"] += len(taken)
            short += bool(taken) and left < 3
        counts["enough"] += short
        counts["games"] += short > 0
    return [
        RuleCount("take", counts["take"], 0, games),
        RuleCount("take.enough", 0, counts["enough"], counts["games"]),
        RuleCount("pass_on", counts["take"], 0, games),
    ]


@pytest.mark.parametrize("jobs", [1, 2])
def test_occurrences_agree_with_a_count_by_hand(jobs):
    evaluator = heap().evaluator
    progress: list[str] = []
    found = occurrences(evaluator, 11, 5, jobs, progress.append)
    assert found == by_hand(evaluator, 11, 5)
    assert 0 < found[1].games < 11, "some games have the rule and some do not"
    assert progress[-1] == "rules: 11/11"
