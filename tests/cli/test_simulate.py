"""The command simulate."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.commands import Run
from support.heap_game import FOLDER

from kaiser_logic.batch.batch import Batch
from kaiser_logic.batch.optional import batch_of, is_installed

HEAP = str(FOLDER)
CARDS = Path(__file__).parents[1] / "support" / "tiny" / "cards"


@pytest.mark.skipif(not is_installed(), reason="NumPy and llvmlite")
@pytest.mark.slow
def test_decisions_without_circuits_are_reported(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Actions name sets, and the circuits may not list any: the engine decides one position at a time."""

    def without_sets(*args: Any) -> Batch:
        """The batch that the command builds, whose circuits list no set."""
        batch = batch_of(*args)
        batch.store.ensure()
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
