"""Where a fault stands in its record: after how many moves, as FILE@N counts them."""

from __future__ import annotations

from bisect import bisect_left
from typing import Final

from ..notation.record import Record
from ..records.fault import Fault

_OF_TAGS: Final = frozenset({"record.tag", "record.result"})
"""The rules that tags break."""


def moves_before(record: Record, fault: Fault) -> int | None:
    """How many moves stand before the fault's place; None where the record was never text, or for its tags."""
    if not fault.line or fault.rule in _OF_TAGS:
        return None
    return bisect_left(record.moves, (fault.line, fault.column), key=lambda move: (move.line, move.column))
