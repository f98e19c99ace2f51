"""Searches legal moves for a position with a property.

Several strategies take turns. *Breadth first* visits all positions; if they are few, it proves that none has the property.
*Best first* prefers positions that are near the goal. *Playouts* are random games that learn. *Variations* leave some steps
of a random game free, and the solver chooses them.

Turns are shared by counted work, not by time. So with the same seed and limits a search does the same on every machine. The
clock only determines when it ends.
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
# A position that a search has reached, and the way to it.


@dataclass(frozen=True, eq=False)
class Node:
    """A position and the way to it.

    Attributes:
        position: The position.
        before: The previous node; None at the start.
        taken: The moves from the previous node to this one.
        moves: The number of moves from the start.
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
        """The moves from the start to this node."""
        return tuple(Move(role, symbols.term(action)) for node in self.path() for role, action in node.taken)

    def choices(self) -> int:
        """The number of combinations of legal actions at the previous node; 0 at the start."""
        return math.prod(map(len, self.before.position.legal().values())) if self.before else 0


# -- goal ----------------------------------------------------------------------------------------------------
#
# The property that a search looks for.


class Goal(Protocol):
    """A property of positions, with a distance that guides the search."""

    @property
    def words(self) -> frozenset[str]:
        """The constants in the property, such as ``green``. Actions that contain them are chosen more often."""

    def holds(self, position: Position) -> bool:
        """Whether the position has the property."""

    def distance(self, position: Position) -> int:
        """The number of unmet parts of the property; 0 exactly if it holds."""


@runtime_checkable
class SymbolicGoal(Goal, Protocol):
    """A goal that can also be evaluated in symbolic states. This helps to find rare properties."""

    def literal(self, state: SymbolicState, circuit: Circuit) -> Literal:
        """The literal that the property holds in a symbolic state."""


class PositionGoal:
    """The goal to reach one given position."""

    words: frozenset[str] = frozenset()

    def __init__(self, facts: Iterable[clingo.Symbol]) -> None:
        """``facts``: the facts of the position."""
        self._facts = frozenset(facts)

    def holds(self, position: Position) -> bool:
        """Whether it is the position."""
        return position.symbols == self._facts

    def distance(self, position: Position) -> int:
        """The number of missing and superfluous facts."""
        return len(position.symbols ^ self._facts)

    def literal(self, state: SymbolicState, circuit: Circuit) -> Literal:
        """The literal that a symbolic state is the position."""
        return equals(state, circuit, self._facts)


_MOST_COMBINED: Final = 4096
"""The largest number of combinations of simultaneous decisions."""


@dataclass(frozen=True)
class SearchLimits:
    """The limits of a search.

    Attributes:
        moves: The largest number of moves of a game.
        positions: The largest amount of work, in positions made. Other work counts as the positions that could be made in
            about the same time.
        seconds: The time limit. It only ends a search, and has no other influence on what is found.
    """

    moves: int = 60
    positions: float = FOREVER
    seconds: float = 60.0


class Space:
    """The positions that can be reached from a start.

    Attributes:
        start: The start.
        goal: The property that is looked for.
        limits: The limits of the search.
        deadline: The time when the search ends, on the clock `time.monotonic` (seconds).
        most: The largest number of moves: at first that of the limits, and smaller if only shorter games are wanted.
        work: The work done so far, in positions made.
    """

    def __init__(self, start: Position, goal: Goal, limits: SearchLimits) -> None:
        """A space in which no position has been visited. The time limit begins now."""
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

    def node_if_found(self, node: Node) -> Node | None:
        """The node if its position has the property, else None."""
        near = node.moves <= self.most and self.distance(node) == 0
        return node if near and self.goal.holds(node.position) else None

    def distance(self, node: Node) -> int:
        """The distance of a position from the goal."""
        known = self._distance.get(node.position)
        if known is None:
            known = self._distance[node.position] = self.goal.distance(node.position)
        return known

    def node_after(self, node: Node, taken: Taken) -> Node:
        """The node after the actions of all roles that decide."""
        self.work += 1
        judgement = node.position.evaluator.judge(node.position.symbols, taken)
        position = node.position.successor(judgement)
        return Node(position, node, tuple(taken.items()), node.moves + len(taken))

    def changes(self, node: Node, role: str, action: clingo.Symbol) -> int:
        """The number of facts that an action itself changes."""
        self.work += 1
        judgement = node.position.evaluator.judge(node.position.symbols, {role: action})
        return len(judgement.added) + len(judgement.deleted)

    @staticmethod
    def actions(node: Node) -> dict[str, list[clingo.Symbol]]:
        """The sorted legal actions of each role; NotDecided if there are too many to list."""
        legal = node.position.legal()
        return {role: [symbols.read_symbol(action) for action in actions] for role, actions in legal.items()}

    def choices(self, node: Node) -> dict[str, list[clingo.Symbol]]:
        """The same where a game goes on; NotDecided also if a role that has to decide has no legal action."""
        actions_of = self.actions(node)
        if not all(actions_of.values()):
            raise NotDecided("somebody has to decide and has no legal action")
        return actions_of

    def successors(self, node: Node) -> Iterator[Node]:
        """The nodes after each combination of legal actions; NotDecided if there are too many to list."""
        actions = self.actions(node)
        if math.prod(map(len, actions.values())) > _MOST_COMBINED:
            raise NotDecided("too many decisions at the same time")
        for taken in product(*actions.values()) if actions else ():
            yield self.node_after(node, dict(zip(actions, taken, strict=True)))

    def state(self) -> str:
        """The progress of the search, in words."""
        nearest = min(self._distance.values(), default=0)
        return f"{len(self._distance)} positions seen, {nearest} unmet in the best of them"


# -- strategies ----------------------------------------------------------------------------------------------
#
# Strategies that make one position after the other.
#
# Each strategy yields nodes with the property, and None after each other piece of work, so that the other strategies get their
# turns. It ends if it has nothing left to do.


Nodes: TypeAlias = Iterator[Node | None]
"""What a strategy yields."""
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


class BreadthFirst:
    """Visits all positions, those after fewer moves first. If they are few, it proves that none has the property.

    Attributes:
        exhausted: Whether all positions within the limit of moves have been visited.
        listed: Whether all actions could be listed so far.
        moves: The number of moves to the position that is expanded.
        seen: The positions seen so far, each with the least number of moves to it.
        expected: The number of positions that will be seen if no later level is larger or smaller than this one.
    """

    def __init__(self, space: Space) -> None:
        """A search of this space."""
        self.exhausted = False
        self.listed = True
        self.moves = 0
        self.seen: dict[Position, int] = {space.start.position: 0}
        self.expected = 1
        self._space = space

    def run(self) -> Nodes:
        """Yields the nodes found, those after fewer moves first."""
        space, seen, order = self._space, self.seen, counter()
        queue = [(0, next(order), space.start)]
        yield space.node_if_found(space.start)
        while queue:
            moves, _, node = heapq.heappop(queue)
            if moves > self.moves:
                self.moves = moves
                self.expected = len(seen) + (len(queue) + 1) * (space.most - moves)
            if seen[node.position] < moves or moves >= space.most:
                continue
            try:
                for successor in space.successors(node):
                    hit = None
                    shorter = seen.get(successor.position, math.inf) > successor.moves
                    if successor.moves <= space.most and shorter:
                        seen[successor.position] = successor.moves
                        heapq.heappush(queue, (successor.moves, next(order), successor))
                        hit = space.node_if_found(successor)
                    yield hit
            except NotDecided:  # too many actions to list
                self.listed = False
        self.exhausted = self.listed


def best_first(space: Space, random: Random) -> Nodes:
    """Visits positions near the goal first. This is good if single moves lead nearer to the goal.

    Of positions with the same distance, those after more moves are first; ``random`` orders those that are otherwise equal.
    """
    queue = [(0, 0, 0.0, space.start)]
    seen = {space.start.position}
    while queue:
        node = heapq.heappop(queue)[-1]
        if node.moves >= space.most:
            continue
        with suppress(NotDecided):
            for successor in space.successors(node):
                hit = None
                if successor.moves <= space.most and successor.position not in seen:
                    seen.add(successor.position)
                    key = space.distance(successor), -successor.moves, random.random()
                    heapq.heappush(queue, (*key, successor))
                    hit = space.node_if_found(successor)
                yield hit


class Picker:
    """Chooses actions at random. Kinds of action are equally probable, except for learnt weights and words of the goal."""

    def __init__(self, space: Space, random: Random) -> None:
        """For the goal of this space."""
        self._space = space
        self._random = random
        self._mentioned: dict[clingo.Symbol, int] = {}

    def pick(self, node: Node, weights: Weights) -> Taken:
        """An action for each role that decides; NotDecided if there are too many to list, or a role has none."""
        taken = {}
        for role, actions in self._space.choices(node).items():
            kinds = list(map(node.position.ruleset.kind, actions))
            odds = [
                math.exp(weights.get((role, action), 0.0) + self._bias(role, action)) / kinds.count(kind)
                for action, kind in zip(actions, kinds, strict=True)
            ]
            taken[role] = self._random.choices(actions, odds)[0]
        return taken

    def _bias(self, role: str, action: clingo.Symbol) -> float:
        common = self._mentioned.get(action)
        if common is None:
            parts = walk(symbols.value(action))
            words = {str(part) if isinstance(part, int) else part.name for part in parts}
            common = self._mentioned[action] = len(words & self._space.goal.words)
        return _MENTIONED * (common + (role in self._space.goal.words))


def playouts(space: Space, random: Random) -> Nodes:
    """Random games that learn, one after the other, endlessly.

    They begin at the start, or at a node on the way to the best position so far. The actions on that way become more
    probable.
    """
    picker = Picker(space, random)
    weights: dict[tuple[str, clingo.Symbol], float] = {}
    best, idle = space.start, 0
    while True:
        node = nearest = space.start if random.random() < _AFRESH else random.choice(best.path())
        yield None
        with suppress(NotDecided):
            while node.moves < space.most and node.position.decisions:
                node = space.node_after(node, picker.pick(node, weights))
                yield (hit := space.node_if_found(node))
                if space.distance(node) < space.distance(nearest) and node.moves <= space.most:
                    nearest = node
                if hit:
                    break
        idle = 0 if space.distance(nearest) < space.distance(best) else idle + 1
        if space.distance(nearest) <= space.distance(best):
            best = nearest
        # the actions on the way to the best node become more probable; all others slowly lose their weights
        weights = {choice: weight * _FADING for choice, weight in weights.items()}
        for choice in (choice for node in best.path() for choice in node.taken):
            weights[choice] = min(_TRUST, weights.get(choice, 0.0) + _LEARNING)
        if idle > _FORGETTING:
            weights, best, idle = {}, space.start, 0


# -- variations ----------------------------------------------------------------------------------------------
#
# Variations of a game that comes near the goal: some of its steps are left free, and the solver chooses them.


_MANY_CHOICES: Final = 20
"""The largest number of choices at a step "with little choice"."""
_WIDEST: Final = 400
"""The largest number of choices at a free step; with more, the step is excluded."""
_ALIKE: Final = 3
"""The number of variations of a game for each of its steps."""
_FEW: Final = 4
"""The least number of free steps, if not all steps with few choices are free."""
_CYCLE: Final = 4
"""The length of a cycle of attempts. The first attempt of a cycle leaves free exactly the steps with little choice. Each
further one leaves one more step with much choice free."""
_FREE_AFTERWARDS: Final = 2
"""The number of free steps after the game's own."""
_RARE: Final = 2
"""The largest number of legal actions of a kind for which that kind is assumed to change little."""
_NARROWING: Final = 0.1
"""The share of the work that goes into finding out what is certain."""
_ATTEMPT: Final = 600_000
"""The work spent on the variations of one game, in the unit of `Circuit.work`."""
_WORK_A_POSITION: Final = 400
"""The work of a circuit that takes about as long as making one position."""


class Variations(Picker):
    """Variations of games that come near the goal: by far the best strategy for rare goals.

    Steps with little choice are free, and a few others. The solver chooses their actions.
    """

    def __init__(self, space: Space, goal: SymbolicGoal, random: Random) -> None:
        """A search of this space; ``goal``: the goal of the space."""
        super().__init__(space, random)
        self._goal = goal

    def run(self) -> Nodes:
        """Yields the nodes found in variations of one game after the other, endlessly."""
        space = self._space
        for attempt in counter():
            path = [space.start]
            with suppress(NotDecided):
                while path[-1].moves < space.most and path[-1].position.decisions:
                    taken = self._quiet(path[-1]) if attempt % 2 == 0 else self.pick(path[-1], {})
                    path.append(space.node_after(path[-1], taken))
                    yield space.node_if_found(path[-1])
            if len(path) == 1:  # nothing can be played, and nothing varied: the others must have their turns
                yield None
            least = min(map(space.distance, path))
            nearest = self._random.choice([node for node in path if space.distance(node) == least])
            yield from self._vary(nearest, attempt)

    def _vary(self, node: Node, attempt: int) -> Nodes:
        """Yields the nodes found in variations of the game that leads to a node."""
        space, start = self._space, self._space.start.position
        circuit = Circuit(space.deadline, _ATTEMPT)
        planner = Planner(start.ruleset, start.symbols, circuit, _NARROWING)
        counted = 0
        with suppress(NotDecided):
            for step in self._free_steps(node.path()[1:], attempt):
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
                    yield space.node_if_found(self._replay(plan))
        space.work += circuit.work // _WORK_A_POSITION - counted

    def _replay(self, plan: list[Taken]) -> Node:
        node = self._space.start
        for taken in plan:
            node = self._space.node_after(node, taken)
        return node

    def _free_steps(self, path: list[Node], attempt: int) -> list[Taken | None]:
        """The steps of a game, with None for a free step. All steps after the last one with much choice are free."""
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
        """For each role that decides an action that changes little, such as passing."""
        taken = {}
        kind = node.position.ruleset.kind
        for role, actions in self._space.choices(node).items():
            counts = Counter(map(kind, actions))
            few = [a for a in actions if counts[kind(a)] <= _RARE] or actions
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


ANYWHERE: Final = Shares()
"""The shares if many positions may have the property."""
TO_A_POSITION: Final = Shares(breadth_first=0.2, best_first=4, playouts=0.2, variations=1)
"""The shares if the goal is one position. Single moves lead nearer to it, so best first is good."""


class Search:
    """A search from a position for positions with the goal's property."""

    def __init__(
        self, start: Position, goal: Goal, limits: SearchLimits, seed: int = 0, shares: Shares = ANYWHERE
    ) -> None:
        """See `reach` for the arguments; ``shares``: the shares of the strategies in the work."""
        self.space = Space(start, goal, limits)
        self._breadth_first = BreadthFirst(self.space)
        self._strategies = [
            (self._breadth_first.run(), shares.breadth_first),
            (best_first(self.space, Random(f"{seed} best first")), shares.best_first),
            (playouts(self.space, Random(f"{seed} playouts")), shares.playouts),
        ]
        if isinstance(goal, SymbolicGoal):
            variations = Variations(self.space, goal, Random(f"{seed} variations"))
            self._strategies.append((variations.run(), shares.variations))

    @property
    def exhausted(self) -> bool:
        """Whether all positions within the limit of moves have been visited."""
        return self._breadth_first.exhausted

    def __iter__(self) -> Nodes:
        """Yields nodes with the property, and None after each other piece of work.

        Ends when all positions have been visited, or a limit of work or time has been reached.
        """
        space = self.space
        spent = dict.fromkeys(range(len(self._strategies)), 0.0)
        while spent and not self.exhausted:
            turn = min(spent, key=spent.__getitem__)
            strategy, share = self._strategies[turn]
            before = space.work
            try:
                hit = next(strategy)
            except StopIteration:
                del spent[turn]
                continue
            space.work = max(space.work, before + 1)  # so that a turn without new positions counts, too
            spent[turn] += (space.work - before) / share
            yield hit
            if space.spent:
                return
