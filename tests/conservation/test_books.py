"""Conservation where positions are known in part: what is proved is so, by brute force over all valid positions."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from support.judge import Judge, stratified
from support.spoilt_carts import FOLDER, TEMPTING, known_in_part, mechanical, tempted, write
from support.thinned import thinned

from kaiser_logic.errors import FaultyRulebook
from kaiser_logic.game import load

pytestmark = pytest.mark.slow

CLAIMS = ("count", "limit", "vocabulary")
SOME = thinned(TEMPTING, 4)
"""A quarter of the faults always, all with -m slow."""


def proved(folder: Path) -> set[str]:
    """The claims that are proved of a rulebook."""
    return {p.claim for p in load(folder).prove([*CLAIMS], jobs=1).proofs if p.status == "proved"}


def lies(folder: Path) -> set[str]:
    """The claims that are proved, and broken."""
    found = proved(folder) & {*CLAIMS}
    return {c for c in found if Judge(load(folder)).verdict(c) == "broken"} if found else set()


def test_what_is_conserved_is_proved_though_loads_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    known_in_part(monkeypatch)
    assert proved(FOLDER) >= {*CLAIMS}


@pytest.mark.parametrize("name", SOME)
def test_what_is_spoilt_is_not_proved(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    known_in_part(monkeypatch)
    assert not lies(write(tempted(name), tmp_path))


@pytest.mark.long
def test_most_faults_break_something(tmp_path: Path) -> None:
    """Else the test before would say nothing."""
    broken = 0
    for i, name in enumerate(TEMPTING):
        judge = Judge(load(write(tempted(name), tmp_path / str(i))))
        broken += any(judge.verdict(c) == "broken" for c in CLAIMS)
    assert broken >= 0.6 * len(TEMPTING)


@pytest.mark.long
def test_no_small_change_is_proved_that_breaks_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    known_in_part(monkeypatch)
    wrong, seen, shown = [], 0, 0
    every = list(mechanical())
    chosen = every if os.environ.get("KAISER_LOGIC_MUTANTS") == "all" else every[::5]
    for i, (what, rules) in enumerate(chosen):
        folder = write(rules, tmp_path / str(i))
        try:
            if not stratified(load(folder)):
                continue
            found = lies(folder)
        except (FaultyRulebook, RuntimeError):
            continue
        seen += 1
        shown += bool(proved(folder) & {*CLAIMS})
        if found:
            wrong.append(f"{what}: {', '.join(sorted(found))}")
    assert not wrong, "\n".join(wrong)
    assert seen >= 6
    assert shown >= 1
