"""The immediate price and gain of an action."""

from __future__ import annotations

from games.positions import position
from support.heap_positions import after

from kaiser_logic.engine import symbols
from kaiser_logic.play.match import gains


def test_prices_and_gains_are_described() -> None:
    at = position("kaiser", "actions")
    found = {a: gains(at, "red", symbols.read_symbol(a)) for a in at.legal()["red"]}
    assert found["pass"] == ()
    assert found["buy(pope,hold)"] == ("pays 1 thaler", "takes the pope")
    assert any(any(text.startswith("gets") for text in said) for said in found.values()) or len(found) > 5


def test_gains_of_others_are_left_out() -> None:
    assert gains(after(2), "green", symbols.read_symbol("take(1)")) == ()


def test_gains_that_depend_on_concealed_facts_are_left_out() -> None:
    at = position("kaiser", "actions")
    pope = symbols.read_symbol("buy(pope,hold)")
    assert gains(at, "red", pope, at.symbols) == gains(at, "red", pope)
    assert gains(at, "red", pope, frozenset()) == ()
