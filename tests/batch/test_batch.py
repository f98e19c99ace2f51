"""Many positions at once: every answer equals that of the engine for single positions."""

from itertools import pairwise
from pathlib import Path

import pytest
from support import NAMES, TINY
from support.batches import moments, same_disturbed, same_games, same_positions
from support.heap_game import after, changed, heap
from support.rulebook_cases import entries

pytest.importorskip("llvmlite")

from kaiser_logic.errors import WrongUsage
from kaiser_logic.evaluation.verdict import IllegalMove
from kaiser_logic.game import load
from kaiser_logic.records.checking import check

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("name", NAMES)
def test_tiny_games_agree_with_the_engine(name):
    game = load(TINY / name)
    assert same_positions(game, 20)
    same_games(game, 60)
    assert same_disturbed(game, 20)


@pytest.mark.parametrize("entry", entries(Path(__file__).with_name("unusual.cases")), ids=lambda entry: entry.head)
def test_unusual_rulebooks_agree_with_the_engine(entry, tmp_path):
    game = changed(tmp_path, entry.lines)
    assert same_positions(game, 10) > 30
    same_games(game, 100)


@pytest.mark.parametrize(("players", "last_stone"), [(2, "wins"), (2, "loses"), (3, "wins"), (3, "loses")])
def test_heap_agrees_with_the_engine(players, last_stone):
    game = heap(players, last_stone)
    assert same_positions(game, 10) > 30
    assert same_games(game, 200, lanes=48) == 0


def test_games_do_not_depend_on_the_lanes():
    batch = heap().batch()
    found = [batch.play(100, 5, lanes=lanes) for lanes in (1, 7, 100, 1000)]
    ends = [[results.outcome_of(n) for n in range(100)] for results in found]
    assert ends[0] == ends[1] == ends[2] == ends[3]
    assert batch.play(100, 6).points.tolist() != found[0].points.tolist()


def test_results_give_records_of_the_games():
    results = heap().batch().play(30, 2)
    assert results.points.shape == results.winners.shape == (30, 2)
    assert results.decisions.tolist() == results.decided.sum(axis=1).tolist()
    record = results.record(29)
    assert check(record).ok
    assert len(record.moves) == results.decisions[29]
    assert record == results.record(-1)
    with pytest.raises(IndexError):
        results.record(30)


def test_legal_numbers_are_indices_of_legal_actions():
    batch = heap().batch()
    positions = [after(), after(3, 3, 3, 1), after(3), after(3, 3, 3, 3)]
    offsets, numbers = batch.legal_numbers(positions)
    listed = [[batch.actions[n] for n in numbers[a:b]] for a, b in pairwise(offsets)]
    assert listed == [
        [("red", "take(1)"), ("red", "take(2)"), ("red", "take(3)")],
        [("red", "take(1)"), ("red", "take(2)")],
        [("green", "take(1)"), ("green", "take(2)"), ("green", "take(3)")],
        [],
    ]


def test_sample_gives_positions_of_random_games():
    batch = heap().batch()
    found = batch.sample(300, 1)
    assert len(found) >= 300
    assert list(found) == list(batch.sample(300, 1))
    left = {next(f for f in p.facts if f.startswith("heap(")) for p in found}
    assert len(left) > 6, "the positions come from all parts of the games"
    assert all(p.to_move and not p.broken_invariants() for p in found[:50])
    assert batch.legal(found) == [p.legal() for p in found]


def test_positions_outside_the_layout_are_left_to_the_engine():
    """A position without a heap does not fit into a row, so the engine for single positions answers."""
    game = heap()
    start = game.initial()
    strange = type(start)(game.evaluator, frozenset(f for f in start.symbols if f.name != "heap"))
    batch = game.batch()
    odd = [strange, start]
    assert batch.legal(odd) == [p.legal() for p in odd]


@pytest.mark.slow
def test_games_with_too_many_facts_are_played_one_position_at_a_time(monkeypatch):
    from kaiser_logic.batch import batch, layout

    monkeypatch.setattr(layout, "MOST_WORDS", 0)
    game = heap()
    wide = batch.Batch(game.evaluator, jobs=1)
    assert set(wide.refused.values()) == {"there are too many facts for positions to be rows"}
    before, moves, following = moments(game, 2)
    assert wide.legal(before) == [p.legal() for p in before]
    assert list(wide.apply(before, moves)) == following
    assert all(not judgement.violations for judgement in wide.judge(before, moves))
    found, expected = wide.play(20, 3), game.batch().play(20, 3)
    assert [found.outcome_of(n) for n in range(20)] == [expected.outcome_of(n) for n in range(20)]
    assert found.fallbacks == found.decisions.sum()
    sampled = wide.sample(40)
    assert len(sampled) >= 40
    assert list(sampled) == list(wide.sample(40)), "the same seed gives the same sample"
    assert wide.legal(sampled) == [p.legal() for p in sampled]
    assert all(p.to_move for p in sampled)
    assert len({next(f for f in p.facts if f.startswith("heap(")) for p in sampled}) > 4, (
        "the positions come from all parts of the games"
    )


def test_illegal_moves_are_refused_as_in_single_positions():
    batch = heap().batch()
    positions = [after(), after(3, 3, 3, 1)]
    moves = [{"red": "take(2)"}, {"red": "take(3)"}]
    good, bad = batch.judge(positions, moves)
    assert not good.violations
    assert [rule for _, _, rule in bad.violations] == [v.rule for v in positions[1].why("red", "take(3)")]
    with pytest.raises(IllegalMove):
        batch.apply(positions, moves)
    for wrong in ({}, {"green": "take(1)"}, {"red": "fly"}, {"red": "take(1)", "green": "take(1)"}):
        with pytest.raises((IllegalMove, WrongUsage)) as one:
            positions[0].apply(wrong)
        with pytest.raises(one.type):
            batch.apply(positions[:1], [wrong])


def test_positions_of_other_games_are_refused():
    with pytest.raises(WrongUsage, match="none of this game"):
        heap().batch().legal([heap(3).initial()])
