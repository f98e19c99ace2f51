"""A kind of action that is never legal is reported, and one that is legal in some position is not."""

from __future__ import annotations

from pathlib import Path

import pytest
from solving.test_one_seat import three
from support.heap_game import ACTION, ENOUGH
from support.opened import changed
from support.proofs import examined, report_on

RESTS = {
    ACTION: f"{ACTION}\naction(take,rest).",
    ENOUGH: f'{ENOUGH}\ncandidate(R,rest) :- decision(R,take).\nviolates(R,rest,"take.enough") :- candidate(R,rest).',
}
"""A kind of action that is never legal."""
FORBIDDEN = 'violates(R,rest,"take.enough") :- candidate(R,rest).'
LEGAL_FOR_ONE_SEAT = {
    old: new.replace(FORBIDDEN, f"{FORBIDDEN[:-1]}, not last(R).") for old, new in RESTS.items()
}
"""The last seat may rest."""
LEGAL_AT_ONE_STONE = {
    old: new.replace(FORBIDDEN, f"{FORBIDDEN[:-1]}, not heap(1).") for old, new in RESTS.items()
}
"""Players may rest if the heap has one stone."""


@pytest.mark.slow
def test_an_action_that_is_never_legal_is_reported(tmp_path: Path) -> None:
    game = changed(tmp_path, RESTS)
    found = examined(game, "rest")
    assert found.possible is False
    assert not found.broken and not found.trouble
    assert report_on(game).never_legal == ["rest"]


@pytest.mark.slow
@pytest.mark.sample(2)
@pytest.mark.parametrize(
    "changes", [LEGAL_FOR_ONE_SEAT, LEGAL_AT_ONE_STONE], ids=["one seat", "one position"]
)
def test_an_action_that_is_sometimes_legal_is_not_reported(tmp_path: Path, changes: dict[str, str]) -> None:
    game = three(tmp_path, changes)
    assert examined(game, "rest").possible is True
    assert report_on(game).never_legal == []
