"""The walk through all positions of short games: as many as a plain walk visits, and the nearest ones first."""

from itertools import pairwise, product
from pathlib import Path

import pytest
from support import NAMES, TINY

from kaiser_logic.batch.level_search import LevelReport, walk_levels
from kaiser_logic.batch.optional import is_installed
from kaiser_logic.batch.population import Derived
from kaiser_logic.cli import main
from kaiser_logic.errors import NotDecided
from kaiser_logic.game import Game, load
from kaiser_logic.position import Position
from kaiser_logic.query.goal import QueryGoal
from kaiser_logic.query.mistakes import read_query

pytestmark = pytest.mark.skipif(not is_installed(), reason="NumPy and llvmlite")
RULEBOOKS = Path(__file__).parents[2] / "examples" / "rulebooks"


def walked(game: Game, query: str, moves: int, **limits: int) -> LevelReport | None:
    goal = QueryGoal(game.ruleset, read_query(query, game.ruleset))
    return walk_levels(game.initial(), lambda layout: Derived(layout, goal.program, ("query__", 0)), moves, **limits)


def plain(game: Game, moves: int) -> dict[Position, int]:
    """All positions that games of so many moves reach, each with its least number of moves."""
    found: dict[Position, int] = {}
    waiting = {0: {game.initial()}}
    for length in range(moves + 1):
        for position in waiting.pop(length, set()) - set(found):
            found[position] = length
            legal = position.legal()
            if not legal or not all(legal.values()):
                continue
            for actions in product(*legal.values()):
                after = position.apply(dict(zip(legal, actions, strict=True)))
                waiting.setdefault(length + len(legal), set()).add(after)
    return found


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", NAMES)
def test_the_walk_visits_the_positions_of_a_plain_walk(name):
    """The nearest end of a game is as near as by a plain walk, and the game to it is legal. Too many positions: no answer."""
    game = load(TINY / name)
    known = plain(game, 4)
    report = walked(game, "terminal", 4)
    if report is None:
        return  # no circuits, or actions that name sets
    ends = [length for position, length in known.items() if position.result() is not None]
    if not ends:
        assert (report.games, report.positions) == ((), len(known))
        with pytest.raises(NotDecided):
            walked(game, "terminal", 4, positions=len(known) - 1)
        return
    assert report.moves == min(ends)
    (positions,) = report.games
    for (before, actions), (after, _) in pairwise(positions):
        assert before.apply(actions) == after
    assert positions[-1][0].result() is not None


@pytest.mark.parametrize(
    ("name", "query", "moves", "found"),
    [
        ("connect_four", "four(R)", 7, True),
        pytest.param("connect_four", "four(R)", 6, False, marks=pytest.mark.slow),
        pytest.param("othello", "phase(over), discs(white,0)", 8, False, marks=pytest.mark.long),
        pytest.param("othello", "phase(over), discs(white,0)", 9, True, marks=pytest.mark.long),
    ],
)
def test_shortest_games_of_known_games(name, query, moves, found, capsys):
    """Four in a line takes seven discs; the shortest game of Othello has nine."""
    folder = str(RULEBOOKS / name)
    assert main(["find", folder, query, "--reachable", str(moves), "--timeout", "1000"]) == (0 if found else 1)
    printed = capsys.readouterr()
    assert len([line for line in printed.out.splitlines() if "(" in line]) == (moves if found else 0)
    assert found or "positions seen" in printed.err
