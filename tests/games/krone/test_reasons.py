"""Reasons for illegal actions of Krone & Schwert: the cause with numbers and rulings."""

from __future__ import annotations

import pytest
from games.krone.named import position


@pytest.mark.parametrize(
    ("at", "change", "action", "rule", "message"),
    [
        ("turn", "- castle(a5)", "revolt", "revolt.leader", "Red owns no castle"),
        ("turn", "- city(a6) large_city(a7,a12)", "revolt", "revolt.leader", "Red owns no city"),
        ("force", "", "force(with(1,castle,none))", "attack.force.enough",
         "the cards laid are worth 2, but 3 are needed: Green owns 2 castles"),
        ("turn", "", "castle(a11)", "build.terrain", "a11 is a plain, no mountain"),
    ],
)  # fmt: skip
def test_the_cause_with_its_numbers(at: str, change: str, action: str, rule: str, message: str) -> None:
    found = {v.rule: v.message for v in position(at, change).why("red", action)}
    assert found[rule].startswith(message)


def test_consequences_of_a_missing_turn_are_not_reasons() -> None:
    """Rules about neighbours and the hand apply only in the own turn."""
    found = {v.rule for v in position("turn").why("green", "attack(a5)")}
    assert "turn" in found
    assert not found & {"attack.beside", "attack.strength"}


def test_the_order_in_which_cards_are_named_does_not_matter() -> None:
    at = position("force")
    one, other = "force(with(1,leader3,with(1,castle,none)))", "force(with(1,castle,with(1,leader3,none)))"
    assert at.why("red", one) == at.why("red", other)
    assert at.is_legal("red", one) == at.is_legal("red", other)
