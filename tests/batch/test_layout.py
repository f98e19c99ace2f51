"""Positions are encoded as rows of bits and decoded."""

from __future__ import annotations

import pytest

from kaiser_logic.batch.layout import Layout, layout_of
from kaiser_logic.batch.playout import playout
from kaiser_logic.engine import symbols
from kaiser_logic.game import load


@pytest.fixture(scope="module")
def layout() -> Layout:
    return layout_of(load("kaiser", players=2).ruleset)


def test_decoding_inverts_encoding(layout: Layout) -> None:
    game = load("kaiser", players=2)
    for position, _ in playout(game.evaluator, 1, 0):
        encode = layout.encode(position.symbols)
        assert encode is not None
        assert layout.decode(*encode) == position.symbols


@pytest.mark.parametrize(
    ("without", "more"),
    [
        ("", "points(red,3)"),
        ("points(red,0)", ""),
        ("points(red,0)", "points(red,-1)"),
        ("points(red,0)", "points(red,60000)"),
        ("", "points(blue,0)"),
        ("", "thalers(red,5)"),
        ("", "nonsense(1)"),
        ("", "city(trier,red,9)"),
        ("seat(red,1)", ""),
        ("seat(red,1)", "seat(blue,1)"),
    ],
)
def test_positions_that_do_not_fit_are_not_encoded(layout: Layout, without: str, more: str) -> None:
    facts = {symbols.text(f) for f in load("kaiser", players=2).initial().symbols}
    assert not without or without in facts
    changed = facts - {without} | ({more} if more else set())
    assert layout.encode(map(symbols.read_symbol, facts)) is not None
    assert layout.encode(map(symbols.read_symbol, changed)) is None


@pytest.mark.slow
def test_decisions_and_steps_come_first(layout: Layout) -> None:
    pending = {*layout.decisions, *layout.steps}
    assert {f for f in layout.facts[: 64 * layout.control] if f is not None} == pending
    assert not pending & set(layout.facts[64 * layout.control :])
    assert len(layout.facts) % 64 == 0
