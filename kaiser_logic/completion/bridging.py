"""The moves between two positions that follow one another in a record.

Few moves are found, or proved not to be, by opening one step after the other. What takes more than that is searched
for from position to position, nearer and nearer; that finds something or nothing, and proves nothing.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Final

from ..engine import symbols
from ..errors import NotDecided
from ..evaluation.verdict import Violation
from ..notation.record import Item, Move
from ..records.fault import Fault
from ..search.search import Search
from ..unrolling.planner import Loosened, Taken, equals
from .segment import NO_FILLING, Progress, Stretch

_OPENING: Final = 0.4
"""The share of the time in which steps are opened."""
_OTHERS: Final = 2.0
"""At least so many seconds are spent on a second way; else as many as on the first."""


class Between:
    """The ways from the start of a stretch without moves to its end, found one after the other by iterating once.

    Its assertions are about the start.

    Attributes:
        fault: When there was none: why not.
    """

    def __init__(self, stretch: Stretch, max_gap: int, deadline: float, progress: Progress) -> None:
        """``max_gap``: the most moves."""
        assert stretch.end is not None
        self.fault: Fault | None = None
        self._stretch = stretch
        self._most = max_gap
        self._deadline = deadline
        self._progress = progress
        self._target = frozenset(symbols.symbol(term) for term in stretch.end.terms)

    def __iter__(self) -> Iterator[tuple[Item, ...]]:
        """Different ones, the shortest first as long as steps are opened.

        Raises:
            NotDecided: That there is another one is neither found nor excluded.
        """
        found = False
        try:
            for course in self._opened():
                found = True
                yield self._items(course)
        except NotDecided:
            if not found:
                yield from self._searched()
            raise NotDecided("there may be other ways between the positions") from None
        if not found:
            stretch = self._stretch
            assert stretch.end is not None
            message = f"no legal moves, at most {self._most}, lead from the position before to this one"
            self.fault = Fault.at(stretch.path, stretch.end, Violation(NO_FILLING, message, (), {}))

    def _items(self, course: list[Taken]) -> tuple[Item, ...]:
        moves = [Move(role, symbols.term(action)) for taken in course for role, action in taken.items()]
        return (*self._stretch.items, *moves)

    def _opened(self) -> Iterator[list[Taken]]:
        """All courses, one step longer each time; once there is one, the time for others is short."""
        began = time.monotonic()
        loosened = Loosened(self._stretch.start, began + _OPENING * (self._deadline - began))
        found = False
        for steps in range(self._most + 1):
            self._progress(f"{steps} moves between two positions")
            for course in loosened.courses(equals(loosened.trail, loosened.circuit, self._target)):
                if sum(map(len, course)) <= self._most:
                    yield course
                    if not found:
                        found, now = True, time.monotonic()
                        loosened.circuit.deadline = min(self._deadline, now + max(_OTHERS, now - began))
            if steps == self._most or not loosened.open():
                return

    def _searched(self) -> Iterator[tuple[Item, ...]]:
        """One course, if the search comes to it."""
        target = self._target
        search = Search(
            self._stretch.start,
            lambda position: position.symbols == target,
            lambda position: len(position.symbols ^ target),
            self._most,
            aim=lambda trail, circuit: equals(trail, circuit, target),
            shares=(0.2, 4, 0.2, 1),
        )
        for node in search:
            if node is not None:
                yield (*self._stretch.items, *node.items())
                return
            if time.monotonic() >= self._deadline:
                raise NotDecided("the way to the next position was not found")
            self._progress(search.state())
