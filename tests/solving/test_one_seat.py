"""A fault that concerns only one seat is found: no claim is proved for all seats from one of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.heap_game import ENOUGH, HEAD, SHIFT, TOOK, variant
from support.proofs import report_on, statuses

from kaiser_logic.game import Game, load

pytestmark = pytest.mark.by_hand


def luck(body: str) -> dict[str, str]:
    """An invariant that only some seats can break."""
    return {HEAD: f"%! invariant luck -- It is so.\nbroken(luck,x) :- heap(7), took(R), {body}.\n{HEAD}"}


FAULTS: dict[str, dict[str, str]] = {
    "by its role": luck("R = blue"),
    "by its number": luck("seat(R,2)"),
    "by its order": luck("player(Q), R < Q"),
    "the last role in order": luck("R = #max { Q : player(Q) }"),
    "the last seat": luck("last(R)"),
    "by the seat before": luck("before(_,R)"),
    "by a table": luck("lucky(R)") | {"amount(1..3).": "amount(1..3). lucky(blue)."},
    "by a count": luck("1 = #count { Q : player(Q), R <= Q }"),
    "an effect for one seat": {SHIFT: f"{SHIFT} lose(heap,1,bonus) :- does(R,take(_)), last(R)."},
    "a rule for one seat": {
        ENOUGH: f"{ENOUGH[:-1]}, lucky(R).",
        "amount(1..3).": "amount(1..3). lucky(red).",
    },
    "one seat without an effect": {TOOK: f"{TOOK[:-1]}, R != green. "},
}
"""Faults of the heap game that concern only one seat."""


def three(folder: Path, changes: dict[str, str]) -> Game:
    """The heap game with other lines, for three players."""
    return load(variant(folder, changes), players=3)


@pytest.mark.slow
@pytest.mark.parametrize("changes", FAULTS.values(), ids=FAULTS)
def test_faults_of_one_seat_are_found(tmp_path: Path, changes: dict[str, str]) -> None:
    assert "falls" in statuses(report_on(three(tmp_path, changes))).values()
