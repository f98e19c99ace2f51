"""Evaluates a query in a given position: all values of its variables for which it holds."""

from __future__ import annotations

from typing import Final, TypeAlias

from .. import clingo
from ..engine import symbols
from ..evaluation.evaluator import Evaluator
from .check import Check
from .language import Query
from .mistakes import read_query

EFFORT: Final = 2_000_000
"""So many instances of atoms are looked at, at most."""
_KNOWN: Final = 64
"""So many queries are remembered of one game."""

Value: TypeAlias = "int | str"
"""A number, or anything else as its text."""


def ask(evaluator: Evaluator, facts: frozenset[clingo.Symbol], source: str) -> list[dict[str, Value]]:
    """The values of the query's variables for which it holds in a position, each combination once, in order.

    Args:
        evaluator: Of the rules in force.
        facts: The position.
        source: The query.

    Raises:
        NotDecided: Too much would have to be looked at.
    """
    known: dict[str, tuple[Query, Check]] = evaluator.ruleset.remember("asked", dict)
    if source not in known:
        if len(known) >= _KNOWN:
            known.clear()
        query = read_query(source, evaluator.ruleset)
        known[source] = query, Check(evaluator, query)
    found = known[source][1].solutions(facts, EFFORT)
    named = (tuple(sorted((n, v) for n, v in one.values.items() if n[0] != "_")) for one in found)
    return [{name: _plain(value) for name, value in values} for values in sorted(set(named))]


def _plain(value: clingo.Symbol) -> Value:
    return value.number if value.type == clingo.SymbolType.Number else symbols.text(value)
