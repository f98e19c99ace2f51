"""The command simulate."""

from __future__ import annotations

import sys

import pytest
from support.commands import Run
from support.heap_game import FOLDER

HEAP = str(FOLDER)


def test_the_error_without_the_extra_names_it(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "llvmlite", None)
    for command in (["simulate", HEAP, "--engine", "batch"], ["perft", HEAP, "1", "--engine", "batch"]):
        outcome = run(*command)
        assert outcome.code == 2
        assert "pip install 'kaiser-logic[batch]'" in outcome.err
    assert run("simulate", HEAP, "--games", "3").code == 0
