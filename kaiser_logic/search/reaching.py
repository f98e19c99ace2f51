"""Games that lead to a position with a property."""

from __future__ import annotations

import time
from collections.abc import Callable

from ..errors import NotDecided
from ..game import Game
from ..position import Position
from ..query.find import find
from ..query.goal import Goal
from ..query.language import LEGAL, parse_query
from .reach import ReachResult, reach


def find_reachable(
    game: Game,
    query: str,
    moves: int,
    timeout: float = 60.0,
    count: int = 1,
    origin: Position | None = None,
    smallest: bool = False,
    progress: Callable[[str], None] = lambda _: None,
) -> ReachResult:
    """Legal games of at most so many moves that end where the query holds.

    First it is asked whether any valid position is such; if none is, none can be reached, for every position of a
    legal game is valid (as ``prove`` shows). NotDecided where the time was too short.
    """
    start = time.monotonic()
    goal = Goal(game.ruleset, parse_query(query, game.book))
    if not goal.query.asks(LEGAL):
        try:
            if not find(game.evaluator, query, timeout=min(10.0, timeout / 3)).positions:
                return ReachResult((), True)
        except NotDecided:
            pass
    progress("looking for a game")
    left = max(0.1, timeout - (time.monotonic() - start))
    return reach(
        origin or game.initial(),
        lambda position: goal.holds(position.symbols),
        lambda position: goal.distance(position.symbols),
        moves,
        left,
        count=count,
        smallest=smallest,
        mentions=goal.words,
        aim=goal.literal,
        progress=progress,
    )
