"""Where a fault stands in its record: after how many moves, as FILE@N counts them."""

from __future__ import annotations

from ..notation.record import Record
from ..records.fault import Fault


def moves_before(record: Record, fault: Fault) -> int | None:
    """How many moves stand before the fault's place; None where the record was never text, or for its tags."""
    if not fault.line or any((t.line, t.column) == (fault.line, fault.column) for t in record.tags):
        return None
    return sum((move.line, move.column) < (fault.line, fault.column) for move in record.moves)
