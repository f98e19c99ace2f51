"""Reports on records as SARIF 2.1.0, JUnit XML or a table of comma-separated values."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from ..drawing.svg.pen import element, escape
from ..errors import visible_name
from ..linting.findings import log, result
from ..records.checking import Report
from ..records.fault import Fault

# -- sarif ---------------------------------------------------------------------------------------------------
#
# Faults of records in SARIF 2.1.0.


UNREADABLE: Final = "record.unreadable"
"""The rule that an unreadable record breaks."""
_PLACE: Final = re.compile(r"(.*?):(\d+):(\d+): ")


def sarif(checked: Sequence[Report]) -> str:
    """The log of one run."""
    rules = {f.rule: f.statement for report in checked for f in report.faults}
    if any(report.unreadable for report in checked):
        rules[UNREADABLE] = "A record can be read."
    rules = dict(sorted(rules.items()))
    order = list(rules)
    results: list[dict[str, Any]] = []
    for report in checked:
        if report.unreadable:
            results.append(_unreadable(report, order.index(UNREADABLE)))
        for fault in report.faults:
            name = Path(fault.path or "").name
            place = (fault.file, fault.line, fault.column)
            at = int(fault.place) if fault.place.isdigit() else fault.place or None
            identity = (name, at, fault.role, fault.action, fault.message)
            entry = result(fault.rule, order.index(fault.rule), "error", fault.message, place, identity)
            data = {"at": at, "role": fault.role, "action": fault.action, "sources": dict(fault.sources)}
            entry["properties"] = {key: value for key, value in data.items() if value not in (None, {})}
            results.append(entry)
    return json.dumps(log(rules, results), indent=2, ensure_ascii=False)


def _unreadable(report: Report, index: int) -> dict[str, Any]:
    file, match = report.source.file if report.source else report.path, _PLACE.match(report.unreadable)
    line, column = (int(match[2]), int(match[3])) if match else (0, 0)
    if match and not match[1].startswith(visible_name(file or "")):  # a file of the rulebook
        file = match[1]
    place = (file, line, column)
    return result(UNREADABLE, index, "error", report.unreadable, place, (Path(report.path or "").name,))


# -- junit ---------------------------------------------------------------------------------------------------
#
# Faults of records as JUnit XML: a suite for each record, a case for each fault.


def junit(checked: Sequence[Report]) -> str:
    """All suites of one run."""
    failures = sum(len(report.faults) for report in checked)
    errors = sum(bool(report.unreadable) for report in checked)
    suites = [_suite(report) for report in checked]
    tests = sum(max(1, len(report.faults)) for report in checked)
    root = element(
        "testsuites",
        "\n",
        *suites,
        name="kaiser-logic check",
        tests=str(tests),
        failures=str(failures),
        errors=str(errors),
    )
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{root}\n'


def _suite(report: Report) -> str:
    name = report.path or "the record"
    if report.unreadable:
        cases = [
            _case(
                name,
                "the record can be read",
                element("error", escape(report.unreadable), message=report.unreadable),
            )
        ]
    elif report.faults:
        cases = [_case(name, _case_name(fault), _failure(fault)) for fault in report.faults]
    else:
        cases = [_case(name, f"{report.moves} moves, all legal")]
    counts = {
        "tests": str(len(cases)),
        "failures": str(len(report.faults)),
        "errors": str(int(bool(report.unreadable))),
    }
    return element("testsuite", "\n", *cases, name=name, **counts) + "\n"


def _case(classname: str, name: str, *inner: str) -> str:
    return element("testcase", *inner, classname=classname, name=name) + "\n"


def _failure(fault: Fault) -> str:
    return element("failure", escape(str(fault)), type=fault.rule, message=fault.message)


def _case_name(fault: Fault) -> str:
    """The name of the case of a fault: place, move, rule."""
    parts = [
        f"@{fault.place}" if fault.place else "",
        f"{fault.role}: {fault.action}" if fault.role else "",
        fault.rule,
    ]
    return " ".join(filter(None, parts))


# -- csv table -----------------------------------------------------------------------------------------------
#
# Faults of records as a table of comma-separated values, for spreadsheets.


COLUMNS: Final = (
    "path", "line", "column", "after_moves", "role", "action", "rule", "message", "statement", "sources", "note",
)  # fmt: skip
"""The columns; ``after_moves`` is the place of FILE@PLACE."""


def csv_table(checked: Sequence[Report]) -> str:
    """A heading, and a row for each fault and for each record that cannot be read."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for report in checked:
        if report.unreadable:
            unread = (report.path, "", "", "", "", "", UNREADABLE, report.unreadable, "", "", "")
            writer.writerow(map(_cell, unread))
        for fault in report.faults:
            sources = "; ".join(f"{edition}: {place}" for edition, place in fault.sources.items())
            row = (
                fault.path, fault.line or "", fault.column or "", fault.place, fault.role, fault.action, fault.rule,
                fault.message, fault.statement, sources, fault.note,
            )  # fmt: skip
            writer.writerow(map(_cell, row))
    return out.getvalue()


def _cell(value: object) -> object:
    """A value as a cell. An apostrophe marks a text that a spreadsheet would read as a formula."""
    value = visible_name(value) if isinstance(value, str) else value
    if isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t", "\r"):
        return f"'{value}"
    return "" if value is None else value
