"""The command coverage."""

from __future__ import annotations

import json

from support.commands import Run, Write
from support.heap_game import FOLDER

TEXT = '[Game "heap"]\n\nred: take(3)\ngreen: take(3)\n'


def test_table_of_rules(run: Run, write: Write) -> None:
    outcome = run("coverage", str(FOLDER), write(TEXT), "--lines")
    assert outcome.code == 1
    assert "never used  take.enough, ending" in outcome.out
    assert "not counted  supply.stones" in outcome.out
    assert "lines never used\nheap/play.lp:" in outcome.out
    assert outcome.err == "1 record of heap, 2 moves: 2 of 4 rules used, 1 of 1 kinds of action done\n"


def test_json_format(run: Run, write: Write) -> None:
    found = json.loads(run("coverage", str(FOLDER), write(TEXT), "--format", "json").out)
    assert found["never"] == ["take.enough", "ending"]
    assert found["rules"][0]["rule"] == "take"


def test_wrong_usage(run: Run, write: Write) -> None:
    assert run("coverage", "chess", write(TEXT)).code == 2
    assert run("coverage", str(FOLDER), "nowhere.game").code == 2
