"""The command lint, and the message of other commands about a faulty rulebook."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.commands import Run
from support.heap_game import FOLDER, variant
from support.own_games import RECORD

TYPO = {"init(heap(12)).": "init(haep(12))."}
LINE = "heap/play.lp:3:6: fluent: there is no fluent 'haep'; did you mean 'heap'?\n"


@pytest.fixture
def faulty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with a faulty rulebook in it."""
    monkeypatch.chdir(tmp_path)
    variant(tmp_path, TYPO)
    return tmp_path


def test_a_correct_rulebook_is_clean(run: Run) -> None:
    assert run("lint", str(FOLDER)) == (0, "", "clean\n")


def test_a_line_for_each_finding(run: Run, faulty: Path) -> None:
    outcome = run("lint", "heap")
    assert (outcome.code, outcome.out) == (1, LINE)
    assert outcome.err == "1 finding of 1 kind\n"
    assert run("lint", "heap/").out == LINE


def test_json_format(run: Run, faulty: Path) -> None:
    (line,) = run("lint", "heap", "--format", "json").out.splitlines()
    assert json.loads(line) == {
        "file": "heap/play.lp",
        "line": 3,
        "column": 6,
        "what": "fluent",
        "message": "there is no fluent 'haep'; did you mean 'heap'?",
    }


def test_sarif_format(run: Run, faulty: Path) -> None:
    (there,) = json.loads(run("lint", "heap", "--format", "sarif").out)["runs"]
    (rule,) = there["tool"]["driver"]["rules"]
    (result,) = there["results"]
    assert (rule["id"], result["ruleId"], result["ruleIndex"], result["level"]) == (
        "fluent",
        "fluent",
        0,
        "error",
    )
    (place,) = result["locations"]
    assert place["physicalLocation"] == {
        "artifactLocation": {"uri": "heap/play.lp"},
        "region": {"startLine": 3, "startColumn": 6},
    }
    assert json.loads(run("lint", str(FOLDER), "--format", "sarif").out)["runs"][0]["results"] == []


def test_unknown_rulebooks_are_refused(run: Run, faulty: Path) -> None:
    (faulty / "empty").mkdir()
    for name in ("empty/", "nothing/", "chess"):
        outcome = run("lint", name)
        assert (outcome.code, outcome.out) == (2, "")


@pytest.mark.parametrize(
    "command",
    [
        ("rules", "heap"),
        ("play", "heap", "--random"),
        ("find", "heap", "heap(1)"),
        ("prove", "heap"),
        ("compare", "heap", "--editions", "standard,standard"),
        ("validate", "--game", "heap", "position.lp"),
        ("check", "--game", "heap", "my.game"),
        ("why", "--game", "heap", "my.game@1", "green: take(1)"),
        ("show", "--game", "heap", "my.game"),
    ],
    ids=lambda c: c[0],
)
def test_every_command_reports_the_mistake(run: Run, faulty: Path, command: tuple[str, ...]) -> None:
    (faulty / "my.game").write_text(RECORD)
    (faulty / "position.lp").write_text("heap(1).")
    outcome = run(*command)
    assert (outcome.code, outcome.out, outcome.err) == (2, "", LINE)
