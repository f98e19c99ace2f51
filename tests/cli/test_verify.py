"""The commands prove --certify and verify, on the heap game."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from support.commands import Run
from support.heap_game import FOLDER

pytest.importorskip("pysat")


@pytest.mark.slow
def test_prove_writes_certificates_that_verify_checks(run: Run, tmp_path: Path) -> None:
    made = str(tmp_path / "made")
    outcome = run("prove", str(FOLDER), "--jobs", "1", "--certify", made)
    assert outcome.code == 0
    assert f"12 certificates in {made}" in outcome.err
    outcome = run("verify", made, "--jobs", "1")
    assert outcome.code == 0
    assert "legal action at take  checked  Whoever decides has a legal action." in outcome.out
    assert "12 checked, 0 faults, " in outcome.out
    (tmp_path / "made" / "q1-0.lrat.xz").unlink()
    outcome = run("verify", made, "--jobs", "1", "--format", "json")
    assert outcome.code == 1
    assert json.loads(outcome.out)["checked"] == ["enumeration", "legal action at take"]
    assert run("verify", str(tmp_path)).code == 2


def test_the_error_without_the_solver_names_the_extra(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pysolvers", None)
    outcome = run("prove", str(FOLDER), "--certify", str(tmp_path))
    assert outcome.code == 2
    assert "[certify]" in outcome.err
