"""Sums that reach their bounds where amounts are left out: what is proved is so, by brute force over all valid positions."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from support.judge import Judge, stratified
from support.spoilt_carts import EFFECTS, faults, known_in_part, mechanical, tempted, write
from support.thinned import thinned

from kaiser_logic.errors import FaultyRulebook
from kaiser_logic.game import load

pytestmark = pytest.mark.slow

FOLDER = Path(__file__).parents[1] / "support" / "scales"
SUMMED = (*EFFECTS, "has(", "may_add(", "need(", "broken(", "del(", "over(", "daring(", "owner(")
CLAIMS = ("reach", "legal action at bid")
SOME = thinned(faults(FOLDER), 6)
"""A sixth of the faults always, all with -m slow."""


def proved(folder: Path) -> set[str]:
    """The claims that are proved of a rulebook."""
    return {p.claim for p in load(folder).prove(jobs=1).proofs if p.status == "proved"}


def lies(folder: Path) -> tuple[set[str], set[str]]:
    """The claims that are proved, and those of them that are broken."""
    found, judge = proved(folder), Judge(load(folder))
    return found, {c for c in found if judge.knows(c) and judge.verdict(c) == "broken"}


def test_what_can_be_reached_is_proved_though_amounts_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    known_in_part(monkeypatch)
    assert proved(FOLDER) >= {*CLAIMS, "count", "limit", "target", "sides"}


@pytest.mark.parametrize("name", SOME)
def test_what_is_spoilt_is_not_proved(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    known_in_part(monkeypatch)
    assert not lies(write(tempted(name, FOLDER), tmp_path, FOLDER))[1]


def test_most_faults_break_something(tmp_path: Path) -> None:
    """Else the test before would say nothing."""
    broken = 0
    for i, name in enumerate(faults(FOLDER)):
        judge = Judge(load(write(tempted(name, FOLDER), tmp_path / str(i), FOLDER)))
        broken += any(judge.verdict(c) == "broken" for c in CLAIMS)
    assert broken >= 0.6 * len(faults(FOLDER))


@pytest.mark.long
def test_no_small_change_is_proved_that_breaks_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    known_in_part(monkeypatch)
    wrong, seen, shown = [], 0, 0
    every = list(mechanical(FOLDER, SUMMED))
    chosen = every if os.environ.get("KAISER_LOGIC_MUTANTS") == "all" else every[::6]
    for i, (what, rules) in enumerate(chosen):
        folder = write(rules, tmp_path / str(i), FOLDER)
        try:
            if not stratified(load(folder)):
                continue
            found, false = lies(folder)
        except (FaultyRulebook, RuntimeError):
            continue
        seen += 1
        shown += "legal action at bid" in found
        if false:
            wrong.append(f"{what}: {', '.join(sorted(false))}")
    assert not wrong, "\n".join(wrong)
    assert seen >= 10
    assert shown >= 1
