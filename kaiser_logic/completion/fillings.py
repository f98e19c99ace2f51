"""A segment of a record with unknown moves: all ways to fill it in."""

from __future__ import annotations

from collections.abc import Iterator

from ..evaluation.verdict import Violation
from ..notation.record import Item, Move
from ..notation.terms import Term
from ..records.fault import Fault
from .segment import DeadEnd, Progress, Segment
from .symbolic_replay import SymbolicReplay


class Fillings:
    """The ways to fill a segment, found one after the other by iterating once.

    Mostly one replay decides everything. Where it had to take one of several branches, each of the others gets a replay
    of its own: see `SymbolicReplay` for why.

    Attributes:
        fault: When there was none: why not.
    """

    def __init__(self, segment: Segment, deadline: float, progress: Progress = lambda _: None) -> None:
        """Finds nothing yet; ``deadline``: when to give up, on the clock `time.monotonic` (seconds)."""
        self._segment = segment
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
            replay = SymbolicReplay(self._segment, pending.pop(), self._deadline, self._progress)
            found = False
            try:
                replay.run()
                for filling in replay.fillings():
                    moves = tuple((item.role, item.action) for item in filling if isinstance(item, Move))
                    found = True
                    if moves not in seen:
                        seen.add(moves)
                        yield filling
            except DeadEnd as end:
                if not seen and end.step > furthest:
                    furthest, self.fault = end.step, self._fault(end)
            pending += replay.branches.others(found)
        if seen:
            self.fault = None

    def _fault(self, end: DeadEnd) -> Fault:
        segment = self._segment
        place = end.place or segment.end or (segment.items[-1] if segment.items else Move("", None))
        statement = segment.start.ruleset.book.doc(end.rule).statement
        return Fault.at(segment.path, place, Violation(end.rule, str(end), (), {}, (), statement))
