"""The search of many random games at once, compared with a search of one game after the other."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from support import TINY
from support.heap_game import FOLDER, heap, variant

pytest.importorskip("llvmlite")

from kaiser_logic.batch import population as module
from kaiser_logic.batch.circuit_store import CircuitStore
from kaiser_logic.batch.layout import Layout
from kaiser_logic.batch.playout import playout
from kaiser_logic.batch.population import Derived, Hit, Population, are_cached, search_random_games
from kaiser_logic.game import Game, load
from kaiser_logic.position import Position
from kaiser_logic.query.goal import QueryGoal
from kaiser_logic.query.mistakes import read_query
from kaiser_logic.records.checking import check
from kaiser_logic.search.reach import find_reachable

GAMES = 40


@pytest.fixture(autouse=True)
def few(monkeypatch, tmp_path):
    """Uses few games, and a cache of its own."""
    for most in ("_CHUNK", "_GAMES"):
        monkeypatch.setattr(module, most, GAMES)
    monkeypatch.setenv("KAISER_LOGIC_CACHE", str(tmp_path))


def goal(game: Game, query: str) -> QueryGoal:
    return QueryGoal(game.ruleset, read_query(query, game.ruleset))


def searched(game: Game, query: str, moves: int) -> Population:
    def wanted(layout: Layout) -> Derived:
        return Derived(layout, goal(game, query).program, ("query__", 0))

    found = search_random_games(game.evaluator, wanted, moves)
    assert found is not None
    return found


def visited(game: Game, moves: int) -> Iterator[tuple[Hit, Position]]:
    """The positions of the same games after at least one step, one game after the other."""
    for number in range(GAMES):
        done = 0
        for moment, (position, taken) in enumerate(playout(game.evaluator, 1, number)):
            if moment and done <= moves:
                yield Hit(done, moment, 1, number), position
            done += len(taken)


@pytest.mark.parametrize("query", ["heap(N), N < 4", "decision(green,_), heap(7)", "heap(0)", "heap(N), N > 12"])
def test_search_agrees_with_single_games(query):
    game = heap()
    holds = goal(game, query).holds
    every = list(visited(game, 5))
    expected = [(met, position) for met, position in every if holds(position)]
    found = searched(game, query, 5)
    assert (found.positions, found.hits) == (len(every), len(expected))
    assert set(found.examples) <= {hit for hit, _ in expected}
    assert {p.symbols for _, p in expected} == {last(game, hit).symbols for hit in found.examples}
    assert [hit.moves for hit in found.examples] == sorted(hit.moves for hit in found.examples)


def last(game: Game, met: Hit) -> Position:
    *_, (position, taken) = met.playout(game.evaluator)
    assert not taken
    return position


def test_no_circuits_are_built_without_a_cache(monkeypatch):
    monkeypatch.setenv("KAISER_LOGIC_CACHE", "off")
    assert not are_cached(heap().evaluator)
    assert search_random_games(heap().evaluator, lambda _: pytest.fail("no layout is needed"), 5) is None


@pytest.mark.slow
def test_find_reports_the_share_of_positions():
    game = heap()
    CircuitStore(game.ruleset).complete()
    assert are_cached(game.evaluator)
    result = find_reachable(game, "heap(3)", 12, 1e6, count=500)  # more than there are at the nearest level
    assert " positions of random games" in result.share
    assert check(replace(result.records[0], source=FOLDER)).ok
    found = searched(game, "heap(3)", 12)
    assert result.share == str(found)
    assert len(result.records[0].moves) == found.examples[0].moves


def race(folder: Path, first: int, points: int) -> Game:
    """The race, with other points at the start and for a sprint."""
    changes = {"init(points(R,0))": f"init(points(R,{first}))", "score(R,2,sprint)": f"score(R,{points},sprint)"}
    return load(variant(folder, changes, TINY / "race"))


def test_the_share_says_that_positions_without_rows_are_missing(tmp_path):
    query = "tired(red)"
    partial = searched(race(tmp_path / "partial", 49_800, 250), query, 200)
    assert partial.is_partial and str(partial).endswith("; circuits cannot evaluate the others")
    whole = searched(race(tmp_path / "whole", 0, 250), query, 200)
    assert whole.hits and not whole.is_partial


def test_large_changes_of_numbers_have_no_circuits(tmp_path):
    game = race(tmp_path / "race", 0, 60_000)
    results = game.batch().play(20, seed=1)
    assert results.points.max() >= 60_000
