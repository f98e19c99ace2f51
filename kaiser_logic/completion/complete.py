"""Fills the gaps of a record so that its moves, assertions, positions and result agree with the rules.

These moves are unknown: moves written `?`, also inside of an action (`deal(red,?)`); missing moves among simultaneous
decisions; and all moves between two position blocks that follow each other. Any other position block states that the moves
before it lead to exactly this position.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, product, zip_longest
from typing import Final

from ..engine import symbols
from ..errors import NotDecided, UnreadableInput, WrongUsage
from ..evaluation.origin import LISTED
from ..evaluation.start import broken_at_start, refuse_false_invariants
from ..evaluation.verdict import InvalidPosition, Violation, violation_of
from ..game import game_under
from ..notation.record import Assertion, Item, Move, PositionBlock, Record
from ..notation.terms import Term, has_unknown
from ..position import Position
from ..records.checking import Report, check
from ..records.fault import Fault, Place, objection
from ..records.tags import game_of
from ..rules.predicates import PUBLIC
from ..search.search import TO_A_POSITION, PositionGoal, Search, SearchLimits
from ..unrolling.circuit import Circuit
from ..unrolling.symbolic_state import Planner, Taken, equals
from .symbolic_replay import (
    ASSERTION,
    MOVE,
    NO_FILLING,
    POSITION,
    RESULT,
    DeadEnd,
    Progress,
    Segment,
    SymbolicReplay,
)

# -- first fault ---------------------------------------------------------------------------------------------
#
# The first fault of a segment that cannot be filled: the first item that is wrong for all fillings of the gaps before it.
#
# The branches of a replay do not show it: where a branch ends depends on its choices and on the order of its requirements.
# Therefore initial parts of the segment are filled by themselves. The first fault is the item up to which that is impossible,
# while it is possible up to the item before.


_SOMEWHERE: Final = "up to here the gaps cannot be filled; which place is the first wrong one was not found in time"


def first_fault(
    segment: Segment, ends: Sequence[DeadEnd], fails: Callable[[Segment], Sequence[DeadEnd] | None]
) -> Fault:
    """The fault of a segment that cannot be filled.

    Args:
        segment: The segment.
        ends: The places at which its branches ended.
        fails: Returns the places at which the branches of an initial part end, or None if the part can be filled. If it
            raises NotDecided, the fault says that it may not be the first.
    """
    last = len(segment.items) + (segment.end is not None or segment.result is not None)
    wrong, why = last, ends  # the part with this number of items cannot be filled; the end counts as an item
    right = 0  # the part with this number of items can be filled
    guess = max((_number(segment, end) for end in ends), default=last) - 1
    try:
        while wrong - right > 1:
            guess = min(max(guess, right + 1), wrong - 1)
            if (dead_ends := fails(_prefix(segment, guess))) is None:
                right, guess = guess, guess + 1
            else:
                wrong, why = guess, dead_ends
                guess = max((_number(segment, end) for end in dead_ends), default=guess) - 1
    except NotDecided:
        return _fault(segment, _item(segment, wrong), DeadEnd(None, wrong, _SOMEWHERE))
    return _common_fault(segment, wrong, why)


def _prefix(segment: Segment, number: int) -> Segment:
    """The segment up to an item. It still contains the next move, because an assertion may refer to it."""
    if number > len(segment.items):
        return segment
    following = next((item for item in segment.items[number:] if isinstance(item, Move)), None)
    items = segment.items[:number]
    return replace(segment, items=items, end=None, result=None, drawn=False, following=following)


def _item(segment: Segment, number: int) -> Item | None:
    """The item with a number, from 1; None for the end of the record."""
    return segment.items[number - 1] if 0 < number <= len(segment.items) else segment.end


def _number(segment: Segment, end: DeadEnd) -> int:
    """The number of the item at which a branch ended; if it ended at none, the number of items before its end."""
    for number, item in enumerate(segment.items, 1):
        if _is_at(end.place, item):
            return number
    return end.step + 1


def _is_at(place: Place | None, item: Item | None) -> bool:
    """Whether a place is an item or a part of it. Items are compared by identity, since equal moves may occur twice."""
    parts = item.literals if isinstance(item, Assertion) else ()
    facts = item.facts if isinstance(item, PositionBlock) else ()
    return place is item or any(place is part for part in (*parts, *facts))


def _common_fault(segment: Segment, number: int, ends: Sequence[DeadEnd]) -> Fault:
    """The fault of the branches that end at an item, if it is the same for all; otherwise a general fault of the item."""
    item = _item(segment, number)
    at_item = [end for end in ends if _is_at(end.place, item)]
    if at_item and len({(id(end.place), str(end), end.rule) for end in at_item}) == 1:
        return _fault(segment, at_item[0].place, at_item[0])
    message = MOVE if isinstance(item, Move) else ASSERTION if isinstance(item, Assertion) else POSITION
    rules = sorted({end.rule for end in at_item} - {NO_FILLING})
    message = RESULT if item is None else f"{message} (it would break {', '.join(rules)})" if rules else message
    return _fault(segment, item, DeadEnd(item, number, message))


def _fault(segment: Segment, place: Place | None, end: DeadEnd) -> Fault:
    place = place or segment.end or (segment.items[-1] if segment.items else segment.tag or Move("", None))
    return Fault.at(segment.path, place, violation_of(segment.start.ruleset, end.rule, str(end)))


class Solutions:
    """The fillings of a segment. They are found during the iteration, one after the other.

    Usually one replay is enough. If it has to take one of several branches, each other branch gets a replay of its own; the
    reason is in `SymbolicReplay`. Branches that read the record in another way come last. They are not needed if the usual
    reading has a filling without additional moves.

    Attributes:
        adds_moves: Whether no filling was found for which the usual reading adds no moves; set during the iteration.
        fault: The reason if there is no filling, in the usual reading of the record; set at the end of the iteration.
        ends: The dead ends of the branches of the usual reading.
    """

    def __init__(
        self,
        segment: Segment,
        deadline: float,
        progress: Progress = lambda _: None,
        readings: str = "needed",
        may_omit: bool = True,
    ) -> None:
        """Prepares the search.

        Args:
            segment: The segment.
            deadline: The time to stop, on the clock `time.monotonic` (seconds).
            progress: Called from time to time with a message.
            readings: Which readings of the record count: ``usual``, ``all``, or ``needed``: the usual one, and the others if it
                has no filling without additional moves.
            may_omit: Whether simultaneous moves may be missing.
        """
        self._segment = segment
        self._deadline = deadline
        self._progress = progress
        self._readings = readings
        self._may_omit = may_omit
        self.adds_moves = True
        self.fault: Fault | None = None
        self.ends: list[DeadEnd] = []

    def __iter__(self) -> Iterator[tuple[Item, ...]]:
        """The fillings, each with different moves.

        Raises:
            NotDecided: The deadline has passed, or there are too many choices.
        """
        is_filled = False
        for filling in self.solutions():
            is_filled = True
            yield filling
        if not is_filled:
            self.fault = first_fault(self._segment, self.ends, self._fails)

    def solutions(self) -> Iterator[tuple[Item, ...]]:
        """The same fillings, without the search for the fault if there is none."""
        seen: set[tuple[frozenset[Move], ...]] = set()
        usual: list[tuple[int, ...]] = [()]
        rereadings: list[tuple[int, ...]] = []
        while usual or (rereadings and self._rereads()):
            pending = usual or rereadings
            replay = SymbolicReplay(self._segment, pending.pop(), self._deadline, self._progress, self._may_omit)
            try:
                replay.run()
                for filling in replay.solutions():
                    if pending is usual and not replay.omissions:
                        self.adds_moves = False
                    moves = _decisions(filling, replay.sizes)
                    if moves not in seen:
                        seen.add(moves)
                        yield filling
            except DeadEnd as end:
                if pending is usual:
                    self.ends.append(end)
            pending += replay.branches.other_branches(rereads=False)
            rereadings += replay.branches.other_branches(rereads=True)

    def _rereads(self) -> bool:
        """Whether to read the record in other ways, too."""
        return self._readings == "all" or (self._readings == "needed" and self.adds_moves)

    def _fails(self, part: Segment) -> list[DeadEnd] | None:
        """The dead ends of an initial part of the segment in the usual reading; None if it can be filled."""
        solutions_of_part = Solutions(part, self._deadline, self._progress, "usual", self._may_omit)
        return solutions_of_part.ends if next(solutions_of_part.solutions(), None) is None else None


def _decisions(filling: Sequence[Item], sizes: Sequence[int]) -> tuple[frozenset[Move], ...]:
    """The moves of a filling, those carried out together as a set: their order makes no difference."""
    moves = iter([Move(item.role, item.action) for item in filling if isinstance(item, Move)])
    together = [frozenset(islice(moves, size)) for size in sizes]
    return (*together, *(frozenset([move]) for move in moves))


# -- planned solutions ------------------------------------------------------------------------------------------------
#
# The moves between two positions that follow each other in a record.
#
# Few moves are found, or proved impossible, with free steps whose number grows by one each time. More moves are found by a
# search of positions that come nearer and nearer to the end. That search cannot prove that there are no moves.


_PLANNING: Final = 0.4
"""The share of the work for the method with free steps; the rest is for the search."""
_WORK_A_SECOND: Final = 60_000
"""The work of a circuit in a second on a slow machine, in the unit of `Circuit.work`.

It converts the time limit to an amount of work, so that the result is the same on every machine."""
_OTHERS: Final = 2 * _WORK_A_SECOND
"""The least amount of work for a second solution; otherwise it is the same as for the first."""


class PlannedSolutions:
    """The fillings of a segment without moves: sequences of moves from its start to its end.

    They are found during the iteration, one after the other. The assertions of the segment are about its start.

    Attributes:
        limited: Whether there may be longer sequences, which were not tried; set at the end of the iteration.
        fault: The reason if there is no filling; set at the end of the iteration.
    """

    def __init__(self, segment: Segment, max_gap: int, seconds: float, deadline: float, progress: Progress) -> None:
        """Prepares the search.

        Args:
            segment: The segment.
            max_gap: The largest number of moves.
            seconds: The time limit, which determines the amount of work for each method.
            deadline: The time to stop, on the clock `time.monotonic` (seconds).
            progress: Called from time to time with a message.
        """
        assert segment.end is not None
        self.fault: Fault | None = None
        self.limited = False
        self._segment = segment
        self._most = max_gap
        self._deadline = deadline
        self._effort = _WORK_A_SECOND * seconds
        self._progress = progress
        self._target = frozenset(symbols.symbol(term) for term in segment.end.terms)

    def __iter__(self) -> Iterator[tuple[Item, ...]]:
        """Different ways, the shortest first as long as the method with free steps finds them.

        Raises:
            NotDecided: Another way was neither found nor excluded.
        """
        before = Solutions(replace(self._segment, end=None), self._deadline, self._progress)
        if next(iter(before), None) is None:  # an assertion is wrong, whatever the moves are
            self.fault = before.fault
            return
        is_filled = False
        try:
            for plan in self._plans():
                is_filled = True
                yield self._items(plan)
        except NotDecided:
            if not is_filled:
                yield from self._search_filling()
            raise NotDecided("there may be other ways between the positions") from None
        if not is_filled:
            segment = self._segment
            assert segment.end is not None
            at_most = f", at most {self._most}," if self.limited else ""
            message = f"no legal moves{at_most} lead from the position before to this one"
            self.fault = Fault.at(segment.path, segment.end, Violation(NO_FILLING, message, (), {}))

    def _items(self, plan: list[Taken]) -> tuple[Item, ...]:
        moves = [Move(role, symbols.term(action)) for taken in plan for role, action in taken.items()]
        return (*self._segment.items, *moves)

    def _plans(self) -> Iterator[list[Taken]]:
        """All plans, with more and more steps. After the first plan, the work for others is limited."""
        start = self._segment.start
        circuit = Circuit(self._deadline, _PLANNING * self._effort)
        planner = Planner(start.ruleset, start.symbols, circuit)
        has_plan = False
        for steps in range(self._most + 1):
            self._progress(f"{steps} moves between two positions")
            for plan in planner.plans(equals(planner.state, circuit, self._target)):
                if sum(map(len, plan)) > self._most:
                    self.limited = True
                    continue
                yield plan
                if not has_plan:
                    has_plan = True
                    circuit.effort = circuit.work + max(_OTHERS, circuit.work)
            if not planner.free():
                return
        self.limited = True

    def _search_filling(self) -> Iterator[tuple[Item, ...]]:
        """One filling, if the search finds it."""
        limits = SearchLimits(self._most, seconds=max(0.0, self._deadline - time.monotonic()))
        search = Search(self._segment.start, PositionGoal(self._target), limits, shares=TO_A_POSITION)
        for node in search:
            if node is not None:
                yield (*self._segment.items, *node.items())
                return
            self._progress(search.space.state())
        if not search.exhausted:
            raise NotDecided("the way to the next position was not found")


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
        """The difference in one line."""
        one = f"{self.role}: {self.action}" if self.role else "nothing"
        other = f"{self.other_role}: {self.other_action}" if self.other_role else "nothing"
        return f"move {self.number}: {one} or {other}"


@dataclass(frozen=True)
class Completion:
    """The result of completing a record.

    Attributes:
        records: Different completions, at most as many as the caller wants.
        unique: Whether the first completion is the only one; None if that was not decided in time.
        differs: The differences between the first two completions.
        fault: The proved reason if there is no completion: the first place that is wrong for all fillings of the gaps before
            it. If the time was too short to prove that it is the first, it is the first place that is known to be wrong.
        within: If not None, more moves between two positions that follow each other were not tried. Then ``unique`` and
            ``impossible`` are about completions with at most so many.
    """

    records: tuple[Record, ...]
    unique: bool | None = None
    differs: tuple[MoveDifference, ...] = ()
    fault: Fault | None = None
    within: int | None = None

    @property
    def impossible(self) -> bool:
        """Whether it is proved that the gaps cannot be filled by actions that the rulebook lists (see ``within``)."""
        return not self.records


def complete(
    record: Record,
    timeout: float = 60.0,
    limit: int = 2,
    max_gap: int = 40,
    progress: Progress = lambda _: None,
    may_omit: bool = True,
    began: float | None = None,
) -> Completion:
    """Fills the gaps of a record.

    Args:
        record: The record.
        timeout: The time limit in seconds. It also determines the amount of work for each method. So the result does not
            depend on the speed of the machine, unless the limit is reached.
        limit: The number of completions that are wanted. With 1, the result does not tell whether there are more.
        max_gap: The largest number of moves between two positions that follow each other.
        progress: Called from time to time with a message.
        may_omit: Whether simultaneous moves may be missing. In the usual reading of the record, a move that can belong to the
            pending simultaneous decisions does. In another reading, the votes of all other players are missing there, and the
            move comes after them. Other readings count if the usual one adds votes or has no completion.
        began: When the time began, by :func:`time.monotonic`; by default now.

    Raises:
        NotDecided: Neither a completion nor a proof that there is none was found in time, or the plain engine refuses what was
            found.
        UnreadableInput: There is no such game, the board file does not fit it, or a position contains a `?`.
    """
    deadline = (time.monotonic() if began is None else began) + timeout
    choices: list[tuple[tuple[Item, ...], ...]] = []
    decided = True
    segments: list[Segment] = []
    wrong: Fault | None = None
    try:
        for segment in _segments(record):
            segments.append(segment)
    except _FaultyRecord as faulty:
        wrong = faulty.fault  # an earlier segment may be wrong, too; then its fault is reported
    within: int | None = None
    adding: set[bool] = set()  # whether the usual reading adds moves, in each segment
    certain: list[int] = []  # the segments in which it does not
    for segment in segments:
        solutions: Solutions | PlannedSolutions = Solutions(segment, deadline, progress, may_omit=may_omit)
        if segment.end is not None and not _has_moves(segment):
            solutions = PlannedSolutions(segment, max_gap, timeout, deadline, progress)
        fillings: list[tuple[Item, ...]] = []
        try:
            fillings.extend(islice(solutions, max(1, limit)))
        except NotDecided as error:
            decided = False
            if not fillings and wrong is not None:  # proved, but perhaps not the first fault
                return Completion((), fault=wrong)
            if not fillings:
                raise _limit_message(error, segment, timeout) from None
        if isinstance(solutions, PlannedSolutions):
            within = max_gap if solutions.limited else within
        else:
            adding.add(solutions.adds_moves)
            certain += [] if solutions.adds_moves else [len(choices)]
        if not fillings:
            return _none(solutions, segment, max_gap)
        choices.append(tuple(fillings))
    if wrong is not None:
        return Completion((), fault=wrong)
    if True in adding:  # then other readings count in these segments, too
        decided = all([_reread(segments[n], n, choices, deadline, max(1, limit)) for n in certain]) and decided
    records = tuple(
        replace(record, items=items) for items in islice(_combine(record, segments, choices), max(1, limit))
    )
    _refuse_illegal(records)
    unique = False if len(records) > 1 else True if decided and limit > 1 else None
    return Completion(records, unique, tuple(_differences(records)), within=within)


def _refuse_illegal(records: Sequence[Record]) -> None:
    """Refuses completions that the plain engine does not play. Variations are not judged."""
    for record in records:
        items = tuple(replace(x, variations=()) if isinstance(x, Move) else x for x in record.items)
        if faults := check(replace(record, items=items)).faults:
            raise NotDecided(f"a fault of the tool: a completion was found that is not legal: {faults[0]}")


def _none(solutions: Solutions | PlannedSolutions, segment: Segment, max_gap: int) -> Completion:
    """The answer that a segment cannot be filled. If no moves are given, it rests on invariants."""
    if not isinstance(solutions, PlannedSolutions):
        return Completion((), fault=solutions.fault)
    refuse_false_invariants(segment.start.evaluator)
    return Completion((), fault=solutions.fault, within=max_gap if solutions.limited else None)


def _reread(
    segment: Segment, number: int, choices: list[tuple[tuple[Item, ...], ...]], deadline: float, limit: int
) -> bool:
    """Replaces the fillings of a segment by those in all readings; False if the time was too short for them."""
    fillings: list[tuple[Item, ...]] = []
    try:
        fillings.extend(islice(Solutions(segment, deadline, readings="all"), limit))
    except NotDecided:
        choices[number] = tuple(fillings) or choices[number]
        return False
    choices[number] = tuple(fillings)
    return True


def _has_moves(segment: Segment) -> bool:
    return any(isinstance(item, Move) for item in segment.items)


def _limit_message(error: NotDecided, segment: Segment, timeout: float) -> NotDecided:
    first = segment.before + 1
    return NotDecided(f"from move {first} on, within {timeout:g} seconds: {error}")


# -- parts of a record ---------------------------------------------------------------------------------------


class _FaultyRecord(Exception):
    """No filling of the gaps makes the record legal."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(str(fault))
        self.fault = fault


def _segments(record: Record) -> Iterator[Segment]:
    """The segments of a record, which its position blocks separate. They can be filled independently of one another."""
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
    tag = next((tag for tag in record.tags if tag.name == "Result"), None)
    yield Segment(position, tuple(part), None, record.result, record.path, before, record.drawn, tag=tag)


def _position(record: Record, block: Item, before: Position) -> Position:
    assert isinstance(block, PositionBlock)
    for fact in block.facts:
        if has_unknown(fact.term):
            raise UnreadableInput(
                f"{fact.term}: a position must not contain a '?'", record.path, fact.line, fact.column
            )
    try:
        return game_under(before.ruleset.configuration).position_of(block.terms, seated=True)
    except InvalidPosition as error:
        broken = error.broken[0]
        if {one.invariant for one in error.broken} & {name for name, _ in broken_at_start(before.evaluator)}:
            refuse_false_invariants(before.evaluator)
        message = f"{broken.invariant}: {broken.message} ({broken.witness})"
        raise _FaultyRecord(Fault.at(record.path, block, objection("record.position", message))) from None


def _combine(
    record: Record, segments: list[Segment], choices: list[tuple[tuple[Item, ...], ...]]
) -> Iterator[tuple[Item, ...]]:
    """The items of the whole record, for each combination of fillings of its segments."""
    head = record.items[:1] if record.items and isinstance(record.items[0], PositionBlock) else ()
    ends = [(segment.end,) if segment.end else () for segment in segments]
    for fillings in product(*choices):
        parts = (part for filling, end in zip(fillings, ends, strict=True) for part in (*filling, *end))
        yield (*head, *parts)


def _differences(records: tuple[Record, ...]) -> Iterator[MoveDifference]:
    for number, (one, other) in enumerate(zip_longest(*(r.moves for r in records[:2])), 1) if len(records) > 1 else ():
        if one != other:
            first = (one.role, one.action) if one else (None, None)
            second = (other.role, other.action) if other else (None, None)
            yield MoveDifference(number, *first, *second)


# -- view ----------------------------------------------------------------------------------------------------
#
# Records as one role saw the game. Everything that the role did not see is ``?``.
#
# Such a record is legal exactly if its gaps can be filled. So one filling, as in ``complete``, is enough.


def check_view(record: Record, role: str, timeout: float = 60.0) -> Report:
    """Checks a record in which ``?`` stands for everything that a role did not see.

    Args:
        record: The record. It must state the role's own moves.
        role: The role; ``public`` for what all players saw.
        timeout: The time limit in seconds.

    Raises:
        NotDecided: The time was too short.
        UnreadableInput: As in `complete`; or the record has gaps and variations, which are not judged then.
        WrongUsage: There is no such role.
    """
    game, faults = game_of(record)
    if faults:
        return check(record)
    if role not in (PUBLIC, *game.seats):
        raise WrongUsage(f"{role!r} takes no part in this game: {', '.join((PUBLIC, *game.seats))}")
    moves = [item for item in record.items if isinstance(item, Move)]
    if not any(move.action is None or has_unknown(move.action) for move in moves):
        return check(record)
    for one in record.variations.values():
        message = "a variation of a record with gaps is not judged: leave it out, or fill the gaps"
        raise UnreadableInput(message, record.path, one.line, one.column)
    own = tuple(
        Fault.at(record.path, move, objection("record.view", f"{role} knows what {role} did"), number=record.number)
        for move in moves
        if move.role == role and (move.action is None or has_unknown(move.action))
    )
    if own:
        return Report(record.path, own, len(moves))
    completion = complete(record, timeout, limit=1, may_omit=False)
    if completion.fault is not None:  # gaps are filled with listed actions
        return Report(record.path, (replace(completion.fault, note=LISTED),), len(moves))
    full = check(completion.records[0])
    return replace(full, path=record.path, moves=len(moves), judged=len(moves))
