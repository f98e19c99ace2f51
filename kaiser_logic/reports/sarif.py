"""Faults of records in SARIF 2.1.0."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from ..linting.sarif import log, result
from ..notation.record import Record
from ..records.checking import Report
from .place import moves_before

UNREADABLE: Final = "record.unreadable"
"""The rule that a record breaks which cannot be read."""
_PLACE: Final = re.compile(r":(\d+):(\d+): ")


def render(checked: Sequence[tuple[Report, Record | None]], version: str = "") -> str:
    """The log of one run; ``version`` is the program's."""
    rules = {f.rule: f.statement for report, _ in checked for f in report.faults}
    if any(report.unreadable for report, _ in checked):
        rules[UNREADABLE] = "A record can be read."
    rules = dict(sorted(rules.items()))
    order = list(rules)
    results: list[dict[str, Any]] = []
    for report, record in checked:
        if report.unreadable:
            results.append(_unreadable(report, order.index(UNREADABLE)))
        for fault in report.faults:
            at = moves_before(record, fault) if record is not None else None
            name = Path(fault.path or "").name
            place = (fault.path, fault.line, fault.column)
            apart = (name, at, fault.role, fault.action, fault.message)
            found = result(fault.rule, order.index(fault.rule), "error", fault.message, place, apart)
            data = {"at": at, "role": fault.role, "action": fault.action, "sources": dict(fault.sources)}
            found["properties"] = {key: value for key, value in data.items() if value not in (None, {})}
            results.append(found)
    return json.dumps(log(rules, results, version), indent=2, ensure_ascii=False)


def _unreadable(report: Report, index: int) -> dict[str, Any]:
    match = _PLACE.search(report.unreadable)
    line, column = (int(match[1]), int(match[2])) if match else (0, 0)
    place = (report.path, line, column)
    return result(UNREADABLE, index, "error", report.unreadable, place, (Path(report.path or "").name,))
