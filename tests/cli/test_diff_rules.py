"""The command diff-rules."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.commands import Run

PATH = "examples/positions/last-resort-it.game"


@pytest.mark.slow
def test_changes_summary_and_positions(run: Run, tmp_path: Path) -> None:
    outcome = run("diff-rules", "it", "nl", PATH, "--positions", str(tmp_path))
    assert outcome.code == 1
    assert "@2: green: enthrone(elector(sachsen),25,baron) became illegal (the move played)" in outcome.out
    assert "the whole game under it: all 3 moves legal, unfinished" in outcome.out
    assert (
        "1 of 1 record changes\n  vote leads elsewhere: 1 record, 1 place\n"
        "  enthrone became illegal as played, election.enthrone.aristocrat: 1 record, 1 place"
    ) in outcome.err
    *_, last = sorted(tmp_path.iterdir())
    assert last.name == "last-resort-it-2.game"
    assert run("check", str(last), "--edition", "it").code == 0
    assert run("check", str(last), "--edition", "nl").code == 1


def test_same_rules_change_nothing(run: Run) -> None:
    outcome = run("diff-rules", "recorded", "recorded", PATH, "--format", "json")
    assert (outcome.code, outcome.err) == (0, "0 of 1 record changes\n")
    assert json.loads(outcome.out)["changes"] == []


def test_wrong_usage(run: Run) -> None:
    assert run("diff-rules", "nl,it", "it", PATH).code == 2
    outcome = run("diff-rules", "nl", "latin", PATH)
    assert outcome.code == 2
    assert "cannot be compared: kaiser has no edition 'latin'" in outcome.out
    assert run("diff-rules", "nl", "it", "nowhere.game").code == 2
