"""The command diff-rules."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.commands import Run

PATH = "examples/positions/archbishop-marriage.game"


@pytest.mark.slow
def test_changes_summary_and_positions(run: Run, tmp_path: Path) -> None:
    outcome = run("diff-rules", "nl", "it", PATH, "--positions", str(tmp_path))
    assert outcome.code == 1
    assert "@0: red: offer(green,elector(koeln),25) became illegal (the move played)" in outcome.out
    assert "the whole game under nl: all 2 moves legal, unfinished" in outcome.out
    assert (
        "1 of 1 record changes\n  offer became illegal as played, marriage.archbishop: 1 record, 1 place"
        in outcome.err
    )
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names[0] == "archbishop-marriage-1.game"
    assert run("check", str(tmp_path / names[0]), "--edition", "nl").code == 0
    assert run("check", str(tmp_path / names[0]), "--edition", "it").code == 1


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
