"""Counters of which there can be less than nothing: they keep to their values, below as above."""

from __future__ import annotations

from pathlib import Path

import pytest

from kaiser_logic.game import load

FOLDER = Path(__file__).parents[1] / "support" / "debts"


def statuses(folder: Path, old: str = "", new: str = "") -> dict[str, str]:
    """What becomes of the claims with another line."""
    target = folder / "debts"
    target.mkdir()
    for file in FOLDER.iterdir():
        text = file.read_text(encoding="utf-8")
        (target / file.name).write_text(text.replace(old, new) if old else text, encoding="utf-8")
    return {p.claim: p.status for p in load(target).prove().proofs}


@pytest.mark.slow
def test_what_can_be_less_than_nothing_may_be_lost(tmp_path: Path) -> None:
    assert set(statuses(tmp_path).values()) == {"proved"}


@pytest.mark.slow
@pytest.mark.parametrize("gone", ["N+K > 2", "N+K < -2"])
def test_it_keeps_to_its_values(gone: str, tmp_path: Path) -> None:
    found = statuses(tmp_path, gone, "N > K+9")
    assert found["vocabulary"] == "falls"
    assert "proved" not in found.values() or found["count"] != "falls"


@pytest.mark.slow
def test_a_counter_without_a_sign_loses_no_more_than_it_has(tmp_path: Path) -> None:
    found = statuses(tmp_path, "signed(debt,2).", "stated(debt,2).")
    assert found["count"] == "falls" or found["vocabulary"] == "falls"


@pytest.mark.slow
def test_no_end_below_is_not_decided(tmp_path: Path) -> None:
    found = statuses(
        tmp_path,
        "fluent(debt(R,-2..2))    :- player(R).",
        "fluent(debt(R,-N)) :- player(R), number(N).\nfluent(debt(R,N)) :- player(R), number(N).",
    )
    assert found["calm"] != "proved"
    assert "falls" not in {found["count"], found["vocabulary"]}
