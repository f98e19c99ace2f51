"""Numbers without a limit: when an open position, where they run up to a bound, stands for all of them.

Points have no end; in an open position they run to a bound, and from one below 0 where there can be less than nothing.
That is enough for a counter that the rules of a question read only at thresholds, ``points(R,N), N > 8``: if the bound is
so high that a counter there is above every threshold before the transition and after it, then any larger number behaves
as the bound does; likewise below. Where no rule compares a counter, any value behaves as any other. Everything else
that depends on such numbers (sums, differences, two of them compared) is not decided, and says so.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache
from typing import TypeAlias

from .. import clingo
from ..engine import symbols
from ..rules.pattern import Signature
from ..symbolic.domains import Domains

_Counter: TypeAlias = tuple[str, tuple[clingo.Symbol, ...]]
"""A counter: its name and its arguments but for the number."""
_NUMBER = re.compile(r"-?\d+")
_COMPARED = re.compile(r"(.+?)\s*(<=|>=|!=|<|>|=)\s*(.+)")


@lru_cache(maxsize=4)
def cut(sorts: Domains) -> frozenset[Signature]:
    """The fluents that are not all in an open position, as the numbers in them run up to a bound."""
    return frozenset(map(symbols.signature, set(sorts.wide) - set(sorts.fluents)))


def clipped(facts: frozenset[clingo.Symbol], sorts: Domains) -> frozenset[clingo.Symbol]:
    """The position with each counter that exceeds a bound at the bound."""
    kinds, ends = cut(sorts), _ends(sorts)
    return frozenset(_clipped(f, ends) if symbols.signature(f) in kinds else f for f in facts)


def _clipped(fact: clingo.Symbol, ends: Mapping[_Counter, tuple[int | None, int]]) -> clingo.Symbol:
    """A fact, with its number at the bound where it exceeds that."""
    if not fact.arguments or fact.arguments[-1].type is not clingo.SymbolType.Number:
        return fact
    there = fact.arguments[-1].number
    least, most = ends.get((fact.name, tuple(fact.arguments[:-1])), (there, there))
    kept = min(most, there if least is None else max(least, there))
    return fact if kept == there else clingo.Function(fact.name, [*fact.arguments[:-1], clingo.Number(kept)])


@lru_cache(maxsize=1)
def _ends(sorts: Domains) -> Mapping[_Counter, tuple[int | None, int]]:
    """Of each counter that is cut the lowest and the highest number that there is in an open position.

    The lowest is None where there is none below it: the counter is cut above only.
    """
    kinds = cut(sorts)
    narrow, wide = (
        {
            (name, rest): (min(0, *numbers), max(0, *numbers))
            for (name, rest), numbers in _numbers(fluents, kinds).items()
        }
        for fluents in (sorts.fluents, sorts.wide)
    )
    return {key: (least if wide[key][0] < least else None, most) for key, (least, most) in narrow.items()}


def _numbers(fluents: Iterable[clingo.Symbol], kinds: Collection[Signature]) -> dict[_Counter, list[int]]:
    """The numbers at the end of these kinds of fluents, by what stands before them."""
    found: dict[_Counter, list[int]] = {}
    for fact in fluents:
        if symbols.signature(fact) in kinds and fact.arguments[-1].type is clingo.SymbolType.Number:
            key = fact.name, tuple(fact.arguments[:-1])
            found.setdefault(key, [0]).append(fact.arguments[-1].number)
    return found
