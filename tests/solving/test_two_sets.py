"""Actions with two sets of things, or with one in a structure: completions examine all of them, proofs are not decided."""

from __future__ import annotations

from pathlib import Path

import pytest

from kaiser_logic.completion.complete import complete
from kaiser_logic.notation.reading import parse_record
from kaiser_logic.notation.record import Move

pytestmark = pytest.mark.by_hand

PARCELS = Path(__file__).parents[1] / "support" / "parcels"


@pytest.mark.parametrize(
    ("move", "asserted", "expected"),
    [
        ("give(?,none)", "odd", "give({all},none)"),
        ("give(?,?)", "odd", "give({all},none)"),
        ("?", "odd", "give({all},none)"),
        ("give(none,?)", "phase(over)", "give(none,none)"),
        ("box(?)", "boxed", "box(in({all}))"),
        ("?", "boxed", "box(in({all}))"),
    ],
)
def test_gaps_with_several_sets_or_structures_are_filled(
    move: str, asserted: str, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was once called proved that no completion exists: two sets had one name, and a set in a structure had to be empty."""
    monkeypatch.setenv("KAISER_LOGIC_GAMES", str(PARCELS.parent))
    walks = "red: walk " * 14
    text = f'[Game "parcels"]\n[Seats "red green"]\n{walks}red: {move}\nassert {{ {asserted}. }}\n'
    completion = complete(parse_record(text))
    everything = "none"
    for number in range(5, 0, -1):
        everything = f"with(1,c({number}),{everything})"
    assert len(completion.records) == 1
    last = [item for item in completion.records[0].items if isinstance(item, Move)][-1]
    assert str(last.action) == expected.format(all=everything)
