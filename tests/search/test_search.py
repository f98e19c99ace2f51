"""Search strategies in the heap game, compared with brute force."""

import subprocess
import sys
from collections.abc import Iterable, Iterator
from itertools import islice, product
from random import Random

import pytest
from support.heap_game import FOLDER
from support.heap_positions import after, heap
from support.limits import NO_END

from kaiser_logic.position import Position
from kaiser_logic.search.search import (
    BreadthFirst,
    Node,
    PositionGoal,
    Search,
    SearchLimits,
    Space,
    Variations,
    best_first,
    playouts,
)


class Left:
    """The goal that so many stones are left."""

    words: frozenset[str] = frozenset()

    def __init__(self, number: int) -> None:
        self.number = number

    def holds(self, position: Position) -> bool:
        return self.distance(position) == 0

    def distance(self, position: Position) -> int:
        return next(abs(s.arguments[0].number - self.number) for s in position.symbols if s.name == "heap")


def space(goal: Left | PositionGoal, moves: int) -> Space:
    return Space(heap().initial(), goal, SearchLimits(moves, seconds=NO_END))


def found(nodes: Iterable[Node | None]) -> list[Node]:
    return [node for node in nodes if node is not None]


def reachable(moves: int) -> set[Position]:
    """All positions after at most ``moves`` moves."""
    taken = [one for n in range(moves + 1) for one in product((1, 2, 3), repeat=n) if sum(one) <= 12]
    return {after(*one) for one in taken}


def test_breadth_first_visits_each_position_once_nearest_first():
    positions = {p for p in reachable(4) if Left(6).holds(p)}
    strategy = BreadthFirst(space(Left(6), 4))
    nodes = found(strategy.run())
    assert {node.position for node in nodes} == positions
    assert len(nodes) == len(positions)
    assert [node.moves for node in nodes] == sorted(node.moves for node in nodes)
    assert strategy.exhausted


def test_best_first_visits_all_positions():
    nodes = found(best_first(space(Left(6), 4), Random(1)))
    assert {node.position for node in nodes} == {p for p in reachable(4) if Left(6).holds(p)}


def test_best_first_takes_the_direct_path():
    seen = space(Left(3), 12)
    node = next(iter(found(islice(best_first(seen, Random(1)), 12))))
    assert (node.moves, seen.work <= 12) == (3, True)


@pytest.mark.parametrize("seed", range(3))
def test_playouts_stay_within_the_limit_of_moves(seed):
    nodes = found(islice(playouts(space(Left(0), 6), Random(seed)), 400))
    assert nodes
    assert all(node.moves <= 6 and Left(0).holds(node.position) for node in nodes)


@pytest.mark.parametrize("seed", range(3))
def test_variations_find_a_given_position(seed):
    goal = PositionGoal(after(1, 3, 1, 3).symbols)
    made = space(goal, 6)
    nodes = found(islice(Variations(made, goal, Random(seed)).run(), 40))
    assert nodes
    assert all(node.position == after(1, 3, 1, 3) for node in nodes)
    assert made.work > 0


def test_a_search_ends_when_it_is_exhausted():
    search = Search(heap().initial(), Left(99), SearchLimits(3, seconds=NO_END))
    assert not found(search)
    assert search.exhausted


def test_a_search_ends_at_its_limit_of_positions():
    search = Search(heap().initial(), Left(99), SearchLimits(30, positions=20, seconds=NO_END))
    assert not found(search)
    assert 20 <= search.space.work < 30
    assert not search.exhausted


def test_a_search_ends_at_its_deadline():
    search = Search(heap().initial(), Left(99), SearchLimits(30, seconds=0))
    assert len(list(search)) == 1
    assert not search.exhausted


TRACE = """
import sys
from pathlib import Path
from kaiser_logic.game import load
from kaiser_logic.search.search import PositionGoal
from kaiser_logic.search.search import Search
from kaiser_logic.search.search import SearchLimits
start = load(Path(sys.argv[1]), players=3).initial()
goal = PositionGoal([])
for seed in range(2):
    search = Search(start, goal, SearchLimits(12, 250, float("inf")), seed)
    print([search.space.work for _ in search], search.space.state())
"""


@pytest.mark.slow
def test_a_search_is_reproducible():
    """Its steps depend only on seed and limits, not on the order of Python's sets."""

    def traced(hash_seed: str) -> Iterator[str]:
        environment = {"PYTHONHASHSEED": hash_seed, "PYTHONPATH": ":".join(filter(None, sys.path))}
        command = [sys.executable, "-c", TRACE, str(FOLDER)]
        run = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
        return iter(run.stdout.splitlines())

    one, other = list(traced("1")), list(traced("2"))
    assert one == other
    assert one[0] != one[1]


# Nodes of a search: the path to a position.
