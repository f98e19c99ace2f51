"""What a position's counters can be: their largest and smallest values, and which numbers between are none of them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import chain, pairwise

import clingo

from ..engine import symbols
from ..engine.ruleset import Ruleset

_FAR = 2**31 - 1
"""The largest number there is in clingo."""
GAP = "gap__"
"""gap__(Counter,N,M): the counter has none of the values from N to M."""


def without_end(
    ruleset: Ruleset, fluents: Iterable[clingo.Symbol], beyond: Iterable[clingo.Symbol]
) -> tuple[clingo.Symbol, ...]:
    """The counters of which there are larger numbers too, ``beyond``, than those of ``fluents``."""
    counters = ruleset.book.counters
    more = set(beyond).difference(fluents)
    return tuple(sorted({_counter(f) for f in more if symbols.signature(f) in counters}))


def _counter(fact: clingo.Symbol) -> clingo.Symbol:
    """The counter of which a fact states the value."""
    return clingo.Function(fact.name, fact.arguments[:-1])


def sizes(
    ruleset: Ruleset,
    fluents: Iterable[clingo.Symbol],
    numbers: int,
    near: Collection[int],
    endless: Collection[clingo.Symbol],
) -> tuple[clingo.Symbol, ...]:
    """most(Counter,N): the largest value that a counter can have; endless(Counter): any number up to ``numbers``, and more.

    least__(Counter,N): the smallest one; reach__(Counter,N): no change by more than N leads from one of its values to another;
    gap__(Counter,N,M): none from N to M is a value, though they lie among those that there are, or next to nothing.

    Args:
        ruleset: The rules in force.
        fluents: Those that may be added.
        numbers: Up to where numbers without a limit run, for these.
        near: Which of those they were given.
        endless: Which counters have no end.
    """
    values: dict[clingo.Symbol, set[int]] = {}
    for f in fluents:
        if symbols.signature(f) in ruleset.book.counters:
            values.setdefault(_counter(f), set()).add(f.arguments[-1].number)
    signed = ruleset.book.signed
    found: dict[str, list[clingo.Symbol]] = {
        name: [] for name in ("most", "least__", "endless", "reach__", GAP)
    }

    def fact(name: str, counter: clingo.Symbol, *rest: int) -> None:
        found[name].append(clingo.Function(name, [counter, *map(clingo.Number, rest)]))

    for counter, there in values.items():
        signature = counter.name, len(counter.arguments) + 1
        known = sorted(there if ruleset.book.counters[signature] else {0, *there})
        lowest, highest = (known[0], known[-1]) if signature in signed else (min(0, *known), max(0, *known))
        further = highest >= numbers and counter in endless
        fact("most", counter, highest)
        fact("reach__", counter, _FAR if further or -lowest >= numbers else highest - lowest)
        if further:
            fact("endless", counter)
        if signature in signed:
            fact("least__", counter, lowest)
        elif known[0] > 0:
            fact(GAP, counter, 0, known[0] - 1)
        for first, last in _between(known, near if further else None):
            fact(GAP, counter, first, last)
    return tuple(chain.from_iterable(found.values()))


def _between(known: Sequence[int], near: Collection[int] | None) -> list[tuple[int, int]]:
    """The numbers between values that are none, from and to; ``near``: of numbers without an end those that were looked at.

    >>> _between([0, 2, 3, 7], None)
    [(1, 1), (4, 6)]
    >>> _between([0, 1, 2, 8, 9], [0, 1, 2, 8, 9])
    []
    """
    if near is not None:
        there = set(known)
        if all(n in there for n in near if n >= known[0]):
            return []
    found = [(n + 1, m - 1) for n, m in pairwise(known) if m - n > 1]
    return found if near is None else [*found, (known[-1] + 1, _FAR)]
