"""Observations: the positions in which features occur, as bits."""

from __future__ import annotations

import clingo
from support.mined import feature

from kaiser_logic.mining.candidates import Observations


def facts(*texts: str) -> frozenset[clingo.Symbol]:
    return frozenset(map(clingo.parse_term, texts))


SEEN = Observations(
    [facts("heap(3)", "took(red)"), facts("heap(0)", "took(green)"), facts("heap(1)"), facts("heap(1)")]
)


def test_equal_positions_count_once() -> None:
    assert (len(SEEN), SEEN.all) == (3, 0b111)


def test_positions_of_a_feature() -> None:
    assert SEEN.positions_with(feature("heap(0)")) == 0b010
    assert SEEN.positions_with(feature("took(_)")) == 0b011
    assert SEEN.positions_with(feature("phase(over)")) == 0


def test_positions_for_each_value() -> None:
    found = SEEN.by_value(feature("took(X)", "player"))
    assert {str(k): v for k, v in found.items()} == {"red": 0b001, "green": 0b010}


def test_more_positions_than_bits_of_a_word() -> None:
    many = Observations([facts(f"heap({n})") for n in range(1000)])
    assert many.positions_with(feature("heap(700)")) == 1 << 700
