"""Games like one that comes near, of which some steps are left free and given to the solver."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from itertools import count as counter
from itertools import islice
from random import Random
from typing import Final

from ..errors import NotDecided
from ..unrolling.circuit import Circuit
from ..unrolling.planner import Planner, Taken
from .goal import SymbolicGoal
from .node import Node
from .space import Space
from .strategies import Picker

_WIDE: Final = 20
"""With more choice than this a step is free only if it is one of a few."""
_WIDEST: Final = 400
"""Where it turns out that there is more choice than this, the step is not free but excluded."""
_ALIKE: Final = 3
"""So many variations of one game are taken for each of its steps."""
_FEW: Final = 4
"""Where not all steps with little choice are free, at least so many are."""
_CYCLE: Final = 4
"""Of so many attempts one leaves all steps with little choice free and no others; then there is one more each time."""
_FREE_AFTERWARDS: Final = 2
"""So many free steps come after the game's own."""
_RARE: Final = 2
"""A kind of action of which there are at most so many is taken for one that changes little."""
_NARROWING: Final = 0.1
"""The share of the work that goes into finding out what is certain."""
_ATTEMPT: Final = 600_000
"""How long one game is varied, in the unit of `Circuit.work`."""
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
        """Positions found in one varied game after the other, without end: see `Strategy.run`."""
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
        """What comes of the game that leads to a node when some of its steps are free."""
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
        wide = [node.choices() > _WIDE for node in path]
        tail = len(wide) - wide[::-1].index(True) if True in wide else len(wide)
        few = [i for i in range(tail) if not wide[i]]
        many = [i for i in range(tail) if wide[i]]
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
            few = self._random.sample(few, min(len(few), _WIDE))
            changes = {action: self._space.changes(node, role, action) for action in few}
            taken[role] = self._random.choice([a for a, n in changes.items() if n == min(changes.values())])
        return taken
