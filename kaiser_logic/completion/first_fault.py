"""Where a segment that cannot be filled goes wrong: at its first item that no filling of the gaps before makes right.

The branches of a replay do not say it. Each ends where its own way shows to be none; which item that is depends on what
the branch has taken together, and on the order in which it demands things. So the items up to one are filled by
themselves: the place is the item up to which they cannot be, while up to the one before they can.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from ..errors import NotDecided
from ..evaluation.verdict import Violation
from ..notation.record import Assertion, Item, Move, PositionBlock
from ..records.fault import Fault, Place
from .segment import NO_FILLING, DeadEnd, Segment

_MOVE: Final = "this cannot be legal here, however the gaps before are filled"
_ASSERTION: Final = "this cannot be so, however the gaps are filled"
_POSITION: Final = "this position cannot be reached, however the gaps are filled"
_RESULT: Final = "the result cannot be this, however the gaps are filled"
_SOMEWHERE: Final = (
    "up to here the gaps cannot be filled; which place is the first wrong one was not found in time"
)


def first_fault(
    segment: Segment, ends: Sequence[DeadEnd], fails: Callable[[Segment], Sequence[DeadEnd] | None]
) -> Fault:
    """The fault of a segment that cannot be filled.

    Args:
        segment: The segment.
        ends: Where its branches ended.
        fails: Where the branches of a part of it end; None if the part can be filled. It may raise NotDecided: then the
            fault says that it may not be the first.
    """
    last = len(segment.items) + (segment.end is not None or segment.result is not None)
    wrong, why = last, ends  # so many items, the end counted as one, cannot be filled
    right = 0  # so many can
    guess = max((_number(segment, end) for end in ends), default=last) - 1
    try:
        while wrong - right > 1:
            guess = min(max(guess, right + 1), wrong - 1)
            if (found := fails(_cut(segment, guess))) is None:
                right, guess = guess, guess + 1
            else:
                wrong, why = guess, found
                guess = max((_number(segment, end) for end in found), default=guess) - 1
    except NotDecided:
        return _fault(segment, _item(segment, wrong), DeadEnd(None, wrong, _SOMEWHERE))
    return _told(segment, wrong, why)


def _cut(segment: Segment, number: int) -> Segment:
    """The segment up to an item. It still knows which move follows, for that tells what an assertion is about."""
    if number > len(segment.items):
        return segment
    following = next((item for item in segment.items[number:] if isinstance(item, Move)), None)
    items = segment.items[:number]
    return replace(segment, items=items, end=None, result=None, drawn=False, following=following)


def _item(segment: Segment, number: int) -> Item | None:
    """The item of that number, counted from 1; None for the end of the record."""
    return segment.items[number - 1] if 0 < number <= len(segment.items) else segment.end


def _number(segment: Segment, end: DeadEnd) -> int:
    """At which item a branch ended; where it ended at none, after so many as it had gone over."""
    for number, item in enumerate(segment.items, 1):
        if _stands_at(end.place, item):
            return number
    return end.step + 1


def _stands_at(place: Place | None, item: Item | None) -> bool:
    """Whether a place is an item, by identity since equal moves may come twice, or a part of it."""
    parts = item.literals if isinstance(item, Assertion) else ()
    facts = item.facts if isinstance(item, PositionBlock) else ()
    return place is item or any(place is part for part in (*parts, *facts))


def _told(segment: Segment, number: int, ends: Sequence[DeadEnd]) -> Fault:
    """What the branches say that end at the item, if they agree; else only that it cannot be."""
    item = _item(segment, number)
    here = [end for end in ends if _stands_at(end.place, item)]
    if here and len({(id(end.place), str(end), end.rule) for end in here}) == 1:
        return _fault(segment, here[0].place, here[0])
    message = _MOVE if isinstance(item, Move) else _ASSERTION if isinstance(item, Assertion) else _POSITION
    rules = sorted({end.rule for end in here} - {NO_FILLING})
    message = (
        _RESULT if item is None else f"{message} (it would break {', '.join(rules)})" if rules else message
    )
    return _fault(segment, item, DeadEnd(item, number, message))


def _fault(segment: Segment, place: Place | None, end: DeadEnd) -> Fault:
    place = place or segment.end or (segment.items[-1] if segment.items else Move("", None))
    statement = segment.start.ruleset.book.doc(end.rule).statement
    return Fault.at(segment.path, place, Violation(end.rule, str(end), (), {}, (), statement))
