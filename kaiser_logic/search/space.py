"""The positions reachable from a start, made one by one and counted."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import Final, Protocol, runtime_checkable

from .. import clingo
from ..engine import symbols
from ..errors import NotDecided
from ..notation.record import Move
from ..position import Position
from ..unrolling.circuit import FOREVER, Circuit, Literal
from ..unrolling.planner import Taken, equals
from ..unrolling.symbolic_state import SymbolicState

# -- node ----------------------------------------------------------------------------------------------------
#
# A position that a search has come to, and the way there.


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

    def choices(self) -> int:
        """The number of ways to decide at the node before."""
        return math.prod(map(len, self.before.position.legal().values())) if self.before else 0


# -- goal ----------------------------------------------------------------------------------------------------
#
# What a search looks for.


class Goal(Protocol):
    """A property of positions, with what guides a search to it."""

    @property
    def words(self) -> frozenset[str]:
        """The constants that it is about, such as ``green`` and ``koeln``: actions with them are done more often."""

    def holds(self, position: Position) -> bool:
        """Whether the position has the property."""

    def distance(self, position: Position) -> int:
        """The number of unmet parts, 0 exactly if the property holds."""


@runtime_checkable
class SymbolicGoal(Goal, Protocol):
    """A goal that can also be evaluated in a partly unknown position, which helps if it is rare."""

    def literal(self, state: SymbolicState, circuit: Circuit) -> Literal:
        """Whether it holds where a symbolic state has come to."""


class PositionGoal:
    """To be at one given position."""

    words: frozenset[str] = frozenset()

    def __init__(self, facts: Iterable[clingo.Symbol]) -> None:
        """``facts``: the position's."""
        self._facts = frozenset(facts)

    def holds(self, position: Position) -> bool:
        """Whether it is the position."""
        return position.symbols == self._facts

    def distance(self, position: Position) -> int:
        """The number of missing and superfluous facts."""
        return len(position.symbols ^ self._facts)

    def literal(self, state: SymbolicState, circuit: Circuit) -> Literal:
        """Whether a symbolic state is at the position."""
        return equals(state, circuit, self._facts)


_MOST_COMBINED: Final = 4096
"""The most ways in which decisions at the same time are combined."""


@dataclass(frozen=True)
class Limits:
    """The limits of a search.

    Attributes:
        moves: The most moves of a game that is found.
        positions: The most work, in positions made; other work counts as the positions made in about that time.
        seconds: The most time. It ends a search and changes nothing else: with the same seed, what is found before is
            the same each time, also on a machine that has much else to do.
    """

    moves: int = 60
    positions: float = FOREVER
    seconds: float = 60.0


class Space:
    """The positions that can be reached from a start.

    Attributes:
        start: The start.
        goal: What is looked for.
        limits: How far to go.
        deadline: When to give up, on the clock `time.monotonic` (seconds).
        most: The most moves; at first as the limits say, and lowered where only shorter games are wanted.
        work: What has been done so far, in positions made.
    """

    def __init__(self, start: Position, goal: Goal, limits: Limits) -> None:
        """Nothing is seen yet; the time runs from now on."""
        self.start = Node(start)
        self.goal = goal
        self.limits = limits
        self.deadline = time.monotonic() + limits.seconds
        self.most = limits.moves
        self.work = 0
        self._distance: dict[Position, int] = {}

    @property
    def spent(self) -> bool:
        """Whether a limit of work or time has been reached."""
        return self.work >= self.limits.positions or time.monotonic() >= self.deadline

    def found(self, node: Node) -> Node | None:
        """The node, if it is one that is looked for."""
        near = node.moves <= self.most and self.distance(node) == 0
        return node if near and self.goal.holds(node.position) else None

    def distance(self, node: Node) -> int:
        """The distance of a position from the goal."""
        known = self._distance.get(node.position)
        if known is None:
            known = self._distance[node.position] = self.goal.distance(node.position)
        return known

    def after(self, node: Node, taken: Taken) -> Node:
        """The position after the decisions of all who decide."""
        self.work += 1
        judgement = node.position.evaluator.judge(node.position.symbols, taken)
        position = node.position.successor(judgement)
        return Node(position, node, tuple(taken.items()), node.moves + len(taken))

    def changes(self, node: Node, role: str, action: clingo.Symbol) -> int:
        """The number of facts that an action changes at once."""
        self.work += 1
        judgement = node.position.evaluator.judge(node.position.symbols, {role: action})
        return len(judgement.added) + len(judgement.deleted)

    @staticmethod
    def actions(node: Node) -> dict[str, list[clingo.Symbol]]:
        """The legal actions, sorted, by role; NotDecided where they are too many to list."""
        legal = node.position.legal()
        return {role: [symbols.read(action) for action in actions] for role, actions in legal.items()}

    def successors(self, node: Node) -> Iterator[Node]:
        """The nodes after all decisions; NotDecided where they are too many to list."""
        actions = self.actions(node)
        if math.prod(map(len, actions.values())) > _MOST_COMBINED:
            raise NotDecided("too many decisions at the same time")
        for taken in product(*actions.values()) if actions else ():
            yield self.after(node, dict(zip(actions, taken, strict=True)))

    def state(self) -> str:
        """The progress of the search."""
        nearest = min(self._distance.values(), default=0)
        return f"{len(self._distance)} positions seen, {nearest} unmet in the best of them"
