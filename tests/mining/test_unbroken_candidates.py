"""Candidates that no position of the games breaks, and that occurred often enough."""

from __future__ import annotations

import pytest
from support.mined import SMALL, breaking, game, positions, vocabulary

from kaiser_logic.mining.candidates import Observations, Template, UnbrokenCandidates


def proposals(name: str) -> UnbrokenCandidates:
    stated = frozenset(s for s, zero in game(name).book.counters.items() if zero)
    return UnbrokenCandidates(
        vocabulary(name), Observations(sorted(positions(name), key=lambda one: sorted(map(str, one)))), stated
    )


@pytest.mark.parametrize("name", SMALL)
def test_no_position_breaks_unbroken_candidates(name: str) -> None:
    found = proposals(name).all()
    assert len(found) > 10
    assert breaking(found, name) == []


def test_known_invariants_are_candidates() -> None:
    bodies = {c.body for c in proposals("nim").all()}
    assert {
        "phase(over), not heap(0)",
        "phase(over), decision(_,take)",
        "took(X), not taken(X,_)",
    } <= bodies
    assert "phase(play), not took(_)" not in bodies


def test_rare_features_imply_nothing() -> None:
    """In a single position no feature occurs often enough."""
    for position in positions("nim"):
        found = UnbrokenCandidates(
            vocabulary("nim"), Observations([position]), frozenset({("heap", 1)})
        ).all()
        assert {c.template for c in found} <= {Template.NEVER, Template.ALWAYS}
