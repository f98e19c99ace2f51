"""Matching of facts with patterns."""

from __future__ import annotations

import clingo
import pytest
from support.mined import feature

from kaiser_logic.mining.candidates import match


@pytest.mark.parametrize(
    ("pattern", "fact", "found"),
    [
        ("held(_,rival,_)", "held(red,rival,1)", []),
        ("held(X,rival,_)", "held(red,rival,1)", ["red"]),
        ("held(X,rival,_)", "held(red,pope,1)", None),
        ("round(5)", "round(5)", []),
        ("round(5)", "round(4)", None),
        ("decision(_,settle(X))", "decision(red,settle(trier))", ["trier"]),
        ("decision(_,settle(_))", "decision(red,vote)", None),
        ("decision(_,_)", "decision(red,vote)", []),
        ("revolt", "revolt", []),
        ("ap(N)", "ap(3)", ["3"]),
    ],
)
def test_patterns_match_facts(pattern: str, fact: str, found: list[str] | None) -> None:
    matched = match(feature(pattern, "player" if "X" in pattern else None).pattern, clingo.parse_term(fact))
    assert (None if matched is None else list(map(str, matched))) == found
