"""A stretch of a record with unknown moves: all ways to fill it in.

Mostly one walk over the items decides everything. Only where the record leaves open what belongs together (who of
several decides at the same time, whether an assertion stands before or after missing votes) each way is walked.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..evaluation.verdict import Violation
from ..notation.record import Item, Move
from ..notation.terms import Term
from ..records.fault import Fault
from .segment import Dead, Progress, Stretch
from .symbolic_replay import Walk


class Fillings:
    """The ways to fill a stretch, found one after the other by iterating once.

    Attributes:
        fault: When there was none: why not.
    """

    def __init__(self, stretch: Stretch, deadline: float, progress: Progress = lambda _: None) -> None:
        """Finds nothing yet."""
        self._stretch = stretch
        self._deadline = deadline
        self._progress = progress
        self.fault: Fault | None = None

    def __iter__(self) -> Iterator[tuple[Item, ...]]:
        """Different ones: different moves.

        Raises:
            NotDecided: The deadline has passed, or there is too much to choose from.
        """
        pending: list[tuple[int, ...]] = [()]
        seen: set[tuple[tuple[str, Term | None], ...]] = set()
        furthest = -1
        while pending:
            walk = Walk(self._stretch, pending.pop(), self._deadline, self._progress)
            found = False
            try:
                walk.run()
                for filling in walk.fillings():
                    moves = tuple((item.role, item.action) for item in filling if isinstance(item, Move))
                    found = True
                    if moves not in seen:
                        seen.add(moves)
                        yield filling
            except Dead as dead:
                if not seen and dead.step > furthest:
                    furthest, self.fault = dead.step, self._fault(dead)
            pending += walk.alternatives(found)
        if seen:
            self.fault = None

    def _fault(self, dead: Dead) -> Fault:
        stretch = self._stretch
        place = dead.place or stretch.end or (stretch.items[-1] if stretch.items else Move("", None))
        statement = stretch.start.ruleset.book.doc(dead.rule).statement
        return Fault.at(stretch.path, place, Violation(dead.rule, str(dead), (), {}, (), statement))
