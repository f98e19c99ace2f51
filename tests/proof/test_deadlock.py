"""Whoever decides has a legal action, or a position is given in which he has none."""

from __future__ import annotations

import shutil
from pathlib import Path

from kaiser_logic.game import load
from kaiser_logic.proof.deadlock import stuck
from kaiser_logic.rules.loader import asp_folder
from kaiser_logic.symbolic.domains import domains
from kaiser_logic.symbolic.transitions import transitions

SOUND = load("kaiser")


def test_a_decision_without_a_legal_action_is_found(tmp_path: Path) -> None:
    folder = tmp_path / "kaiser"
    shutil.copytree(asp_folder() / "kaiser", folder)
    path = folder / "pending.lp"
    path.write_text(
        path.read_text(encoding="utf-8").replace(
            "best(E,R), suitor(E,R), not elector(E,R,_,_).", "player(R), electorate(E)."
        )
    )
    spoilt = load(folder)
    sorts = domains(spoilt.ruleset)
    found = transitions(spoilt.ruleset, sorts)
    kinds = [k for t in found for k in t.kinds if t.label == "install(E,G,K)"]
    example = stuck(spoilt.evaluator, "install", kinds, sorts)
    assert example is not None
    assert example.replayed
    assert stuck(SOUND.evaluator, "install", kinds, sorts) is None
