"""Matching of facts with patterns."""

from __future__ import annotations

import clingo
import pytest
from support.mined import feature

from kaiser_logic.mining.candidates import Observations


@pytest.mark.parametrize(
    ("pattern", "fact", "values"),
    [
        ("held(_,rival,_)", "held(red,rival,1)", ["None"]),
        ("held(X,rival,_)", "held(red,rival,1)", ["red"]),
        ("held(X,rival,_)", "held(red,pope,1)", []),
        ("round(5)", "round(5)", ["None"]),
        ("round(5)", "round(4)", []),
        ("decision(_,settle(X))", "decision(red,settle(trier))", ["trier"]),
        ("decision(_,settle(_))", "decision(red,vote)", []),
        ("decision(_,_)", "decision(red,vote)", ["None"]),
        ("revolt", "revolt", ["None"]),
        ("ap(N)", "ap(3)", ["3"]),
    ],
)
def test_patterns_match_facts(pattern: str, fact: str, values: list[str]) -> None:
    found = Observations([frozenset([clingo.parse_term(fact)])]).by_value(
        feature(pattern, "player" if "X" in pattern else None)
    )
    assert list(map(str, found)) == values
