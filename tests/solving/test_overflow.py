"""Calculations that leave 32 bits only in positions that no sample reaches: there clingo wraps around."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from kaiser_logic.game import load

FIVE = Path(__file__).parents[1] / "support" / "five"


@pytest.mark.slow
@pytest.mark.parametrize("file", ["product", "sum"])
def test_an_invariant_that_breaks_beyond_32_bits_is_not_proved(file: str, tmp_path: Path) -> None:
    """It breaks where all five numbers are nine: 9 ** 5 * 36400 is 2149383600."""
    folder = shutil.copytree(FIVE, tmp_path / "five")
    manifest = folder / "game.toml"
    manifest.write_text(manifest.read_text().replace('["rules"]', f'["rules", "{file}"]'), encoding="utf-8")
    assert {p.claim: p.status for p in load(folder).prove(jobs=1).proofs}["small"] != "proved"
