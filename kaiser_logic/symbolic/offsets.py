"""What is known of a number that comes from a counter without a limit: what is added to the counter's value.

Where such a number can be, others can be too, that have nothing to do with counters:

    due(R,N+5) :- points(R,N), took(R).
    due(R,20)  :- player(R), not took(R).

In the last argument of ``due`` is a counter's value with 5 added, or 20. Who compares it with points compares these with
each other and with 20.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

from ..transform.number_terms import Refused

_MOST_OFFSETS: Final = 60
_MOST_FIXED: Final = 400


@dataclass(frozen=True)
class Fixed:
    """A number that can be where a counter's value can be, and is none.

    Attributes:
        number: The number; None if it is not known beforehand.
    """

    number: int | None


Offsets: TypeAlias = frozenset[int | Fixed]
"""What is added to a counter's value there; and which other numbers can be there."""

NOTHING: Final[Offsets] = frozenset()


def few(offsets: Offsets) -> Offsets:
    """The same, where it is not too much to be followed; of too many other numbers none is known.

    Raises:
        Refused: Too much is added.
    """
    fixed = {o for o in offsets if isinstance(o, Fixed)}
    if len(offsets) - len(fixed) > _MOST_OFFSETS:
        raise Refused("a number grows from rule to rule")
    return offsets - fixed | {Fixed(None)} if len(fixed) > _MOST_FIXED else offsets


def moved_by(offsets: Offsets, by: int) -> Offsets:
    """The numbers with something added."""
    return frozenset(
        o + by if isinstance(o, int) else Fixed(None if o.number is None else o.number + by) for o in offsets
    )
