"""The moves between two positions that follow one another in a record.

Few moves are found, or proved not to be, by leaving one step more free each time. What takes more than that is searched
for from position to position, nearer and nearer; that finds something or nothing, and proves nothing.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from ..engine import symbols
from ..errors import NotDecided
from ..evaluation.verdict import Violation
from ..notation.record import Item, Move
from ..records.fault import Fault
from ..search.goal import PositionGoal
from ..search.search import Search, Shares
from ..search.space import Limits
from ..unrolling.circuit import Circuit
from ..unrolling.planner import Planner, Taken, equals
from .fillings import Fillings
from .segment import NO_FILLING, Progress, Segment

_PLANNING: Final = 0.4
"""The share of the work in which steps are left free; the rest is for the search."""
_WORK_A_SECOND: Final = 60_000
"""What a circuit works in a second on a machine of no great speed, in the unit of `Circuit.work`.

It makes the time that is allowed an amount of work, so that what is done in it is the same everywhere."""
_OTHERS: Final = 2 * _WORK_A_SECOND
"""At least so much work is spent on a second way; else as much as on the first."""
_SHARES: Final = Shares(breadth_first=0.2, best_first=4, playouts=0.2, variations=1)
"""To a given position single moves lead nearer and nearer: best first does most."""


class Bridging:
    """The ways from the start of a segment without moves to its end, found one after the other by iterating once.

    Its assertions are about the start.

    Attributes:
        fault: When there was none: why not.
    """

    def __init__(
        self, segment: Segment, max_gap: int, seconds: float, deadline: float, progress: Progress
    ) -> None:
        """Finds nothing yet.

        Args:
            segment: What is to be bridged.
            max_gap: The most moves.
            seconds: The time that the whole question is given: what says how much work is done in which way.
            deadline: When to give up, on the clock `time.monotonic` (seconds).
            progress: Told from time to time what is going on.
        """
        assert segment.end is not None
        self.fault: Fault | None = None
        self._segment = segment
        self._most = max_gap
        self._deadline = deadline
        self._effort = _WORK_A_SECOND * seconds
        self._progress = progress
        self._target = frozenset(symbols.symbol(term) for term in segment.end.terms)

    def __iter__(self) -> Iterator[tuple[Item, ...]]:
        """Different ones, the shortest first as long as steps are left free.

        Raises:
            NotDecided: That there is another one is neither found nor excluded.
        """
        before = Fillings(replace(self._segment, end=None), self._deadline, self._progress)
        if next(iter(before), None) is None:  # an assertion is wrong, wherever the moves lead
            self.fault = before.fault
            return
        found = False
        try:
            for plan in self._planned():
                found = True
                yield self._items(plan)
        except NotDecided:
            if not found:
                yield from self._searched()
            raise NotDecided("there may be other ways between the positions") from None
        if not found:
            segment = self._segment
            assert segment.end is not None
            message = f"no legal moves, at most {self._most}, lead from the position before to this one"
            self.fault = Fault.at(segment.path, segment.end, Violation(NO_FILLING, message, (), {}))

    def _items(self, plan: list[Taken]) -> tuple[Item, ...]:
        moves = [Move(role, symbols.term(action)) for taken in plan for role, action in taken.items()]
        return (*self._segment.items, *moves)

    def _planned(self) -> Iterator[list[Taken]]:
        """All plans, one step longer each time; once there is one, the work for others is little."""
        start = self._segment.start
        circuit = Circuit(self._deadline, _PLANNING * self._effort)
        planner = Planner(start.ruleset, start.symbols, circuit)
        found = False
        for steps in range(self._most + 1):
            self._progress(f"{steps} moves between two positions")
            for plan in planner.plans(equals(planner.state, circuit, self._target)):
                if sum(map(len, plan)) <= self._most:
                    yield plan
                    if not found:
                        found = True
                        circuit.effort = circuit.work + max(_OTHERS, circuit.work)
            if steps == self._most or not planner.free():
                return

    def _searched(self) -> Iterator[tuple[Item, ...]]:
        """One way, if the search comes to it."""
        limits = Limits(self._most, seconds=max(0.0, self._deadline - time.monotonic()))
        search = Search(self._segment.start, PositionGoal(self._target), limits, shares=_SHARES)
        for node in search:
            if node is not None:
                yield (*self._segment.items, *node.items())
                return
            self._progress(search.space.state())
        if not search.exhausted:
            raise NotDecided("the way to the next position was not found")
