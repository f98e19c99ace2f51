"""Faults of records as a table of comma-separated values, for spreadsheets."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import Final

from ..errors import visible_name
from ..notation.record import Record
from ..records.checking import Report
from .place import moves_before

COLUMNS: Final = (
    "path", "line", "column", "after_moves", "role", "action", "rule", "message", "statement", "sources", "note",
)  # fmt: skip
"""What stands in the columns; ``after_moves`` is the N of FILE@N."""


def render(checked: Sequence[tuple[Report, Record | None]], version: str = "") -> str:
    """A heading, and a line for each fault and each record that cannot be read."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for report, record in checked:
        if report.unreadable:
            writer.writerow(
                map(
                    _cell,
                    (report.path, "", "", "", "", "", "record.unreadable", report.unreadable, "", "", ""),
                )
            )
        for fault in report.faults:
            at = moves_before(record, fault) if record is not None else None
            sources = "; ".join(f"{edition}: {place}" for edition, place in fault.sources.items())
            row = (
                fault.path, fault.line or "", fault.column or "", at, fault.role, fault.action, fault.rule,
                fault.message, fault.statement, sources, fault.note,
            )  # fmt: skip
            writer.writerow(map(_cell, row))
    return out.getvalue()


def _cell(value: object) -> object:
    """A value as a cell, fit for a terminal; a text that a spreadsheet would take for a formula is told to be a text."""
    value = visible_name(value) if isinstance(value, str) else value
    if isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t", "\r"):
        return f"'{value}"
    return "" if value is None else value
