"""Sums stay within their stated bounds, or a position is given in which one does not."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from kaiser_logic.game import Game, load
from kaiser_logic.proof.bounds import exceeds, sums
from kaiser_logic.rules.loader import asp_folder
from kaiser_logic.rules.rule import Rule
from kaiser_logic.symbolic.domains import domains

SOUND = load("kaiser")


def income(game: Game) -> Rule:
    """The rule for somebody's income."""
    (rule,) = [r for r in sums(game.ruleset) if r.heads[0].name == "income"]
    return rule


@pytest.mark.slow
def test_a_bound_that_is_too_low_is_found(tmp_path: Path) -> None:
    folder = tmp_path / "kaiser"
    shutil.copytree(asp_folder() / "kaiser", folder)
    path = folder / "income.lp"
    path.write_text(path.read_text(encoding="utf-8").replace("bound(income,11+3*N)", "bound(income,8)"))
    spoilt = load(folder)
    sorts = domains(spoilt.ruleset)
    assert exceeds(spoilt.ruleset, income(spoilt), sorts) is not None
    assert exceeds(SOUND.ruleset, income(SOUND), sorts) is None
