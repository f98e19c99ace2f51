"""Faults of records as JUnit XML: a suite for each record, a case for each fault."""

from __future__ import annotations

from collections.abc import Sequence

from ..drawing.svg.pen import element, escaped
from ..notation.record import Record
from ..records.checking import Report
from ..records.fault import Fault
from .place import moves_before


def render(checked: Sequence[tuple[Report, Record | None]], version: str = "") -> str:
    """The suites of one run."""
    failures = sum(len(report.faults) for report, _ in checked)
    errors = sum(bool(report.unreadable) for report, _ in checked)
    suites = [_suite(report, record) for report, record in checked]
    tests = sum(max(1, len(report.faults)) for report, _ in checked)
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


def _suite(report: Report, record: Record | None) -> str:
    name = report.path or "the record"
    if report.unreadable:
        cases = [
            _case(
                name,
                "the record can be read",
                element("error", escaped(report.unreadable), message=report.unreadable),
            )
        ]
    elif report.faults:
        cases = [_case(name, _called(fault, record), _failure(fault)) for fault in report.faults]
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
    return element("failure", escaped(str(fault)), type=fault.rule, message=fault.message)


def _called(fault: Fault, record: Record | None) -> str:
    """A fault as the name of a case: place, move, rule."""
    at = moves_before(record, fault) if record is not None else None
    parts = [
        "" if at is None else f"@{at}",
        f"{fault.role}: {fault.action}" if fault.role else "",
        fault.rule,
    ]
    return " ".join(filter(None, parts))
