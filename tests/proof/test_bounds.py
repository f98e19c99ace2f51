"""Sums stay within their stated bounds, or a position is given in which one does not."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from support.opened import changed

from kaiser_logic.game import Game, load
from kaiser_logic.proof import bounds
from kaiser_logic.proof.bounds import exceeds, sums
from kaiser_logic.proof.prover import Prover
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


@pytest.mark.parametrize(
    ("gathered", "most", "status"),
    [
        ("#count{ R,K : taken(R,K) }", 1, "falls"),
        ("#count{ R,K : taken(R,K) }", 3, "proved"),
        ("#max{ K : taken(_,K) }", 3, "falls"),
        ("#sum+{ K,R : taken(R,K) }", 3, "falls"),
    ],
)
@pytest.mark.parametrize("effort", [None, 0])
def test_bounds_of_all_that_is_gathered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, gathered: str, most: int, status: str, effort: int | None
) -> None:
    """Also where sums are written as clauses, as that of what is hard are."""
    if effort is not None:
        monkeypatch.setattr(bounds, "_AS_IT_IS", effort)
    rule = f"bound(in_all,{most}).\nin_all(N) :- bound(in_all,M), N <= M, N = {gathered}."
    game = changed(
        tmp_path, {"stated(heap,1).": f"stated(heap,1).\n{rule}\nbroken(heap_stated,x) :- in_all(N), N < 0."}
    )
    found = {p.claim: p.status for p in Prover(game.evaluator).run(workers=1).proofs}
    assert found["bound of in_all"] == status
