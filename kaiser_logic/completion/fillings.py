"""A segment of a record with unknown moves: all ways to fill it in."""

from __future__ import annotations

from collections.abc import Iterator

from ..notation.record import Item, Move
from ..notation.terms import Term
from ..records.fault import Fault
from .first_fault import first_fault
from .segment import DeadEnd, Progress, Segment
from .symbolic_replay import SymbolicReplay


class Fillings:
    """The ways to fill a segment, found one after the other by iterating once.

    Mostly one replay decides everything. Where it had to take one of several branches, each of the others gets a replay
    of its own: see `SymbolicReplay` for why.

    Attributes:
        fault: When there was none: why not.
        ends: Where the branches ended that lead nowhere.
    """

    def __init__(self, segment: Segment, deadline: float, progress: Progress = lambda _: None) -> None:
        """Finds nothing yet; ``deadline``: when to give up, on the clock `time.monotonic` (seconds)."""
        self._segment = segment
        self._deadline = deadline
        self._progress = progress
        self.fault: Fault | None = None
        self.ends: list[DeadEnd] = []

    def __iter__(self) -> Iterator[tuple[Item, ...]]:
        """Different ones: different moves.

        Raises:
            NotDecided: The deadline has passed, or there is too much to choose from.
        """
        found = False
        for filling in self.ways():
            found = True
            yield filling
        if not found:
            self.fault = first_fault(self._segment, self.ends, self._fails)

    def ways(self) -> Iterator[tuple[Item, ...]]:
        """The same, without looking for the fault where there is none."""
        pending: list[tuple[int, ...]] = [()]
        seen: set[tuple[tuple[str, Term | None], ...]] = set()
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
                self.ends.append(end)
            pending += replay.branches.others(found)

    def _fails(self, part: Segment) -> list[DeadEnd] | None:
        """Where the branches of a part of the segment end; None if it can be filled."""
        ways = Fillings(part, self._deadline, self._progress)
        return ways.ends if next(ways.ways(), None) is None else None
