"""Searches legal moves for a position with a property.

Several strategies take turns. *Breadth first* sees everything, and proves, where the space is small, that there is
nothing. *Best first* follows what is missing. *Playouts* are random games that learn. *Variations* leave steps of such
a game free and ask the solver.

Turns are shared by counted work, never by time: with the same seed and limits a search does the same on every machine,
whatever else that has to do. Its deadline is the only thing that looks at the clock, and only ends it.
"""

from __future__ import annotations

import heapq
import math
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import count as counter
from itertools import islice, product
from random import Random
from typing import Final, Protocol, TypeAlias, runtime_checkable

from .. import clingo
from ..engine import symbols
from ..errors import NotDecided
from ..notation.record import Move
from ..notation.terms import walk
from ..position import Position
from ..unrolling.circuit import FOREVER, Circuit, Literal
from ..unrolling.symbolic_state import Planner, SymbolicState, Taken, equals

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
        """The legal actions, sorted, by role; NotDecided if they are too many to list."""
        legal = node.position.legal()
        return {role: [symbols.read(action) for action in actions] for role, actions in legal.items()}

    def successors(self, node: Node) -> Iterator[Node]:
        """The nodes after all decisions; NotDecided if they are too many to list."""
        actions = self.actions(node)
        if math.prod(map(len, actions.values())) > _MOST_COMBINED:
            raise NotDecided("too many decisions at the same time")
        for taken in product(*actions.values()) if actions else ():
            yield self.after(node, dict(zip(actions, taken, strict=True)))

    def state(self) -> str:
        """The progress of the search."""
        nearest = min(self._distance.values(), default=0)
        return f"{len(self._distance)} positions seen, {nearest} unmet in the best of them"


# -- strategies ----------------------------------------------------------------------------------------------
#
# Ways of searching that make one position after the other.
#
# A strategy is run once; it yields what is found, and None after each piece of work in between, so that others get their
# turn. It ends where there is nothing left for it to do.


Weights: TypeAlias = Mapping[tuple[str, clingo.Symbol], float]
"""The preference for the actions of a role, as logarithms of the odds."""

_LEARNING: Final = 0.5
_TRUST: Final = 3.0
"""The increase of an action's preference with each playout, and the largest one, as logarithms of the odds."""
_FADING: Final = 0.95
"""The factor by which it decays after each playout."""
_MENTIONED: Final = 0.4
"""The preference of an action for each word of the goal in it, as the logarithm of the odds."""
_FORGETTING: Final = 40
"""The number of playouts without progress after which everything learnt is forgotten."""
_AFRESH: Final = 0.5
"""The share of playouts that begin at the start, and not on the way to the best end."""


class Strategy(Protocol):
    """A way of searching."""

    def run(self) -> Iterator[Node | None]:
        """Yields what is found, and None after each piece of work in between."""


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
        """A decision of everybody; NotDecided if there are too many."""
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
        """Yields positions found in one game after the other, endlessly: see `Strategy.run`."""
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


# -- variations ----------------------------------------------------------------------------------------------
#
# Games like one that comes near, of which some steps are left free and given to the solver.


_MANY_CHOICES: Final = 20
"""With more choice than this a step is free only if it is one of a few."""
_WIDEST: Final = 400
"""The largest number of choices at a free step; with more, the step is excluded."""
_ALIKE: Final = 3
"""The number of variations of a game for each of its steps."""
_FEW: Final = 4
"""The least number of free steps, if not all steps with few choices are free."""
_CYCLE: Final = 4
"""Of so many attempts one leaves all steps with little choice free and no others; then there is one more each time."""
_FREE_AFTERWARDS: Final = 2
"""The number of free steps after the game's own."""
_RARE: Final = 2
"""A kind of action of which there are at most so many is taken for one that changes little."""
_NARROWING: Final = 0.1
"""The share of the work that goes into finding out what is certain."""
_ATTEMPT: Final = 600_000
"""The work spent on the variations of one game, in the unit of `Circuit.work`."""
_WORK_A_POSITION: Final = 400
"""So much of a circuit's work takes about as long as making one position."""


class Variations:
    """Games like a given one that comes near: by far the best where the goal is rare.

    Steps with little choice are free, and a few others; the solver says what to do in them.
    """

    def __init__(self, space: Space, goal: SymbolicGoal, random: Random) -> None:
        """Goes over this space; ``goal``: the space's."""
        self._space = space
        self._goal = goal
        self._random = random
        self._picker = Picker(space, random)

    def run(self) -> Iterator[Node | None]:
        """Yields positions found in one varied game after the other, endlessly: see `Strategy.run`."""
        space = self._space
        for attempt in counter():
            path = [space.start]
            with suppress(NotDecided):
                while path[-1].moves < space.most and path[-1].position.decisions:
                    taken = self._quiet(path[-1]) if attempt % 2 == 0 else self._picker.pick(path[-1], {})
                    path.append(space.after(path[-1], taken))
                    yield space.found(path[-1])
            least = min(map(space.distance, path))
            nearest = self._random.choice([node for node in path if space.distance(node) == least])
            yield from self._varied(nearest, attempt)

    def _varied(self, node: Node, attempt: int) -> Iterator[Node | None]:
        """The result of the game that leads to a node when some of its steps are free."""
        space, start = self._space, self._space.start.position
        circuit = Circuit(space.deadline, _ATTEMPT)
        planner = Planner(start.ruleset, start.symbols, circuit, _NARROWING)
        counted = 0
        with suppress(NotDecided):
            for step in self._freed(node.path()[1:], attempt):
                try:
                    possible = planner.free(_WIDEST) if step is None else planner.fix(step)
                finally:
                    space.work += circuit.work // _WORK_A_POSITION - counted
                    counted = circuit.work // _WORK_A_POSITION
                if not possible:
                    break
                yield None
                aim = self._goal.literal(planner.state, circuit)
                for plan in islice(planner.plans(aim), _ALIKE):
                    yield space.found(self._replayed(plan))
        space.work += circuit.work // _WORK_A_POSITION - counted

    def _replayed(self, plan: list[Taken]) -> Node:
        node = self._space.start
        for taken in plan:
            node = self._space.after(node, taken)
        return node

    def _freed(self, path: list[Node], attempt: int) -> list[Taken | None]:
        """The steps of a game, None for those that are to be free; all are at its end where there is little choice."""
        has_many = [node.choices() > _MANY_CHOICES for node in path]
        tail = len(has_many) - has_many[::-1].index(True) if True in has_many else len(has_many)
        few = [i for i in range(tail) if not has_many[i]]
        many = [i for i in range(tail) if has_many[i]]
        if attempt % _CYCLE:
            few = self._random.sample(few, min(len(few), _FEW + attempt))
        many = self._random.sample(many, min(len(many), attempt % _CYCLE))
        free = {*few, *many, *range(tail, len(path))}
        steps = [None if i in free else dict(node.taken) for i, node in enumerate(path)]
        return [*steps, *[None] * _FREE_AFTERWARDS]

    def _quiet(self, node: Node) -> Taken:
        """A decision of everybody that changes as little as possible, such as to pass."""
        taken = {}
        kind = node.position.ruleset.kind
        for role, actions in self._space.actions(node).items():
            alike = Counter(map(kind, actions))
            few = [a for a in actions if alike[kind(a)] <= _RARE] or actions
            few = self._random.sample(few, min(len(few), _MANY_CHOICES))
            changes = {action: self._space.changes(node, role, action) for action in few}
            taken[role] = self._random.choice([a for a, n in changes.items() if n == min(changes.values())])
        return taken


@dataclass(frozen=True)
class Shares:
    """The shares of the strategies in the work."""

    breadth_first: float = 1
    best_first: float = 1
    playouts: float = 1
    variations: float = 4


class Search:
    """A search from a position for those that have the goal's property."""

    def __init__(
        self, start: Position, goal: Goal, limits: Limits, seed: int = 0, shares: Shares | None = None
    ) -> None:
        """See `reach` for the arguments; ``shares``: how work is shared out among the strategies."""
        self.space = Space(start, goal, limits)
        shares = shares or Shares()
        self._breadth_first = BreadthFirst(self.space)
        self._strategies: list[tuple[Strategy, float]] = [
            (self._breadth_first, shares.breadth_first),
            (BestFirst(self.space, Random(f"{seed} best first")), shares.best_first),
            (Playouts(self.space, Random(f"{seed} playouts")), shares.playouts),
        ]
        if isinstance(goal, SymbolicGoal):
            variations = Variations(self.space, goal, Random(f"{seed} variations"))
            self._strategies.append((variations, shares.variations))

    @property
    def exhausted(self) -> bool:
        """Whether all positions within the limit of moves have been seen."""
        return self._breadth_first.exhausted

    def __iter__(self) -> Iterator[Node | None]:
        """Yields what is found, and None after each piece of work in between.

        Ends when everything has been seen, or a limit of work or time has been reached.
        """
        space = self.space
        running = {number: strategy.run() for number, (strategy, _) in enumerate(self._strategies)}
        spent = dict.fromkeys(running, 0.0)
        while running and not self.exhausted:
            turn = min(running, key=spent.__getitem__)
            before = space.work
            try:
                found = next(running[turn])
            except StopIteration:
                del running[turn]
                continue
            space.work = max(space.work, before + 1)  # what makes no position must not go on forever either
            spent[turn] += (space.work - before) / self._strategies[turn][1]
            yield found
            if space.spent:
                return
