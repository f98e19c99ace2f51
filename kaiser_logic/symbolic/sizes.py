"""What a position's counters can be: their largest and smallest values, and which numbers between are none of them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from itertools import chain, pairwise

from .. import clingo
from ..engine import symbols
from ..engine.ruleset import Ruleset
from ..rules.pattern import Signature, outermost
from ..rules.predicates import FLUENT, NUMBER
from .numbers import numbered

_FAR = 2**31 - 1
"""The largest number there is in clingo."""
_LAST = re.compile(r"fluent\([^;]*[(,]-?([A-Z]\w*)\)\)\s*:-")
"""A fluent that ends with a number, or one below nothing."""
GAP = "gap__"
"""gap__(Counter,N,M): the counter has none of the values from N to M."""


def without_end(
    ruleset: Ruleset, fluents: Iterable[clingo.Symbol], beyond: Iterable[clingo.Symbol]
) -> tuple[clingo.Symbol, ...]:
    """The counters that can have any number: also larger ones, ``beyond``, than those of ``fluents``.

    Of a sort with a condition (``number(N), N != 70``) it is not known what lies beyond what was looked at.
    """
    any_number = ruleset.remember("counters of any number", lambda: _of_any_number(ruleset))
    more = set(beyond).difference(fluents)
    return tuple(sorted({_counter(f) for f in more if symbols.signature(f) in any_number}))


def _of_any_number(ruleset: Ruleset) -> frozenset[Signature]:
    """The counters whose numbers no rule asks for: ``fluent(points(R,N)) :- player(R), number(N).``, or ``-N`` in its head."""
    numbers = numbered(ruleset)
    found: dict[Signature, bool] = {}
    for rule in ruleset.rules:
        for head in (h for h in rule.heads if h.signature == FLUENT and rule.uses & numbers):
            counter = outermost(head.args[0])
            if counter is None:
                return frozenset()
            read = [a.args[0] for a in rule.positive if a.signature == NUMBER]
            said = _LAST.match(rule.text)
            plain = (
                said is not None
                and len(rule.heads) == 1
                and read == [("v", said[1])]
                and rule.uses & numbers == {NUMBER}
                and len(re.findall(rf"\b{said[1]}\b", rule.text)) == 2
            )
            found[counter] = plain and found.get(counter, True)
    return frozenset(c for c, plain in found.items() if plain and c in ruleset.book.counters)


def _counter(fact: clingo.Symbol) -> clingo.Symbol:
    """The counter of which a fact states the value."""
    return clingo.Function(fact.name, fact.arguments[:-1])


def sizes(
    ruleset: Ruleset,
    fluents: Iterable[clingo.Symbol],
    numbers: int,
    endless: Collection[clingo.Symbol],
) -> tuple[clingo.Symbol, ...]:
    """most(Counter,N): the largest value that a counter can have; endless(Counter): any number up to ``numbers``, and more.

    least__(Counter,N): the smallest one; reach__(Counter,N): no change by more than N leads from one of its values to another;
    gap__(Counter,N,M): none from N to M is a value, though they lie among those that there are, or next to nothing.

    Args:
        ruleset: The rules in force.
        fluents: Those that may be added.
        numbers: Up to where numbers without a limit run, for these.
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
        for first, last in [] if further else _between(known):
            fact(GAP, counter, first, last)
    return tuple(chain.from_iterable(found.values()))


def _between(known: Sequence[int]) -> list[tuple[int, int]]:
    """The numbers between values that are none, from and to.

    >>> _between([0, 2, 3, 7])
    [(1, 1), (4, 6)]
    """
    return [(n + 1, m - 1) for n, m in pairwise(known) if m - n > 1]
