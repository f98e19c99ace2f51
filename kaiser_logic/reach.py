"""From a position to one in which something holds, by legal moves: a search over positions, one after the other.

Three ways of searching take turns. *Breadth first* sees everything and proves, where the space is small, that there
is nothing. *Best first* follows what is still unmet; it is good where single moves bring the aim nearer. *Playouts*
are random games that learn: what led to the best end so far is done more often; they are good where the aim is far.
"""

from __future__ import annotations

import heapq
import math
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from contextlib import suppress
from itertools import count as counter
from itertools import islice, product
from random import Random
from typing import Final, TypeAlias

import clingo

from . import symbols
from .circuit import Circuit, Literal
from .errors import NotDecided
from .game import Game, parsed
from .loosened import Loosened, Taken
from .position import Position
from .record import Fact, Item, Move, PositionBlock, Record
from .tags import tags_of
from .terms import walk
from .trail import Trail

import os
_DBG=os.environ.get('DBG')
Aim: TypeAlias = Callable[[Trail, Circuit], Literal]
"""Whether something holds where a trail has come to."""

_CAP: Final = 4096
"""The most ways in which decisions at the same time are combined."""

_LEARNING: Final = 0.5
_TRUST: Final = 3.0
_PATIENCE: Final = 40
"""After so many playouts without progress all that was learnt is forgotten."""

_WIDE: Final = 20
"""More choice than this is left open in a few steps only."""
_WIDEST: Final = 400
"""Where it turns out that there is more choice than this, the step is not open but excluded."""
_ATTEMPT: Final = 10.0
"""How long one game is varied, in seconds."""
_ALIKE: Final = 3
"""So many games are taken that differ in open steps only."""


@dataclass(frozen=True)
class ReachResult:
    """What was found.

    Attributes:
        records: Legal games that end in different positions in which it holds, the shortest first.
        proved_none: Whether it is proved that there are no more of them.
    """

    records: tuple[Record, ...]
    proved_none: bool


@dataclass(frozen=True, eq=False)
class Node:
    """A position and how it was reached.

    Attributes:
        position: The position.
        before: The node before; None at the start.
        taken: The decisions that led here from there.
        moves: How many decisions led here in all.
    """

    position: Position
    before: Node | None = None
    taken: tuple[tuple[str, clingo.Symbol], ...] = ()
    moves: int = 0

    def path(self) -> list[Node]:
        """All nodes from the start to this one."""
        nodes: list[Node] = [self]
        while (node := nodes[-1].before) is not None:
            nodes.append(node)
        return nodes[::-1]

    def items(self) -> tuple[Move, ...]:
        """The moves that led here."""
        return tuple(Move(role, symbols.term(action)) for node in self.path() for role, action in node.taken)


class Search:
    """A search from a position for those in which something holds, after at most so many moves.

    Attributes:
        most: The most moves; can be lowered while the search goes on.
        exhausted: Whether all positions within the limit have been seen.
    """

    def __init__(
        self,
        start: Position,
        holds: Callable[[Position], bool],
        unmet: Callable[[Position], int],
        most: int,
        seed: int = 0,
        mentions: Collection[str] = (),
        aim: Aim | None = None,
    ) -> None:
        """``mentions``: constants of the aim; what mentions them is tried more often. ``aim``: see `reach`."""
        self.most = most
        self.exhausted = False
        self._start = Node(start)
        self._holds = holds
        self._unmet = unmet
        self._random = Random(seed)
        self._mentions = frozenset(mentions)
        self._aim = aim
        self._distance: dict[Position, int] = {}
        self._mentioned: dict[clingo.Symbol, int] = {}

    def __iter__(self) -> Iterator[Node | None]:
        """What is found, and None after each piece of work in between; ends when everything has been seen."""
        ways = [self._breadth_first(), self._best_first(), self._playouts()]
        if self._aim is not None:
            ways.append(self._loosened(self._aim))
        spent = [0.0] * len(ways)
        while not self.exhausted:
            k = min(range(len(ways)), key=spent.__getitem__)
            began = time.perf_counter()
            yield next(ways[k])
            spent[k] += time.perf_counter() - began
        yield from ()

    def state(self) -> str:
        """How far the search has come."""
        nearest = min(self._distance.values(), default=0)
        return f"{len(self._distance)} positions seen, {nearest} unmet in the best of them"

    # -- one step --------------------------------------------------------------------------------------------------

    def _found(self, node: Node) -> Node | None:
        """The node, if it is one that is looked for."""
        return node if self.distance(node.position) == 0 and self._holds(node.position) else None

    def distance(self, position: Position) -> int:
        """How much is unmet there."""
        found = self._distance.get(position)
        if found is None:
            found = self._distance[position] = self._unmet(position)
        return found

    def _after(self, node: Node, taken: Mapping[str, clingo.Symbol]) -> Node:
        game = node.position.game
        judgement = game.evaluator.judge(node.position.symbols, taken)
        position = game.successor(node.position, judgement.added, judgement.deleted)
        return Node(position, node, tuple(taken.items()), node.moves + len(taken))

    @staticmethod
    def _actions(position: Position) -> dict[str, list[clingo.Symbol]]:
        return {r: [position.game.action(a) for a in actions] for r, actions in position.legal().items()}

    def _successors(self, node: Node) -> Iterator[Node]:
        actions = self._actions(node.position)
        if math.prod(map(len, actions.values())) > _CAP:
            raise NotDecided("too many decisions at the same time")
        for taken in product(*actions.values()) if actions else ():
            yield self._after(node, dict(zip(actions, taken, strict=True)))

    # -- ways of searching -----------------------------------------------------------------------------------------

    def _breadth_first(self) -> Iterator[Node | None]:
        """All positions in the order of the moves that lead to them."""
        order = counter()
        queue = [(0, next(order), self._start)]
        seen: dict[Position, int] = {self._start.position: 0}
        complete = True
        yield self._found(self._start)
        while queue:
            moves, _, node = heapq.heappop(queue)
            if seen[node.position] < moves or moves >= self.most:
                continue
            try:
                for successor in self._successors(node):
                    found = None
                    if successor.moves <= self.most and seen.get(successor.position, math.inf) > successor.moves:
                        seen[successor.position] = successor.moves
                        heapq.heappush(queue, (successor.moves, next(order), successor))
                        found = self._found(successor)
                    yield found
            except NotDecided:  # too many actions to list
                complete = False
        self.exhausted = complete
        while True:
            yield None

    def _best_first(self) -> Iterator[Node | None]:
        """Positions where little is unmet before others, and among equals those that took many moves."""
        queue = [(0, 0, 0.0, self._start)]
        seen = {self._start.position}
        while True:
            if not queue:
                yield None
                continue
            node = heapq.heappop(queue)[-1]
            if node.moves >= self.most:
                continue
            with suppress(NotDecided):
                for successor in self._successors(node):
                    found = None
                    if successor.moves <= self.most and successor.position not in seen:
                        seen.add(successor.position)
                        key = self.distance(successor.position), -successor.moves, self._random.random()
                        heapq.heappush(queue, (*key, successor))
                        found = self._found(successor)
                    yield found

    def _playouts(self) -> Iterator[Node | None]:
        """Random games from the start or from somewhere on the way to the best end so far."""
        weights: dict[tuple[str, clingo.Symbol], float] = {}
        best, idle = self._start, 0
        while True:
            node = self._start if self._random.random() < 0.5 else self._random.choice(best.path())
            nearest = node
            while node.moves < self.most and node.position.decisions:
                try:
                    node = self._after(node, self._pick(node.position, weights))
                except NotDecided:
                    break
                if node.moves <= self.most:
                    found = self._found(node)
                    yield found
                    if found:
                        break
                    if self.distance(node.position) < self.distance(nearest.position):
                        nearest = node
            yield None
            idle += 1
            if self.distance(nearest.position) <= self.distance(best.position):
                idle = idle if self.distance(nearest.position) == self.distance(best.position) else 0
                best = nearest
            self._learn(best, weights)
            if idle > _PATIENCE:
                weights, best, idle = {}, self._start, 0

    def _loosened(self, aim: Aim) -> Iterator[Node | None]:
        """Games like a given one, of which the steps with little choice are open, and a few of the others."""
        for attempt in counter():
            path = [self._start]
            while path[-1].moves < self.most and path[-1].position.decisions:
                try:
                    taken = self._quiet(path[-1].position) if attempt % 2 == 0 else self._pick(path[-1].position, {})
                except NotDecided:
                    break
                path.append(self._after(path[-1], taken))
                yield self._found(path[-1])
            least = min(self.distance(n.position) for n in path)
            nearest = self._random.choice([n for n in path if self.distance(n.position) == least])
            kept = self._kept(nearest.path()[1:], (100, 8, 6, 12)[attempt % 4])
            with suppress(NotDecided):
                loosened = Loosened(self._start.position, time.monotonic() + _ATTEMPT, float(os.environ.get("EFF","0.1")))
                _t0=time.monotonic(); _DBG and print('ATTEMPT',attempt,len(kept),sum(k is None for k in kept))
                for taken in kept:
                    if _DBG: print("step",taken,round(time.monotonic()-_t0,2)); _t0=time.monotonic()
                    if not (loosened.open(_WIDEST) if taken is None else loosened.keep(taken)):
                        break
                    yield None
                    for course in islice(loosened.courses(aim(loosened.trail, loosened.circuit)), _ALIKE):
                        node = self._start
                        for step in course:
                            node = self._after(node, step)
                        yield self._found(node) if node.moves <= self.most else None

    def _kept(self, path: list[Node], count: int) -> list[Taken | None]:
        """The steps of a game, None for those that are to be open: some, and all at its end with little choice."""
        wide = [_choice(node.before.position) > _WIDE for node in path if node.before]
        tail = len(wide) - wide[::-1].index(True) if True in wide else len(wide)
        few = [i for i in range(tail) if not wide[i]]
        many = [i for i in range(tail) if wide[i]]
        open = {*range(tail, len(path)), *self._random.sample(few, min(count, len(few)))}
        open |= set(self._random.sample(many, min(count % 4, len(many))))
        return [*(None if i in open else dict(node.taken) for i, node in enumerate(path)), None, None]

    def _quiet(self, position: Position) -> dict[str, clingo.Symbol]:
        """A decision of everybody that changes as little as possible, such as to pass."""
        taken = {}
        for role, actions in self._actions(position).items():
            alike = Counter(map(position.game.evaluator.kind, actions))
            few = [a for a in actions if alike[position.game.evaluator.kind(a)] <= 2] or actions
            judged = {a: position.game.evaluator.judge(position.symbols, {role: a}) for a in few[:_WIDE]}
            changes = {a: len(j.added) + len(j.deleted) for a, j in judged.items()}
            taken[role] = self._random.choice([a for a, n in changes.items() if n == min(changes.values())])
        return taken

    def _pick(self, position: Position, weights: Mapping[tuple[str, clingo.Symbol], float]) -> dict[str, clingo.Symbol]:
        """A decision of everybody: kinds of action are equally probable, but for what was learnt."""
        taken = {}
        for role, actions in self._actions(position).items():
            kinds = [kind.index if (kind := position.game.evaluator.kind(a)) else -1 for a in actions]
            sizes = Counter(kinds)
            odds = [
                math.exp(weights.get((role, a), 0.0) + self._bias(role, a)) / sizes[kind]
                for a, kind in zip(actions, kinds, strict=True)
            ]
            taken[role] = self._random.choices(actions, odds)[0]
        return taken

    def _bias(self, role: str, action: clingo.Symbol) -> float:
        found = self._mentioned.get(action)
        if found is None:
            words = {str(part) if isinstance(part, int) else part.name for part in walk(symbols.value(action))}
            found = self._mentioned[action] = len(words & self._mentions)
        return 0.4 * (found + (role in self._mentions))

    def _learn(self, best: Node, weights: dict[tuple[str, clingo.Symbol], float]) -> None:
        """Makes the decisions on the way to the best end more probable, and the others forgotten by and by."""
        for choice in list(weights):
            weights[choice] *= 0.95
        for node in best.path():
            for choice in node.taken:
                weights[choice] = min(_TRUST, weights.get(choice, 0.0) + _LEARNING)


def _choice(position: Position) -> int:
    return math.prod(map(len, position.legal().values()))


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
    progress: Callable[[str], None] = lambda _: None,
) -> ReachResult:
    """Legal games that lead to positions in which something holds.

    Args:
        start: A game, to begin at its start, or a position.
        holds: Whether it holds in a position.
        unmet: How much is missing in a position, 0 where ``holds``: what guides the search.
        max_moves: The most moves of a game that is found.
        timeout: For so many seconds.
        count: How many games, to different positions.
        rng_seed: What makes the search the same each time, as far as time allows.
        smallest: Whether to go on for shorter games until there are none or the time is over.
        mentions: The constants of the aim, such as ``green`` and ``koeln``.
        aim: The same as ``holds`` for a trail: the literal that says whether it holds now. With it the search is far
            better where the aim is rare.
        progress: Told now and then what is going on.

    Raises:
        NotDecided: Nothing was found in time, nor a proof that there is nothing.
    """
    deadline = time.monotonic() + timeout
    position = start.initial() if isinstance(start, Game) else start
    search = Search(position, holds, unmet or (lambda p: 0 if holds(p) else 1), max_moves, rng_seed, mentions, aim)
    found: dict[Position, Node] = {}
    told = time.monotonic()
    for node in search:
        if node is not None and (node.position not in found or node.moves < found[node.position].moves):
            found[node.position] = node
            if len(found) >= count:
                if not smallest:
                    break
                found = {n.position: n for n in sorted(found.values(), key=lambda n: n.moves)[:count]}
                search.most = max(n.moves for n in found.values()) - 1
        now = time.monotonic()
        if now >= deadline:
            break
        if now - told > 1:
            told = now
            progress(search.state())
    if not found and not search.exhausted:
        raise NotDecided(f"no such game of at most {max_moves} moves was found in {timeout:g} seconds")
    nodes = sorted(found.values(), key=lambda n: n.moves)
    return ReachResult(tuple(record_of(start, node) for node in nodes), search.exhausted)


def record_of(start: Game | Position, node: Node) -> Record:
    """The game that leads to a node, from its game's start or from the position where the search began."""
    game = start if isinstance(start, Game) else start.game
    items: list[Item] = list(node.items())
    if isinstance(start, Position):
        items.insert(0, PositionBlock(tuple(Fact(game_term) for game_term in map(parsed, game.ordered(start.facts)))))
    return Record.build(tags_of(game), items)
