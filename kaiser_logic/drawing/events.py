"""What happened between two positions, told in the game's words: income, points, who became what.

A counter that rose is ``gain(COUNTER,N)``, one that fell ``lose(COUNTER,N)``; of other facts ``add(FACT)`` and
``del(FACT)``. What the game's table ``[events]`` has no words for is not told.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from .. import clingo
from ..engine import symbols
from ..position import Position
from ..rules.pattern import Signature
from ..rules.phrases import phrases


def events(before: Position, after: Position) -> list[str]:
    """The events in words, those of the counters first, in the order of the vocabulary."""
    if before.ruleset.book is not after.ruleset.book:
        return []
    words = phrases(after.ruleset.book.folder)
    sentences = (words.event(term) for term in (*counted(before, after), *_others(before, after)))
    return [f"{sentence[:1].upper()}{sentence[1:]}" for sentence in dict.fromkeys(sentences) if sentence]


def counted(before: Position, after: Position) -> Iterator[str]:
    """The changes of counters as terms: ``gain(thalers(red),8)``."""
    counters = after.ruleset.book.counters
    gone, come = before.symbols - after.symbols, after.symbols - before.symbols
    old, new = _counted(gone, counters), _counted(come, counters)
    ordered = after.ruleset.book.ordered
    for key in ordered({*old, *new}):
        rise = new.get(key, 0) - old.get(key, 0)
        if rise:
            yield f"{'gain' if rise > 0 else 'lose'}({key},{abs(rise)})"


def _others(before: Position, after: Position) -> Iterator[str]:
    """The changes of other facts as terms."""
    counters, ordered = after.ruleset.book.counters, after.ruleset.book.ordered
    gone, come = before.symbols - after.symbols, after.symbols - before.symbols
    for name, facts in (("del", gone), ("add", come)):
        others = (symbols.text(f) for f in facts if symbols.signature(f) not in counters)
        yield from (f"{name}({fact})" for fact in ordered(others))


def _counted(facts: frozenset[clingo.Symbol], counters: Mapping[Signature, bool]) -> dict[str, int]:
    """The counters among some facts, each without its number, and that."""
    found = {}
    for fact in facts:
        *rest, number = fact.arguments or [clingo.Function("x")]
        if symbols.signature(fact) in counters and number.type is clingo.SymbolType.Number:
            key = f"{fact.name}({','.join(map(symbols.text, rest))})" if rest else fact.name
            found[key] = number.number
    return found
