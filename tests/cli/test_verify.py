"""The commands verify and prove --certify, on a tiny game."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from support.commands import Run
from support.mutants import TINY

from kaiser_logic.checker.verify import CheckReport, ClaimVerdict
from kaiser_logic.claims import prove as proving
from kaiser_logic.cli.verify import disagreements
from kaiser_logic.game import load
from kaiser_logic.solving.report import Counterexample, Proof, ProofReport

pytest.importorskip("pysat")

NIM = TINY / "nim"


def test_a_disagreement_is_reported() -> None:
    game = load(NIM)
    report = CheckReport(None, [ClaimVerdict("played_out", "")])  # type: ignore[arg-type]
    facts = tuple(map(str, game.initial().facts))
    fallen = Proof("played_out", "")
    fallen.falls(Counterexample("take at take", facts, replayed=True))
    assert len(disagreements(game, report, ProofReport([fallen], []))) == 1
    fallen.counterexamples = [Counterexample("take at take", facts, replayed=False)]
    assert disagreements(game, report, ProofReport([fallen], [])) == []
    from kaiser_logic.checker.verify import Example

    report.verdicts[0].fails("it can be broken", Example("take at take", facts))
    assert len(disagreements(game, report, ProofReport([Proof("played_out", "")], []))) == 1


def test_verify_prints_a_disagreement_and_fails(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A prover that is wrong: it finds a claim broken that the checker has checked."""
    facts = tuple(map(str, load(NIM).initial().facts))
    fallen = Proof("one_taker", "")
    fallen.falls(Counterexample("take at take", facts, replayed=True))
    monkeypatch.setattr(proving, "prove", lambda *_, **__: ProofReport([fallen], []))
    outcome = run("verify", str(NIM), "--jobs", "1")
    assert outcome.code == 1
    assert "DISAGREEMENT: one_taker is checked, but the prover has a counterexample" in outcome.out


def test_the_error_without_the_solver_names_the_extra(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pysolvers", None)
    outcome = run("prove", str(NIM), "--certify", str(tmp_path))
    assert outcome.code == 2
    assert "[certify]" in outcome.err
