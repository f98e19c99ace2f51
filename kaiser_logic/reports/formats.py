"""The formats of reports on records."""

from __future__ import annotations

import importlib
from collections.abc import Iterable
from typing import Final

from ..errors import UnreadableInput, WrongUsage
from ..notation.reading import read
from ..notation.record import Record
from ..records.checking import Report

FORMATS: Final = {"sarif": "sarif", "junit": "junit", "csv": "csv_table"}
"""Each format of all reports in one text with its module here, which has a function ``render``."""


def render(reports: Iterable[Report], form: str, version: str = "") -> str:
    """All reports in one text; ``version`` is the program's, for the formats that say it."""
    if form not in FORMATS:
        raise WrongUsage(f"reports are written as {', '.join(FORMATS)}, not as {form!r}")
    module = importlib.import_module(f".{FORMATS[form]}", __package__)
    return str(module.render([(report, record_of(report)) for report in reports], version))


def record_of(report: Report) -> Record | None:
    """The record that a report is about, read once more for the places of its moves; None where that is impossible."""
    if report.path is None or report.unreadable or not report.faults:
        return None
    try:
        return read(report.path)
    except UnreadableInput:
        return None
