"""Perft: the numbers of sequences of decisions."""

from functools import cache
from pathlib import Path

import pytest
from support import NAMES, TINY
from support.heap_game import after, heap, variant
from support.independent import counted, independent
from support.move_counts import COUNTS, Counts

from kaiser_logic.batch.optional import is_installed
from kaiser_logic.batch.perft import counts, divide, perft
from kaiser_logic.errors import NotDecided, WrongUsage
from kaiser_logic.game import load


@cache
def paths(stones: int, moves: int) -> int:
    """The number of sequences of so many moves that each take one to three stones."""
    if not moves:
        return 1
    return sum(paths(stones - n, moves - 1) for n in (1, 2, 3) if n <= stones)


BATCH = pytest.param("batch", marks=pytest.mark.skipif(not is_installed(), reason="NumPy and llvmlite"))


@pytest.mark.parametrize("engine", ["compiled", "clingo", BATCH])
def test_every_engine_counts_the_heap(engine):
    most = 6 if engine == "clingo" else 13
    assert counts(heap(), most, engine=engine) == [paths(12, n) for n in range(most + 1)]
    assert perft(heap(), 13) == 0, "the heap is empty after at most twelve moves"
    assert perft(after(3, 3), 4, engine=engine) == paths(6, 4)


def test_divided_counts_for_each_first_action():
    found = list(divide(heap(), 4))
    assert [(actions["red"], count) for actions, count in found] == [
        (f"take({n})", paths(12 - n, 3)) for n in (1, 2, 3)
    ]
    assert not list(divide(heap(), 0))


def test_simultaneous_decisions_count_once():
    """Both players show one of two sides. Then one of them keeps the prize or gives it away."""
    game = load(TINY / "sealed", options={"gift": "allowed"})
    assert counts(game, 3) == [1, 4, 8, 0]
    assert [len(actions) for actions, _ in divide(game, 1)] == [2] * 4


@pytest.mark.sample(7)
@pytest.mark.skipif(not is_installed(), reason="NumPy and llvmlite")
@pytest.mark.parametrize("name", NAMES)
def test_batches_count_the_same(name, monkeypatch):
    from kaiser_logic.batch import batch

    monkeypatch.setattr(batch, "_ROWS", 3)
    game = load(TINY / name)
    assert counts(game, 4, engine="batch") == counts(game, 4)
    assert list(divide(game, 3, engine="batch")) == list(divide(game, 3))


@pytest.mark.skipif(not is_installed(), reason="NumPy and llvmlite")
def test_actions_that_the_engine_lists_have_their_own_effects(tmp_path):
    """Where an action has two weights no circuit lists the actions; their numbers were once taken for those of others."""
    game = load(variant(tmp_path, {}, TINY / "urn", "weight(draw(black),3) :- last(R), named(R,_)."))
    assert counts(game, 5, engine="batch") == counts(game, 5) == [1, 2, 4, 8, 12, 0]


@pytest.mark.skipif(not is_installed(), reason="needs NumPy")
def test_positions_outside_the_circuits_are_counted_too(tmp_path):
    """A faulty rulebook sets a counter and does not remove the old value."""
    shifted = "shift(heap,taken(R),K,taken) :- does(R,take(K))."
    game = load(variant(tmp_path, {shifted: "add(heap(8+K)) :- does(R,take(K))."}), players=2)
    assert counts(game.initial(), 2, engine="batch") == counts(game.initial(), 2, engine="clingo")


def test_a_turn_counts_with_all_its_jumps():
    """In the first three turns no capture goes on. From a position with a double jump, a turn is two decisions."""
    draughts = Path(__file__).parents[2] / "examples" / "rulebooks" / "draughts"
    game = load(draughts)
    assert counts(game, 3, turns=True) == [1, 7, 49, 302]
    facts = "seat(black,1). seat(white,2). phase(play). decision(black,turn). piece(1,black,man). piece(6,white,man)."
    double = game.position([*facts.rstrip(".").split(". "), "piece(15,white,man)", "piece(32,white,man)"])
    assert counts(double, 2) == [1, 1, 1]
    assert counts(double, 2, turns=True) == [1, 1, 2]
    assert [number for _, number in divide(double, 2, turns=True)] == [2]
    with pytest.raises(WrongUsage, match="parts_of_turn"):
        counts(heap(), 2, turns=True)
    with pytest.raises(WrongUsage, match="one position at a time"):
        counts(game, 2, turns=True, engine="batch")


def test_a_turn_that_need_not_end_is_not_counted(tmp_path):
    """Nothing changes, and whoever has decided decides again."""
    lines = {
        "default_players = 2": 'default_players = 2\nparts_of_turn = ["take"]',
        "add(due(pass_on))           :- made(_,take).": "add(decision(R,take)) :- does(R,take(_)).",
        "shift(heap,taken(R),K,taken) :- does(R,take(K)).": "",
    }
    with pytest.raises(NotDecided, match="a turn need not end"):
        counts(load(variant(tmp_path, lines)), 1, turns=True)


# Perft of each game: all engines and the independent implementations count the numbers of the page.
FEW = 200
"""The usual run counts at most this many sequences, or three moves."""


def depth(its: Counts, most: int, reached: int) -> int:
    """The greatest length with at most ``most`` sequences that the method has counted."""
    return min(reached, sum(n <= most for n in its.numbers))


def ids(its: Counts) -> str:
    return f"{its.game}-{its.players}"


def test_the_page_has_numbers_of_each_game():
    assert {its.game for its in COUNTS} == {"kaiser", "krone", "staufer", "vive"}
    assert all(len(its.depths) == 4 and len(its.numbers) > 6 for its in COUNTS)


@pytest.mark.sample(3)
@pytest.mark.parametrize("its", COUNTS, ids=ids)
def test_short_sequences(its):
    game = load(its.game, players=its.players)
    length = max(3, depth(its, FEW, its.depths[1]))
    expected = list(its.numbers[:length])
    assert counts(game, length)[1:] == expected
    assert counted(independent(game.initial()), length) == expected
    short = depth(its, 100, its.depths[2])
    assert counts(game, short, engine="clingo")[1:] == expected[:short]
    parts = list(divide(game, 3))
    assert len(parts) == its.numbers[0]
    assert sum(number for _, number in parts) == its.numbers[2]
