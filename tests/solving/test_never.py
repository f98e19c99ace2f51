"""What can never happen is told; what can happen anywhere is not said to be so."""

from __future__ import annotations

from pathlib import Path

import pytest
from solving.test_one_seat import three
from support.opened import changed
from support.proofs import examined, report_on

ENOUGH = 'violates(R,take(K),"take.enough") :- candidate(R,take(K)), heap(N), not holds_at_least(K).'
TAKING = "action(take,take(K))      :- amount(K)."
RESTS = {
    TAKING: f"{TAKING}\naction(take,rest).",
    ENOUGH: f'{ENOUGH}\ncandidate(R,rest) :- decision(R,take).\nviolates(R,rest,"take.enough") :- candidate(R,rest).',
}
"""A kind of action that is never legal."""
FORBIDDEN = 'violates(R,rest,"take.enough") :- candidate(R,rest).'
LAWFUL_FOR_ONE = {
    old: new.replace(FORBIDDEN, f"{FORBIDDEN[:-1]}, not last(R).") for old, new in RESTS.items()
}
"""The last in the round may rest."""
LAWFUL_AT_ONE = {old: new.replace(FORBIDDEN, f"{FORBIDDEN[:-1]}, not heap(1).") for old, new in RESTS.items()}
"""Who finds one stone may rest."""


@pytest.mark.slow
def test_what_is_never_legal_is_seen(tmp_path: Path) -> None:
    game = changed(tmp_path, RESTS)
    found = examined(game, "rest")
    assert found.possible is False
    assert not found.broken and not found.trouble
    assert report_on(game).never_legal == ["rest"]


@pytest.mark.slow
@pytest.mark.sample(2)
@pytest.mark.parametrize("changes", [LAWFUL_FOR_ONE, LAWFUL_AT_ONE], ids=["one seat", "one position"])
def test_what_is_legal_somewhere_is_not_said_to_be_so(tmp_path: Path, changes: dict[str, str]) -> None:
    game = three(tmp_path, changes)
    assert examined(game, "rest").possible is True
    assert report_on(game).never_legal == []
