"""Symbols are read, written and converted without loss."""

from __future__ import annotations

import clingo
import pytest
from clingo import Function, Number, String

from kaiser_logic.engine import symbols
from kaiser_logic.errors import KaiserLogicError


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
