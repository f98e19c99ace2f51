"""Legal games that lead to a position in which something holds."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from dataclasses import dataclass

from ..errors import NotDecided
from ..game import Game
from ..notation.reading import build_record
from ..notation.record import Fact, Item, PositionBlock, Record
from ..notation.syntax import parsed
from ..position import Position
from ..records.tags import tags_of
from .node import Node
from .search import Aim, Search


@dataclass(frozen=True)
class ReachResult:
    """What was found.

    Attributes:
        records: Legal games that end in different positions in which it holds, the shortest first.
        proved_none: Whether it is proved that there are no more of them (with ``smallest``: no shorter ones).
    """

    records: tuple[Record, ...]
    proved_none: bool


def reach(
    start: Game | Position,
    holds: Callable[[Position], bool],
    unmet: Callable[[Position], int] | None = None,
    max_moves: int = 60,
    timeout: float = 60.0,
    count: int = 1,
    rng_seed: int = 0,
    smallest: bool = False,
    mentions: Collection[str] = (),
    aim: Aim | None = None,
    board: str | None = None,
    progress: Callable[[str], None] = lambda _: None,
) -> ReachResult:
    """Searches for legal games that lead to positions in which something holds.

    Args:
        start: A game, to begin at its start, or a position.
        holds: Whether it holds in a position.
        unmet: How much is missing in a position, 0 where it ``holds``: what guides the search.
        max_moves: The most moves of a game that is found.
        timeout: For so many seconds.
        count: How many games, to different positions.
        rng_seed: What makes the search the same each time, as far as time allows.
        smallest: Whether to go on for shorter games until there are none or the time is over.
        mentions: The constants of what is to hold, such as ``green`` and ``koeln``.
        aim: The same as ``holds`` for a trail: the literal that says whether it holds where the trail has come to.
            With it the search is far better where what is to hold is rare.
        board: The board file's name for the records.
        progress: Told now and then how far the search has come.

    Raises:
        NotDecided: Nothing was found in time, nor a proof that there is nothing.
    """
    deadline = time.monotonic() + timeout
    position = start.initial() if isinstance(start, Game) else start
    search = Search(position, holds, unmet or (lambda p: not holds(p)), max_moves, rng_seed, mentions, aim)
    found: dict[Position, Node] = {}
    told = time.monotonic()
    for node in search:
        if node is not None and (node.position not in found or node.moves < found[node.position].moves):
            found[node.position] = node
            if len(found) >= count:
                if not smallest:
                    break
                found = {n.position: n for n in _shortest(found)[:count]}
                search.most = max(n.moves for n in found.values()) - 1
        now = time.monotonic()
        if now >= deadline:
            break
        if now - told > 1:
            told = now
            progress(search.state())
    if not found and not search.exhausted:
        raise NotDecided(f"no such game of at most {max_moves} moves was found in {timeout:g} seconds")
    return ReachResult(tuple(_record(start, node, board) for node in _shortest(found)), search.exhausted)


def _shortest(found: dict[Position, Node]) -> list[Node]:
    return sorted(found.values(), key=lambda node: node.moves)


def _record(start: Game | Position, node: Node, board: str | None) -> Record:
    """The game that leads to a node, from its game's start or from the position where the search began."""
    items: list[Item] = list(node.items())
    rules = start.ruleset
    if isinstance(start, Position) and start.symbols != start.evaluator.initial():
        items.insert(0, PositionBlock(tuple(Fact(parsed(fact)) for fact in rules.book.ordered(start.facts))))
    return build_record(tags_of(rules, board), items)
