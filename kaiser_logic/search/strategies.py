"""Ways of searching that make one position after the other.

A strategy is run once; it yields what is found, and None after each piece of work in between, so that others get their
turn. It ends where there is nothing left for it to do.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterator, Mapping
from contextlib import suppress
from itertools import count as counter
from random import Random
from typing import Final, Protocol, TypeAlias

from .. import clingo
from ..engine import symbols
from ..errors import NotDecided
from ..notation.terms import walk
from ..position import Position
from ..unrolling.planner import Taken
from .node import Node
from .space import Space

Weights: TypeAlias = Mapping[tuple[str, clingo.Symbol], float]
"""How much more probable than others the actions of a role are, as logarithms of the odds."""

_LEARNING: Final = 0.5
_TRUST: Final = 3.0
"""How much more probable an action becomes with each playout, and at most, as the logarithm of the odds."""
_FADING: Final = 0.95
"""What remains of that after each playout."""
_MENTIONED: Final = 0.4
"""How much more probable an action is for each word of the goal in it, as the logarithm of the odds."""
_FORGETTING: Final = 40
"""After so many playouts without progress all that was learnt is forgotten."""
_AFRESH: Final = 0.5
"""The share of playouts that begin at the start, and not on the way to the best end."""


class Strategy(Protocol):
    """A way of searching."""

    def run(self) -> Iterator[Node | None]:
        """What is found, and None after each piece of work in between."""


class BreadthFirst:
    """All positions in the order of the moves that lead to them; proves, where they are few, that there is nothing.

    Attributes:
        exhausted: Whether all positions within the limit of moves have been seen.
    """

    def __init__(self, space: Space) -> None:
        """Goes over this space."""
        self.exhausted = False
        self._space = space

    def run(self) -> Iterator[Node | None]:
        """Positions found, those after fewer moves first: see `Strategy.run`."""
        space, order = self._space, counter()
        queue = [(0, next(order), space.start)]
        seen: dict[Position, int] = {space.start.position: 0}
        complete = True
        yield space.found(space.start)
        while queue:
            moves, _, node = heapq.heappop(queue)
            if seen[node.position] < moves or moves >= space.most:
                continue
            try:
                for successor in space.successors(node):
                    found = None
                    shorter = seen.get(successor.position, math.inf) > successor.moves
                    if successor.moves <= space.most and shorter:
                        seen[successor.position] = successor.moves
                        heapq.heappush(queue, (successor.moves, next(order), successor))
                        found = space.found(successor)
                    yield found
            except NotDecided:  # too many actions to list
                complete = False
        self.exhausted = complete


class BestFirst:
    """Positions where little is missing before others: good where single moves bring the goal nearer.

    Among equals those that took many moves come first.
    """

    def __init__(self, space: Space, random: Random) -> None:
        """Goes over this space; ``random`` decides among equals."""
        self._space = space
        self._random = random

    def run(self) -> Iterator[Node | None]:
        """Positions found on the way to where less is missing: see `Strategy.run`."""
        space = self._space
        queue = [(0, 0, 0.0, space.start)]
        seen = {space.start.position}
        while queue:
            node = heapq.heappop(queue)[-1]
            if node.moves >= space.most:
                continue
            with suppress(NotDecided):
                for successor in space.successors(node):
                    found = None
                    if successor.moves <= space.most and successor.position not in seen:
                        seen.add(successor.position)
                        key = space.distance(successor), -successor.moves, self._random.random()
                        heapq.heappush(queue, (*key, successor))
                        found = space.found(successor)
                    yield found


class Picker:
    """Decisions at random: kinds of action are equally probable, but for what was learnt and what the goal is about."""

    def __init__(self, space: Space, random: Random) -> None:
        """For this space's goal."""
        self._space = space
        self._random = random
        self._words = space.goal.words
        self._mentioned: dict[clingo.Symbol, int] = {}

    def pick(self, node: Node, weights: Weights) -> Taken:
        """A decision of everybody; NotDecided where there are too many."""
        taken = {}
        for role, actions in self._space.actions(node).items():
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
            parts = walk(symbols.value(action))
            words = {str(part) if isinstance(part, int) else part.name for part in parts}
            found = self._mentioned[action] = len(words & self._words)
        return _MENTIONED * (found + (role in self._words))


class Playouts:
    """Random games that learn, from the start or from somewhere on the way to the best end so far.

    What led to the best end is done more often.
    """

    def __init__(self, space: Space, random: Random) -> None:
        """Goes over this space."""
        self._space = space
        self._random = random
        self._picker = Picker(space, random)

    def run(self) -> Iterator[Node | None]:
        """Positions found in one game after the other, without end: see `Strategy.run`."""
        space = self._space
        weights: dict[tuple[str, clingo.Symbol], float] = {}
        best, idle = space.start, 0
        while True:
            node = space.start if self._random.random() < _AFRESH else self._random.choice(best.path())
            nearest = node
            yield None
            with suppress(NotDecided):
                while node.moves < space.most and node.position.decisions:
                    node = space.after(node, self._picker.pick(node, weights))
                    yield (found := space.found(node))
                    if space.distance(node) < space.distance(nearest) and node.moves <= space.most:
                        nearest = node
                    if found:
                        break
            idle = 0 if space.distance(nearest) < space.distance(best) else idle + 1
            if space.distance(nearest) <= space.distance(best):
                best = nearest
            self._learn(best, weights)
            if idle > _FORGETTING:
                weights, best, idle = {}, space.start, 0

    @staticmethod
    def _learn(best: Node, weights: dict[tuple[str, clingo.Symbol], float]) -> None:
        """Makes the decisions on the way to the best end more probable; others are forgotten by and by."""
        for choice in list(weights):
            weights[choice] *= _FADING
        for node in best.path():
            for choice in node.taken:
                weights[choice] = min(_TRUST, weights.get(choice, 0.0) + _LEARNING)
