"""Reports for other tools: SARIF, JUnit, CSV."""

import csv
import io
import json
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from support import EXAMPLES
from support.sarif import faults

from kaiser_logic.linting.findings import sarif
from kaiser_logic.linting.lint import lint
from kaiser_logic.records.checking import Report, check, check_many
from kaiser_logic.reports.formats import csv_table, junit
from kaiser_logic.reports.formats import sarif as log_of

FAULTY = [EXAMPLES / "faults" / f"{name}.game" for name in ("many-rules", "tags", "binary", "wrong-result")]


@pytest.fixture(scope="module")
def reports():
    return [*check_many(FAULTY, on_illegal="skip"), check(EXAMPLES / "worked" / "phase-3-marriage.game")]


def test_sarif_meets_its_schema(reports):
    log = json.loads(log_of(reports))
    assert list(faults(log)) == []
    (run,) = log["runs"]
    ids = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert all(ids[result["ruleIndex"]] == result["ruleId"] for result in run["results"])
    assert len(run["results"]) == sum(len(r.faults) + bool(r.unreadable) for r in reports)
    assert "record.unreadable" in ids
    assert run["results"][0]["properties"]["at"] == 0
    assert run["results"][0]["locations"][0]["physicalLocation"]["region"] == {"startLine": 22, "startColumn": 1}


def test_fingerprints_stay_when_lines_are_inserted(tmp_path):
    def prints(text: str) -> list[Any]:
        file = tmp_path / "one.game"
        file.write_text(text)
        return [r["partialFingerprints"] for r in json.loads(log_of([*check_many(file)]))["runs"][0]["results"]]

    text = '[Game "kaiser"]\nred: pass\n'
    assert prints(text) == prints(text.replace("red:", "% a comment\n\nred:"))
    assert prints(text) != prints(text.replace("red: pass", "red: gray(pfalz)"))


def test_findings_of_lint_have_the_same_form(tmp_path):
    (tmp_path / "a b").mkdir()
    (tmp_path / "a b" / "game.toml").write_text("id = 3\n")
    log = sarif(lint(tmp_path / "a b"))
    assert log["runs"][0]["results"]
    assert list(faults(log)) == []


def test_junit_has_each_fault(reports):
    root = ET.fromstring(junit(reports).encode())
    assert root.tag == "testsuites"
    assert len(root) == len(reports)
    assert int(root.get("failures", "0")) == sum(len(r.faults) for r in reports) == len(root.findall(".//failure"))
    assert int(root.get("errors", "0")) == 1 == len(root.findall(".//error"))
    assert int(root.get("tests", "0")) == len(root.findall(".//testcase"))
    assert root.findall(".//testcase")[0].get("name", "").startswith("@0 red: buy(doctor,")
    assert root[-1][0].get("name") == f"{reports[-1].moves} moves, all legal"


def test_csv_cells_are_not_formulas():
    text = csv_table([Report("=cmd()", unreadable="@SUM(1)")])
    assert list(csv.reader(io.StringIO(text)))[1][0] == "'=cmd()"
    assert "'@SUM(1)" in text


def test_hostile_names_are_escaped():
    root = ET.fromstring(junit([Report('<a"&>\x00', unreadable="]]><b/>\x07")]).encode())
    assert root[0].get("name") == '<a"&>\ufffd'
    assert list(faults(json.loads(log_of([Report('<a"&>\x00 ü', unreadable="x")])))) == []
