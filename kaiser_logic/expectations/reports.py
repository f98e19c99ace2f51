"""Outcomes of rows as JSON and JUnit XML."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from ..drawing.svg.pen import element, escape
from .running import FAILED, OPEN, PASSED, RowOutcome

FORMATS = ("text", "json", "junit")
"""The names of the formats; text is a line for each row that did not pass."""


def as_json(outcome: RowOutcome) -> dict[str, object]:
    """An outcome as plain data."""
    row = outcome.row
    return {
        "path": str(row.folder),
        "line": row.line,
        "kind": row.kind,
        "name": row.name,
        "status": outcome.status,
        "message": outcome.message or None,
    }


def junit(outcomes: Sequence[RowOutcome]) -> str:
    """A suite for each rulebook, a case for each row."""
    suites = [_suite(str(folder), list(rows)) for folder, rows in groupby(outcomes, lambda one: one.row.folder)]
    root = element("testsuites", "\n", *suites, name="kaiser-logic test", **_counts(outcomes))
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{root}\n'


def _suite(name: str, outcomes: Sequence[RowOutcome]) -> str:
    cases = [_case(name, outcome) for outcome in outcomes]
    return element("testsuite", "\n", *cases, name=name, **_counts(outcomes)) + "\n"


def _counts(outcomes: Sequence[RowOutcome]) -> dict[str, str | float | None]:
    return {
        "tests": str(len(outcomes)),
        "failures": str(sum(one.status == FAILED for one in outcomes)),
        "errors": str(sum(one.status == OPEN for one in outcomes)),
    }


def _case(classname: str, outcome: RowOutcome) -> str:
    inner = []
    if outcome.status != PASSED:
        tag = "failure" if outcome.status == FAILED else "error"
        inner = [element(tag, escape(str(outcome)), message=outcome.message)]
    return element("testcase", *inner, classname=classname, name=outcome.row.name) + "\n"
