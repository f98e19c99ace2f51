"""Findings in SARIF 2.1.0, the format in which editors and code hosts show them; also what reports on records share."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from ..errors import Finding
from .kinds import KINDS


def sarif(findings: Iterable[Finding], version: str) -> dict[str, Any]:
    """The findings of one run as a SARIF log; ``version`` is the program's."""
    found = list(findings)
    used = sorted({finding.what for finding in found})
    rules = {what: KINDS[what].about for what in used}
    return log(rules, [_result(finding, used) for finding in found], version)


def log(rules: Mapping[str, str], results: Sequence[Mapping[str, Any]], version: str) -> dict[str, Any]:
    """A SARIF log of one run.

    Args:
        rules: The rules that results name, each with what it demands, in the order of their indices.
        results: What was found: see `result`.
        version: The program's.
    """
    described = [{"id": name, "shortDescription": {"text": about or name}} for name, about in rules.items()]
    driver = {"name": "kaiser-logic", "version": version, "rules": described}
    return {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{"tool": {"driver": driver}, "results": list(results)}],
    }


def result(
    rule: str,
    index: int,
    level: str,
    message: str,
    place: tuple[str | None, int, int],
    told_apart_by: Sequence[object] = (),
) -> dict[str, Any]:
    """One result of a run.

    Args:
        rule: The rule's id.
        index: Its place among the rules of the run.
        level: ``error`` or ``warning``.
        message: What is wrong.
        place: The file, or None; line and column from 1, or 0 where there is none.
        told_apart_by: What stays the same when lines are inserted elsewhere: made into a fingerprint.
    """
    file, line, column = place
    found: dict[str, Any] = {"ruleId": rule, "ruleIndex": index, "level": level, "message": {"text": message}}
    if file is not None:
        physical: dict[str, Any] = {"artifactLocation": {"uri": quote(Path(file).as_posix())}}
        if line:
            physical["region"] = {"startLine": line, "startColumn": max(column, 1)}
        found["locations"] = [{"physicalLocation": physical}]
    if told_apart_by:
        text = "\n".join(map(str, (rule, *told_apart_by)))
        digest = hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()
        found["partialFingerprints"] = {"kaiserLogic/v1": digest[:32]}
    return found


def _result(finding: Finding, used: list[str]) -> dict[str, Any]:
    level = "error" if KINDS[finding.what].refuses else "warning"
    place = (finding.file, finding.line, finding.column)
    return result(
        finding.what,
        used.index(finding.what),
        level,
        finding.message,
        place,
        (Path(finding.file).name, finding.message),
    )
