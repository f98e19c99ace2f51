"""Findings in SARIF 2.1.0, the format in which editors and code hosts show them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ..errors import Finding
from .kinds import KINDS


def sarif(findings: Iterable[Finding], version: str) -> dict[str, Any]:
    """The findings of one run as a SARIF log; ``version`` is the program's."""
    found = list(findings)
    used = sorted({finding.what for finding in found})
    rules = [{"id": what, "shortDescription": {"text": KINDS[what].about}} for what in used]
    driver = {"name": "kaiser-logic", "version": version, "rules": rules}
    return {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{"tool": {"driver": driver}, "results": [_result(f, used) for f in found]}],
    }


def _result(finding: Finding, used: list[str]) -> dict[str, Any]:
    place: dict[str, Any] = {"artifactLocation": {"uri": Path(finding.file).as_posix()}}
    if finding.line:
        place["region"] = {"startLine": finding.line, "startColumn": finding.column}
    return {
        "ruleId": finding.what,
        "ruleIndex": used.index(finding.what),
        "level": "error" if KINDS[finding.what].refuses else "warning",
        "message": {"text": finding.message},
        "locations": [{"physicalLocation": place}],
    }
