"""The search for a position in which something holds, over legal moves.

Several ways of searching take turns. *Breadth first* sees everything, and proves, where the space is small, that there
is nothing. *Best first* follows what is unmet: good where single moves bring the aim nearer. *Playouts* are random
games that learn: what led to the best end so far is done more often. *Variations* leave steps of such a game open and
ask the solver: by far the best where the aim is rare, but it must be known as a `Trail` knows it.
"""

from __future__ import annotations

import heapq
import math
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import count as counter
from itertools import islice, product
from random import Random
from typing import Final, TypeAlias

import clingo

from ..engine import symbols
from ..errors import NotDecided
from ..notation.terms import walk
from ..position import Position
from ..unrolling.circuit import Circuit, Literal
from ..unrolling.planner import Loosened, Taken
from ..unrolling.symbolic_state import Trail
from .node import Node

Aim: TypeAlias = Callable[[Trail, Circuit], Literal]
"""Whether something holds where a trail has come to."""

_CAP: Final = 4096
"""The most ways in which decisions at the same time are combined."""
_LEARNING: Final = 0.5
_TRUST: Final = 3.0
"""How much more probable an action becomes with each playout, and at most, as the logarithm of the odds."""
_MENTIONED: Final = 0.4
"""How much more probable it is for each constant of the aim in it."""
_FORGETTING: Final = 40
"""After so many playouts without progress all that was learnt is forgotten."""
_WIDE: Final = 20
"""With more choice than this a step is open only if it is one of a few."""
_WIDEST: Final = 400
"""Where it turns out that there is more choice than this, the step is not open but excluded."""
_ATTEMPT: Final = 15.0
"""How long one game is varied, in seconds."""
_ALIKE: Final = 3
"""So many variations of one game are taken for each of its steps."""


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
        shares: Sequence[float] = (1, 1, 1, 4),
    ) -> None:
        """See `reach` for most arguments.

        ``shares``: how the time is shared out among breadth first, best first, playouts and variations.
        """
        self.most = most
        self.exhausted = False
        self._start = Node(start)
        self._holds = holds
        self._unmet = unmet
        self._random = Random(seed)
        self._mentions = frozenset(mentions)
        self._aim = aim
        self._shares = shares
        self._distance: dict[Position, int] = {}
        self._mentioned: dict[clingo.Symbol, int] = {}

    def __iter__(self) -> Iterator[Node | None]:
        """What is found, and None after each piece of work in between; ends when everything has been seen."""
        ways = [self._breadth_first(), self._best_first(), self._playouts()]
        if self._aim is not None:
            ways.append(self._variations(self._aim))
        spent = [0.0] * len(ways)
        while not self.exhausted:
            k = min(range(len(ways)), key=spent.__getitem__)
            began = time.perf_counter()
            found = next(ways[k])
            spent[k] += (time.perf_counter() - began) / self._shares[k]
            yield found

    def state(self) -> str:
        """How far the search has come."""
        nearest = min(self._distance.values(), default=0)
        return f"{len(self._distance)} positions seen, {nearest} unmet in the best of them"

    # -- one step --------------------------------------------------------------------------------------------

    def _found(self, node: Node) -> Node | None:
        """The node, if it is one that is looked for."""
        near = node.moves <= self.most and self._far(node) == 0
        return node if near and self._holds(node.position) else None

    def _far(self, node: Node) -> int:
        """How much is unmet there."""
        found = self._distance.get(node.position)
        if found is None:
            found = self._distance[node.position] = self._unmet(node.position)
        return found

    def _after(self, node: Node, taken: Taken) -> Node:
        judgement = node.position.evaluator.judge(node.position.symbols, taken)
        position = node.position.successor(judgement)
        return Node(position, node, tuple(taken.items()), node.moves + len(taken))

    @staticmethod
    def _actions(node: Node) -> dict[str, list[clingo.Symbol]]:
        position = node.position
        return {r: [symbols.read(a) for a in actions] for r, actions in position.legal().items()}

    def _successors(self, node: Node) -> Iterator[Node]:
        actions = self._actions(node)
        if math.prod(map(len, actions.values())) > _CAP:
            raise NotDecided("too many decisions at the same time")
        for taken in product(*actions.values()) if actions else ():
            yield self._after(node, dict(zip(actions, taken, strict=True)))

    # -- all positions ---------------------------------------------------------------------------------------

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
                    if (
                        successor.moves <= self.most
                        and seen.get(successor.position, math.inf) > successor.moves
                    ):
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
        while queue:
            node = heapq.heappop(queue)[-1]
            if node.moves >= self.most:
                continue
            with suppress(NotDecided):
                for successor in self._successors(node):
                    found = None
                    if successor.moves <= self.most and successor.position not in seen:
                        seen.add(successor.position)
                        key = self._far(successor), -successor.moves, self._random.random()
                        heapq.heappush(queue, (*key, successor))
                        found = self._found(successor)
                    yield found
        while True:
            yield None

    # -- games -----------------------------------------------------------------------------------------------

    def _playouts(self) -> Iterator[Node | None]:
        """Random games from the start or from somewhere on the way to the best end so far."""
        weights: dict[tuple[str, clingo.Symbol], float] = {}
        best, idle = self._start, 0
        while True:
            node = self._start if self._random.random() < 0.5 else self._random.choice(best.path())
            nearest = node
            yield None
            with suppress(NotDecided):
                while node.moves < self.most and node.position.decisions:
                    node = self._after(node, self._pick(node, weights))
                    yield (found := self._found(node))
                    if self._far(node) < self._far(nearest) and node.moves <= self.most:
                        nearest = node
                    if found:
                        break
            idle = 0 if self._far(nearest) < self._far(best) else idle + 1
            if self._far(nearest) <= self._far(best):
                best = nearest
            self._learn(best, weights)
            if idle > _FORGETTING:
                weights, best, idle = {}, self._start, 0

    def _pick(self, node: Node, weights: Mapping[tuple[str, clingo.Symbol], float]) -> Taken:
        """A decision of everybody: kinds of action are equally probable, but for what was learnt."""
        taken = {}
        for role, actions in self._actions(node).items():
            kinds = list(map(node.position.ruleset.kind, actions))
            odds = [
                math.exp(weights.get((role, action), 0.0) + self._bias(role, action)) / kinds.count(kind)
                for action, kind in zip(actions, kinds, strict=True)
            ]
            taken[role] = self._random.choices(actions, odds)[0]
        return taken

    def _bias(self, role: str, action: clingo.Symbol) -> float:
        found = self._mentioned.get(action)
        if found is None:
            words = {
                str(part) if isinstance(part, int) else part.name for part in walk(symbols.value(action))
            }
            found = self._mentioned[action] = len(words & self._mentions)
        return _MENTIONED * (found + (role in self._mentions))

    @staticmethod
    def _learn(best: Node, weights: dict[tuple[str, clingo.Symbol], float]) -> None:
        """Makes the decisions on the way to the best end more probable; others are forgotten by and by."""
        for choice in list(weights):
            weights[choice] *= 0.95
        for node in best.path():
            for choice in node.taken:
                weights[choice] = min(_TRUST, weights.get(choice, 0.0) + _LEARNING)

    # -- variations ------------------------------------------------------------------------------------------

    def _variations(self, aim: Aim) -> Iterator[Node | None]:
        """Games like a given one that comes near, of which steps with little choice are open, and a few others."""
        for attempt in counter():
            path = [self._start]
            with suppress(NotDecided):
                while path[-1].moves < self.most and path[-1].position.decisions:
                    taken = self._quiet(path[-1]) if attempt % 2 == 0 else self._pick(path[-1], {})
                    path.append(self._after(path[-1], taken))
                    yield self._found(path[-1])
            least = min(map(self._far, path))
            nearest = self._random.choice([node for node in path if self._far(node) == least])
            loosened = Loosened(self._start.position, time.monotonic() + _ATTEMPT, 0.1)
            with suppress(NotDecided):
                for step in self._loosen(nearest.path()[1:], attempt):
                    if not (loosened.open(_WIDEST) if step is None else loosened.keep(step)):
                        break
                    yield None
                    for course in islice(loosened.courses(aim(loosened.trail, loosened.circuit)), _ALIKE):
                        yield self._found(self._replayed(course))

    def _replayed(self, course: list[Taken]) -> Node:
        node = self._start
        for taken in course:
            node = self._after(node, taken)
        return node

    def _loosen(self, path: list[Node], attempt: int) -> list[Taken | None]:
        """The steps of a game, None for those that are to be open; all are at its end where there is little choice."""
        wide = [node.choices() > _WIDE for node in path]
        tail = len(wide) - wide[::-1].index(True) if True in wide else len(wide)
        few = [i for i in range(tail) if not wide[i]]
        many = [i for i in range(tail) if wide[i]]
        if attempt % 4:
            few = self._random.sample(few, min(len(few), 4 + attempt))
        many = self._random.sample(many, min(len(many), attempt % 4))
        open = {*few, *many, *range(tail, len(path))}
        return [*(None if i in open else dict(node.taken) for i, node in enumerate(path)), None, None]

    def _quiet(self, node: Node) -> Taken:
        """A decision of everybody that changes as little as possible, such as to pass."""
        taken = {}
        position, ruleset = node.position, node.position.ruleset
        for role, actions in self._actions(node).items():
            alike = Counter(map(ruleset.kind, actions))
            few = [a for a in actions if alike[ruleset.kind(a)] <= 2] or actions
            few = self._random.sample(few, min(len(few), _WIDE))
            judged = {a: position.evaluator.judge(position.symbols, {role: a}) for a in few}
            changes = {a: len(j.added) + len(j.deleted) for a, j in judged.items()}
            taken[role] = self._random.choice([a for a, n in changes.items() if n == min(changes.values())])
        return taken
