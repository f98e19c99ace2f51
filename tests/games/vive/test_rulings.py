"""Vive le Roi: ``compare`` finds a difference for each ruling, and the independent implementation confirms it."""

from __future__ import annotations

import pytest
from oracles.vive import RULINGS, Vive
from support.limits import NO_END

from kaiser_logic.comparison.compare import compare
from kaiser_logic.comparison.differences import Difference
from kaiser_logic.game import load

pytestmark = pytest.mark.by_hand

DIFFERENCES = [
    ("last_round", "next"),
    ("duel_card", "any"),
    ("duel_rank", "yes"),
    ("raise_must_lead", "no"),
    ("defence_from", "structure"),
    ("assign", "own_turn"),
    ("interrupt", "card"),
    ("interrupt", "anybody"),
    ("church_defence", "return"),
    ("church_defence", "none"),
    ("ear_tie", "all"),
    ("liberator", "several"),
    ("freed_king", "quiet_round"),
    ("spoils", "hand"),
    ("event_in_middle", "any"),
]
"""Each ruling with a value other than the default."""


@pytest.mark.slow
@pytest.mark.parametrize(("ruling", "other"), DIFFERENCES)
def test_each_ruling_has_a_position_with_a_difference(ruling: str, other: str) -> None:
    first, second = load("vive", players=3), load("vive", players=3, options={ruling: other})
    (difference,) = compare(first, second, timeout=NO_END, workers=1)
    assert difference.position is not None, difference.words
    assert not difference.position.broken()
    one, two = (consequence(difference, ruling, value) for value in difference.values)
    assert one != two


def consequence(difference: Difference, ruling: str, value: str) -> object:
    """The verdict or successor in the independent implementation, at the position of a difference."""
    assert difference.position is not None
    oracle = Vive.from_facts(difference.position.facts, "standard", {ruling: value})
    actions = dict(difference.actions)
    if not all(oracle.is_legal(role, action) for role, action in actions.items()):
        return "illegal"
    if set(actions) != set(oracle.decisions):  # one of several who decide at the same time
        return "legal"
    oracle.apply(actions)
    return oracle.facts()


def test_all_rulings_are_compared() -> None:
    assert set(DIFFERENCES) == {(name, value) for name, values in RULINGS.items() for value in values[1:]}
    assert {*RULINGS, "limit"} == set(load("vive").book.rulings)
