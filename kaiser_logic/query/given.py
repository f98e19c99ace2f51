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
"""The largest number of instances of atoms to visit."""
_KNOWN: Final = 64
"""The number of queries of a game that are kept in memory."""

Value: TypeAlias = "int | str"
"""A number, or anything else as its text."""


def evaluate(evaluator: Evaluator, facts: frozenset[clingo.Symbol], source: str) -> list[dict[str, Value]]:
    """The values of the query's variables for which it holds in a position, each combination once, in order.

    Args:
        evaluator: The plain engine under the rules in force.
        facts: The facts of the position.
        source: The query.

    Returns:
        A dictionary for each solution: variables without those that begin with ``_``, numbers as int, all else as text.

    Raises:
        NotDecided: There are too many instances of atoms.
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
