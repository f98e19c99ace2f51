"""Malformed actions: the wrong argument, what is meant, and the nearest legal action."""

from __future__ import annotations

import pytest
from support.heap_game import FOLDER

from kaiser_logic.game import load


@pytest.mark.parametrize(
    ("game", "action", "message"),
    [
        (FOLDER, "tkae(2)", "there is no action tkae; did you mean take?"),
        (FOLDER, "take(1,2)", "take has 1 argument, not 2"),
        (FOLDER, "take(4)", "4 is no amount, but 1, 2 or 3 can be"),
        ("kaiser", "empire_city(koln)", "koln is no electorate; did you mean koeln?; the nearest legal action is empire"),
        ("kaiser", "empire_city(keulen)", "keulen is no electorate; did you mean koeln?"),
        ("kaiser", "buy(move,move(koeln,20,baron,mainz,free))", "20 is no age of a tile, but 15, 25, 35 or 45 can be"),
        ("kaiser", "knight(x,y)", "more than one argument is wrong"),
        ("krone", "force(with(1,leader5,none))", "leader5 cannot be in a set; did you mean leader"),
        ("krone", "vote(swrd,none)", "swrd is no side; did you mean sword?"),
    ],
)  # fmt: skip
def test_what_is_wrong(game: str, action: str, message: str) -> None:
    (violation,) = load(game).initial().why("red", action)
    assert violation.rule == "action.unknown"
    assert violation.message.startswith(f"the game knows no such action: {message}")


def test_the_nearest_action_is_legal_for_the_role_only() -> None:
    position = load("kaiser").initial()
    assert "nearest" not in position.why("green", "empire_city(koln)")[0].message
    for role, action in (("red", "empire_city(koln)"), ("red", "empire_cty(mainz)")):
        near = position.why(role, action)[0].message.rpartition(" ")[2]
        assert near in position.legal()[role]


def test_nothing_is_near_what_is_quite_different() -> None:
    (violation,) = load("kaiser").initial().why("red", "zzz(1,2)")
    assert violation.message == "the game knows no such action: there is no action zzz"
