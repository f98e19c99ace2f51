"""Legal games that lead to a position in which something holds."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ..engine.tags import tags_of
from ..errors import NotDecided
from ..game import Game
from ..notation.reading import build_record
from ..notation.record import Fact, Item, PositionBlock, Record
from ..notation.syntax import parsed
from ..position import Position
from ..query.find import find
from ..query.goal import Goal as QueryGoal
from ..query.mistakes import read_query
from ..rules.predicates import LEGAL
from .goal import Goal
from .node import Node
from .search import Search
from .space import Limits

Progress = Callable[[str], None]
_TELLING = 1.0
"""Progress is told after so many seconds."""
_FINDING = 10.0
"""At most so many seconds are spent on whether there is any such position at all; never more than a third of all."""
_LEAST = 0.1
"""The search gets at least so many seconds."""


@dataclass(frozen=True)
class ReachResult:
    """What was found.

    Attributes:
        records: Legal games that end in different positions in which it holds, the shortest first.
        proved_none: Whether it is proved that there are no more of them (with ``smallest``: no shorter ones).
        by_invariants: Whether that rests on every position of a game meeting the invariants, which `prove` shows.
    """

    records: tuple[Record, ...]
    proved_none: bool
    by_invariants: bool = False


def reach(
    start: Game | Position,
    goal: Goal,
    limits: Limits | None = None,
    *,
    count: int = 1,
    smallest: bool = False,
    seed: int = 0,
    board: str | None = None,
    progress: Progress = lambda _: None,
) -> ReachResult:
    """Searches for legal games that lead to positions that have the goal's property.

    Args:
        start: A game, to begin at its start, or a position.
        goal: What is to hold at the end. If it can be asked of symbolic states, that is made use of.
        limits: How far to go; by default 60 moves and 60 seconds.
        count: How many games, to different positions.
        smallest: Whether to go on for shorter games until there are none or a limit is reached.
        seed: What makes the search the same each time.
        board: The board file's name for the records.
        progress: Told now and then how far the search has come.

    Raises:
        NotDecided: Nothing was found within the limits, nor a proof that there is nothing.
    """
    limits = limits or Limits()
    search = Search(start.initial() if isinstance(start, Game) else start, goal, limits, seed)
    found: dict[Position, Node] = {}
    told = time.monotonic()
    for node in search:
        if node is not None and (node.position not in found or node.moves < found[node.position].moves):
            found[node.position] = node
            if len(found) >= count:
                if not smallest:
                    break
                found = {n.position: n for n in _shortest(found)[:count]}
                search.space.most = max(n.moves for n in found.values()) - 1
        if time.monotonic() - told > _TELLING:
            told = time.monotonic()
            progress(search.space.state())
    if not found and not search.exhausted:
        within = f"in {round(limits.seconds, 1):g} seconds"
        if search.space.work >= limits.positions:
            within = f"by the work of making {limits.positions} positions"
        raise NotDecided(f"no such game of at most {limits.moves} moves was found {within}")
    return ReachResult(tuple(_record(start, node, board) for node in _shortest(found)), search.exhausted)


def _shortest(found: Mapping[Position, Node]) -> list[Node]:
    return sorted(found.values(), key=lambda node: node.moves)


def _record(start: Game | Position, node: Node, board: str | None) -> Record:
    """The game that leads to a node, from its game's start or from the position where the search began."""
    items: list[Item] = list(node.items())
    rules = start.ruleset
    if isinstance(start, Position) and start.symbols != start.evaluator.initial():
        items.insert(0, PositionBlock(tuple(Fact(parsed(fact)) for fact in rules.book.ordered(start.facts))))
    return build_record(tags_of(rules, board), items)


def find_reachable(
    game: Game,
    query: str,
    moves: int,
    timeout: float = 60.0,
    count: int = 1,
    origin: Position | None = None,
    smallest: bool = False,
    progress: Progress = lambda _: None,
) -> ReachResult:
    """Legal games of at most so many moves that end where the query holds.

    First it is asked whether any valid position is such; if none is, none can be reached, for every position of a
    legal game is valid (as ``prove`` shows). Not where the game begins at a position that breaks what is only presumed.

    Args:
        game: The game.
        query: As for ``find``.
        moves: The most moves.
        timeout: For so many seconds.
        count: How many games, to different positions.
        origin: Where to begin; by default at the game's start.
        smallest: Whether to go on for shorter games.
        progress: Told now and then what is going on.

    Raises:
        NotDecided: The time was too short.
        UnreadableInput, WrongUsage: The query is none.
    """
    start = time.monotonic()
    goal = QueryGoal(game.ruleset, read_query(query, game.ruleset))
    broken = [] if origin is None else origin.evaluator.broken(origin.symbols, waive=False)
    kept = all(name in game.ruleset.waived for name, _ in broken)
    if kept and not goal.query.asks(LEGAL):
        try:
            if not find(game.evaluator, query, timeout=min(_FINDING, timeout / 3)).positions:
                return ReachResult((), True, True)
        except NotDecided:
            pass
    progress("looking for a game")
    limits = Limits(moves, seconds=max(_LEAST, timeout - (time.monotonic() - start)))
    return reach(origin or game.initial(), goal, limits, count=count, smallest=smallest, progress=progress)
