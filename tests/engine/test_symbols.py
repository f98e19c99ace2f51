"""Symbols are read, written and converted without loss."""

from __future__ import annotations

import clingo
import pytest
from clingo import Function, Number, String

from kaiser_logic.engine import symbols
from kaiser_logic.errors import KaiserLogicError
from kaiser_logic.lang import terms as lang
from kaiser_logic.notation.terms import Term

TEXTS = ["pass", "heap(12)", "points(red,-15)", "buy(doctor,age(red,throne,25,baron))"]


@pytest.mark.parametrize("text", TEXTS)
def test_symbols_survive_a_round_trip(text: str) -> None:
    symbol = symbols.read_symbol(text)
    assert symbols.text(symbol) == str(symbol) == text
    assert symbols.symbol(symbols.value(symbol)) == symbols.symbol(symbols.term(symbol)) == symbol
    assert symbols.symbol_of(symbols.term_of(symbol)) == symbol
    assert symbols.signature(symbol) == (symbol.name, len(symbol.arguments))


def test_numbers_are_values_but_not_terms() -> None:
    assert symbols.value(Number(-3)) == -3
    assert symbols.symbol(-3) == Number(-3)
    with pytest.raises(AssertionError):
        symbols.term(Number(3))


def test_strings_become_constants() -> None:
    """The id of a rule is written as a string and shown without quotes."""
    assert symbols.text(String("take.enough")) == "take.enough"
    assert symbols.value(String("take.enough")) == Term("take.enough")
    assert symbols.term_of(String("take.enough")) == lang.Text("take.enough")


@pytest.mark.parametrize(
    ("text", "symbol"),
    [
        ("red", Function("red")),
        ("12", Number(12)),
        ("-12", Number(-12)),
        ('"a.b"', String("a.b")),
        ("-", Function("-")),
    ],
)
def test_constants_of_rules_are_read(text: str, symbol: clingo.Symbol) -> None:
    assert symbols.constant(text) == symbol


@pytest.mark.parametrize("text", ["", "X", "f(1..3)", "#script", "a :- b", "f(", "@f(1)"])
def test_other_text_is_refused(text: str) -> None:
    with pytest.raises(KaiserLogicError):
        symbols.read_symbol(text)
