"""The search for a position in which something holds, over legal moves.

Several strategies take turns. *Breadth first* sees everything, and proves, where the space is small, that there is
nothing. *Best first* follows what is missing. *Playouts* are random games that learn. *Variations* leave steps of such
a game free and ask the solver.

Turns are shared by counted work, never by time: with the same seed and limits a search does the same on every machine,
whatever else that has to do. Its deadline is the only thing that looks at the clock, and only ends it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from ..position import Position
from .goal import Goal, SymbolicGoal
from .node import Node
from .space import Limits, Space
from .strategies import BestFirst, BreadthFirst, Playouts, Strategy
from .variations import Variations


@dataclass(frozen=True)
class Shares:
    """How work is shared out among the strategies."""

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
        """What is found, and None after each piece of work in between.

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
