"""The command invariants, on small games."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.commands import Run
from support.heap_game import variant
from support.mined import TINY

NIM = str(TINY / "nim")


@pytest.mark.slow
def test_output_is_lines_of_a_rulebook(run: Run) -> None:
    outcome = run("invariants", NIM, "--jobs", "1", "--games", "10")
    assert outcome.code == 0
    lines = outcome.out.splitlines()
    assert lines[0].startswith("% <Game nim, standard, red green>, 2 players: ")
    assert "broken(took_needs_same_taken,X) :- took(X), not taken(X,_)." in lines
    assert all(line.startswith(("%", "broken(")) for line in lines if line)
    assert max(map(len, lines)) <= 120


@pytest.mark.slow
def test_output_can_be_appended_to_a_rulebook(run: Run, tmp_path: Path) -> None:
    folder = variant(tmp_path, {})
    lines = run("invariants", str(folder), "--jobs", "1", "--games", "10")
    last = folder / "invariants.lp"
    last.write_text(last.read_text(encoding="utf-8") + lines.out, encoding="utf-8")
    accepted = folder.rename(tmp_path / "accepted")
    assert run("lint", str(accepted)).code == 0
    assert run("prove", str(accepted), "took_needs_same_taken", "--jobs", "1").code == 0


@pytest.mark.slow
def test_json_format(run: Run) -> None:
    outcome = run("invariants", NIM, "--jobs", "1", "--games", "10", "--seed", "2", "--format", "json")
    assert outcome.code == 0
    found = json.loads(outcome.out)
    assert (found["game"], found["edition"], found["seats"], found["seed"], found["games"]) == (
        *("nim", "standard", ["red", "green"], 2, 10),
    )
    assert {"id", "statement", "why", "rules", "lines"} == set(found["invariants"][0])
    rules = [rule for i in found["invariants"] for rule in i["rules"]]
    assert "broken(took_needs_same_taken,X) :- took(X), not taken(X,_)." in rules


def test_timeout_decides_nothing(run: Run) -> None:
    outcome = run("invariants", NIM, "--timeout", "0.001")
    assert (outcome.code, outcome.out) == (3, "")
    assert "not decided: the time was too short" in outcome.err
    assert "; --timeout 5 gives it more" in outcome.err


@pytest.mark.slow
def test_false_invariants_of_the_game_decide_nothing(run: Run, tmp_path: Path) -> None:
    old = "broken(heap_stated,x)  :- not heap(_)."
    wrong = f"{old}\n%! invariant never_five -- The heap never has five.\nbroken(never_five,x) :- heap(5)."
    outcome = run("invariants", str(variant(tmp_path, {old: wrong})), "--jobs", "1")
    assert (outcome.code, outcome.out) == (3, "")
    assert "never_five" in outcome.err


def test_wrong_usage(run: Run) -> None:
    assert run("invariants", "no-such-game").code == 2
    assert run("invariants", NIM, "--players", "9").code == 2
    assert run("invariants", NIM, "--games", "0").code == 2
