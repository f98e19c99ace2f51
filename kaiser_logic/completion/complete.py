"""Fills the gaps of a record so that its moves, assertions, positions and result agree with the rules.

These moves are unknown: moves written `?`, also inside of an action (`deal(red,?)`); missing moves among simultaneous
decisions; and all moves between two position blocks that follow each other. Any other position block states that the moves
before it lead to exactly this position.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice, product, zip_longest

from ..errors import NotDecided, UnreadableInput, WrongUsage
from ..evaluation.verdict import InvalidPosition
from ..game import game_under
from ..notation.record import Assertion, Item, Move, PositionBlock, Record
from ..notation.terms import Term, has_unknown
from ..position import Position
from ..records.checking import Report, check
from ..records.fault import Fault, objection
from ..records.tags import game_of
from .solutions import PlannedSolutions, Solutions
from .symbolic_replay import Progress, Segment


@dataclass(frozen=True)
class MoveDifference:
    """A move in which two completions differ.

    Attributes:
        number: The number of the move in the record, from 1.
        role: Its role in the first completion.
        action: Its action in the first completion; None if that has fewer moves.
        other_role: Its role in the second completion.
        other_action: Its action in the second completion.
    """

    number: int
    role: str | None
    action: Term | None
    other_role: str | None
    other_action: Term | None

    def __str__(self) -> str:
        """One line."""
        one = f"{self.role}: {self.action}" if self.role else "nothing"
        other = f"{self.other_role}: {self.other_action}" if self.other_role else "nothing"
        return f"move {self.number}: {one} or {other}"


@dataclass(frozen=True)
class Completion:
    """The result of completing a record.

    Attributes:
        records: Different completions, at most as many as the caller wants; none if there is none.
        unique: Whether the first is the only one; None if that was not decided in time.
        differs: The first difference between the first two.
        fault: Why there is none: the first place that no filling of the gaps before it makes right. That is proved. If the
            time ends before it is proved that this is the first such place, it is the first place that is known to be
            wrong.
    """

    records: tuple[Record, ...]
    unique: bool | None = None
    differs: tuple[MoveDifference, ...] = ()
    fault: Fault | None = None

    @property
    def impossible(self) -> bool:
        """Whether it is proved that the gaps cannot be filled."""
        return not self.records


def complete(
    record: Record,
    timeout: float = 60.0,
    limit: int = 2,
    max_gap: int = 40,
    progress: Progress = lambda _: None,
) -> Completion:
    """Fills the gaps of a record.

    Args:
        record: The record.
        timeout: The time limit in seconds. It also determines the amount of work for each method, so that the result does
            not depend on the speed of the machine, unless the limit is reached.
        limit: The number of completions that are wanted. With 1 the result does not say whether there are more.
        max_gap: The largest number of moves between two positions that follow each other.
        progress: Is called from time to time with a message.

    Raises:
        NotDecided: Neither a completion nor a proof that there is none was found in time.
        UnreadableInput: There is no such game, the board file does not fit it, or a position leaves facts open.
    """
    deadline = time.monotonic() + timeout
    found: list[tuple[tuple[Item, ...], ...]] = []
    decided = True
    segments: list[Segment] = []
    wrong: Fault | None = None
    try:
        for segment in _segments(record):
            segments.append(segment)
    except _FaultyRecord as faulty:
        wrong = faulty.fault  # what stands before it may be wrong too, and comes first
    for segment in segments:
        solutions: Solutions | PlannedSolutions = Solutions(segment, deadline, progress)
        if segment.end is not None and not any(isinstance(item, Move) for item in segment.items):
            solutions = PlannedSolutions(segment, max_gap, timeout, deadline, progress)
        fillings: list[tuple[Item, ...]] = []
        try:
            fillings.extend(islice(solutions, max(1, limit)))
        except NotDecided as error:
            decided = False
            if (
                not fillings and wrong is not None
            ):  # that nothing fits is certain, only not that this is the first
                return Completion((), fault=wrong)
            if not fillings:
                raise _limit_message(error, segment, timeout) from None
        if not fillings:
            return Completion((), fault=solutions.fault)
        found.append(tuple(fillings))
    if wrong is not None:
        return Completion((), fault=wrong)
    records = tuple(
        replace(record, items=items) for items in islice(_combined(record, segments, found), max(1, limit))
    )
    unique = False if len(records) > 1 else True if decided and limit > 1 else None
    return Completion(records, unique, tuple(_differences(records)))


def _limit_message(error: NotDecided, segment: Segment, timeout: float) -> NotDecided:
    first = segment.before + 1
    return NotDecided(f"not decided in {timeout:g} seconds, from move {first} on: {error}")


# -- parts of a record ---------------------------------------------------------------------------------------


class _FaultyRecord(Exception):
    """No filling of the gaps makes the record legal."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(str(fault))
        self.fault = fault


def _segments(record: Record) -> Iterator[Segment]:
    """The record, cut at its position blocks. What comes after a known position does not depend on what comes before it."""
    game, faults = game_of(record)
    if faults:
        raise _FaultyRecord(faults[0])
    items = list(record.items)
    position = game.initial()
    if items and isinstance(items[0], PositionBlock):
        position = _position(record, items.pop(0), position)
    part: list[Move | Assertion] = []
    before = 0
    for item in items:
        if isinstance(item, PositionBlock):
            try:
                end = _position(record, item, position)
            except _FaultyRecord:
                yield Segment(position, tuple(part), None, None, record.path, before)
                raise
            yield Segment(position, tuple(part), item, None, record.path, before)
            before += sum(isinstance(one, Move) for one in part)
            position, part = end, []
        else:
            part.append(item)
    yield Segment(position, tuple(part), None, record.result, record.path, before, record.drawn)


def _position(record: Record, block: Item, before: Position) -> Position:
    assert isinstance(block, PositionBlock)
    for fact in block.facts:
        if has_unknown(fact.term):
            raise UnreadableInput(
                f"{fact.term}: a position leaves nothing open", record.path, fact.line, fact.column
            )
    try:
        return game_under(before.ruleset.configuration).position_of(block.terms)
    except InvalidPosition as error:
        broken = error.broken[0]
        message = f"{broken.invariant}: {broken.message} ({broken.witness})"
        raise _FaultyRecord(Fault.at(record.path, block, objection("record.position", message))) from None


def _combined(
    record: Record, segments: list[Segment], found: list[tuple[tuple[Item, ...], ...]]
) -> Iterator[tuple[Item, ...]]:
    """All items of the record, for each combination of the fillings of its segments."""
    head = record.items[:1] if record.items and isinstance(record.items[0], PositionBlock) else ()
    ends = [(segment.end,) if segment.end else () for segment in segments]
    for fillings in product(*found):
        parts = (part for filling, end in zip(fillings, ends, strict=True) for part in (*filling, *end))
        yield (*head, *parts)


def _differences(records: tuple[Record, ...]) -> Iterator[MoveDifference]:
    for number, (one, other) in (
        enumerate(zip_longest(*(r.moves for r in records[:2])), 1) if len(records) > 1 else ()
    ):
        if one != other:
            first = (one.role, one.action) if one else (None, None)
            second = (other.role, other.action) if other else (None, None)
            yield MoveDifference(number, *first, *second)


# -- view ----------------------------------------------------------------------------------------------------
#
# Records from a real table, in which everything that a role could not see is ``?``.
#
# Such a record is legal exactly if there is a full record that fits it. The gaps are filled by the rules, as in ``complete``,
# but one filling is enough.


PUBLIC = "public"


def check_view(record: Record, role: str, timeout: float = 60.0) -> Report:
    """Checks a record as ``role`` saw the game (``public``: as all players saw it).

    A role knows its own moves, so the record must state them. Raises NotDecided if the time was too short.
    """
    game, faults = game_of(record)
    if faults:
        return check(record)
    if role not in (PUBLIC, *game.seats):
        raise WrongUsage(f"{role!r} takes no part in this game: {', '.join((PUBLIC, *game.seats))}")
    moves = [item for item in record.items if isinstance(item, Move)]
    if not any(move.action is None or has_unknown(move.action) for move in moves):
        return check(record)
    own = tuple(
        Fault(
            record.path,
            move.line,
            move.column,
            role,
            str(move.action or "?"),
            "record.view",
            f"{role} knows what {role} did",
            "A role's own moves are written out.",
        )
        for move in moves
        if move.role == role and (move.action is None or has_unknown(move.action))
    )
    if own:
        return Report(record.path, own, len(moves))
    completion = complete(record, timeout, limit=1)
    if completion.fault is not None or not completion.records:
        return Report(record.path, (completion.fault,) if completion.fault else (), len(moves))
    full = check(completion.records[0])
    return Report(
        record.path, full.faults, len(moves), len(moves), full.final, full.result, assumed=full.assumed
    )
