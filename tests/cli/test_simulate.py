"""The command simulate."""

from __future__ import annotations

import csv
import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.commands import Run, Write
from support.heap_game import FOLDER

from kaiser_logic.batch.batch import Batch
from kaiser_logic.batch.optional import batch_of, is_installed

HEAP = str(FOLDER)
CARDS = Path(__file__).parents[1] / "support" / "tiny" / "cards"


def test_text_format_has_tables(run: Run) -> None:
    outcome = run("simulate", HEAP, "--games", "40", "--seed", "3", "--jobs", "1")
    assert outcome.code == 0
    lines = outcome.out.splitlines()
    assert lines[0] == "heap, standard, 2 players: 40 random games of seed 3"
    assert lines[1].startswith("decisions in a game: ")
    assert lines[3].split("  ")[0] == "seat"
    won = {line.split()[0]: int(line.split()[1]) for line in lines[4:6]}
    assert sum(won.values()) == 40
    assert lines[-1].startswith("  green  take/1 ")


def test_all_formats_have_the_same_figures(run: Run) -> None:
    arguments = ["simulate", HEAP, "--games", "20", "--players", "3", "--option", "last_stone=loses"]
    found = json.loads(run(*arguments, "--format", "json", "--jobs", "1").out)
    assert (found["game"], found["options"], found["seed"]) == ("heap", {"last_stone": "loses"}, 1)
    rows = list(csv.DictReader(run(*arguments, "--format", "csv", "--jobs", "2").out.splitlines()))
    assert (
        [row["seat"] for row in rows] == [seat["seat"] for seat in found["seats"]] == ["red", "green", "blue"]
    )
    for row, seat in zip(rows, found["seats"], strict=True):
        assert int(row["wins"]) == seat["wins"]
        assert float(row["share_low"]) == seat["share"]["low"] <= float(row["share"]) <= seat["share"]["high"]
        assert float(row["decisions"]) == round(seat["decisions"]["value"], 7)
    assert sum(seat["wins"] for seat in found["seats"]) >= found["games"] == 20


def test_records_are_written_once(run: Run, write: Write) -> None:
    write("")
    arguments = ["simulate", HEAP, "--games", "11", "--records", "some/games", "--seed", "9"]
    outcome = run(*arguments)
    assert outcome.code == 0
    assert "11 records written" in outcome.err
    files = sorted(Path("some/games").glob("*.game"))
    assert [f.name for f in (files[0], files[10])] == ["heap-9-00.game", "heap-9-10.game"]
    assert run("check", "--game", HEAP, "some/games").code == 0
    files[3].unlink()
    assert run(*arguments)[:2] == outcome[:2], "what a run that was killed has written stays"
    assert files[3].exists()
    files[3].write_text("mine")
    assert run(*arguments) == (2, "", f"kaiser-logic: {files[3]} cannot be written: File exists\n")
    assert files[3].read_text() == "mine"


@pytest.mark.slow
@pytest.mark.skipif(not is_installed(), reason="NumPy and llvmlite")
def test_all_engines_play_the_same_games(run: Run) -> None:
    arguments = ["simulate", HEAP, "--games", "30", "--seed", "4"]
    outputs = {run(*arguments, "--engine", engine).out for engine in ("batch", "compiled", "clingo")}
    assert len(outputs) == 1


@pytest.mark.skipif(not is_installed(), reason="NumPy and llvmlite")
@pytest.mark.slow
def test_decisions_without_circuits_are_reported(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Actions name sets, and the circuits may not list any: the engine decides one position at a time."""

    def without_sets(*args: Any) -> Batch:
        """The batch that the command builds, whose circuits list no set."""
        batch = batch_of(*args)
        batch.store.need()
        for loaded in batch.store.circuit_set.loaded:
            monkeypatch.setattr(loaded, "circuits", replace(loaded.circuits, most_sets=0))
            monkeypatch.setattr(loaded, "_sets", {})  # drops the sets of earlier games in this process
        return batch

    assert run("simulate", str(CARDS), "--games", "5", "--engine", "batch").err == ""
    monkeypatch.setattr("kaiser_logic.batch.optional.batch_of", without_sets)
    outcome = run("simulate", str(CARDS), "--games", "5", "--engine", "batch")
    assert outcome.code == 0
    assert "decisions were taken one position at a time" in outcome.err
    assert outcome.out == run("simulate", str(CARDS), "--games", "5").out


def test_the_error_without_the_extra_names_it(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "llvmlite", None)
    for command in (["simulate", HEAP, "--engine", "batch"], ["perft", HEAP, "1", "--engine", "batch"]):
        outcome = run(*command)
        assert outcome.code == 2
        assert "pip install 'kaiser-logic[batch]'" in outcome.err
    assert run("simulate", HEAP, "--games", "3").code == 0


def test_wrong_usage(run: Run) -> None:
    assert run("simulate", "chess").code == 2
    assert run("simulate", HEAP, "--games", "0").code == 2
    assert run("simulate", HEAP, "--players", "9").code == 2


@pytest.mark.slow
def test_rules_option(run: Run) -> None:
    arguments = ["simulate", HEAP, "--games", "20", "--rules", "--jobs", "1", "--option", "last_stone=loses"]
    outcome = run(*arguments)
    assert outcome.code == 0
    table = outcome.out.partition("rules in a game")[2].splitlines()[1:]
    rows = {line.split()[0]: line.split()[1:] for line in table}
    assert rows.keys() == {"take", "take.enough", "pass_on"}
    assert rows["take"] == [rows["pass_on"][0], "0", "100", "%"]
    assert rows["take.enough"][0] == "0"
    found = json.loads(run(*arguments, "--format", "json").out)
    assert [rule["rule"] for rule in found["rules"]] == list(rows)
    assert [f"{rule['forbids'] / 20:.4g}" for rule in found["rules"]] == [row[1] for row in rows.values()]
    assert "rules" not in json.loads(run(*arguments[:4], "--format", "json").out)
