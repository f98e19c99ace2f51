"""A position as relations: made once for all programs, from the relations of the position before if little has changed.

Programs share these relations with their indexes, and so do positions that follow one another; nobody adds to them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Final, TypeAlias

from ... import clingo
from ...rules.pattern import Signature
from .. import symbols
from .relations import Relation, number
from .values import Large, Row, fact, value

Facts: TypeAlias = frozenset[clingo.Symbol]
Given: TypeAlias = Mapping[int, Relation]
"""The facts of a position by the numbers of their predicates."""

_KEPT: Final = 64
"""So many positions are remembered."""
_LIMIT: Final = 500_000
_given: dict[Facts, Given] = {}
_rows: dict[clingo.Symbol, tuple[int, Row]] = {}


def given(facts: Facts) -> Given:
    """A position's facts as relations.

    Raises:
        Large: It has a number that is left to clingo.
    """
    found = _given.get(facts)
    if found is None:
        rows: defaultdict[int, set[Row]] = defaultdict(set)
        known = _rows.get
        for symbol in facts:
            n, row = known(symbol) or row_of(symbol)
            rows[n].add(row)
        found = _keep(facts, {n: Relation(its) for n, its in rows.items()})
    return found


def changed(facts: Facts, deleted: Iterable[clingo.Symbol], added: Iterable[clingo.Symbol]) -> Facts:
    """The position without some facts, then with others; what has not changed keeps its relations."""
    deleted, added = frozenset(deleted), frozenset(added)
    new = (facts - deleted) | added
    known = _given.get(facts)
    if known is not None and new not in _given:
        with suppress(Large):  # said where the position is asked for something
            _keep(new, _changed(known, deleted, added))
    return new


def _changed(known: Given, deleted: Iterable[clingo.Symbol], added: Iterable[clingo.Symbol]) -> Given:
    """The relations after a change."""
    rows: dict[int, set[Row]] = {}
    for symbol in deleted:
        n, row = row_of(symbol)
        if n in known:
            rows.setdefault(n, set(known[n].rows)).discard(row)
    for symbol in added:
        n, row = row_of(symbol)
        if n not in rows:
            rows[n] = set(known[n].rows) if n in known else set()
        rows[n].add(row)
    found = dict(known)
    for n, its in rows.items():
        if its:
            found[n] = Relation(its)
        else:
            found.pop(n, None)
    return found


def _keep(facts: Facts, found: Given) -> Given:
    """Remembers a position, and forgets the one that was remembered first."""
    if len(_given) >= _KEPT:
        _given.pop(next(iter(_given)), None)
    _given[facts] = found
    return found


def row_of(symbol: clingo.Symbol) -> tuple[int, Row]:
    """The number of a fact's predicate, and its arguments."""
    found = _rows.get(symbol)
    if found is None:
        if len(_rows) > _LIMIT:
            _rows.clear()
        arguments = symbol.arguments
        found = _rows[symbol] = number((symbol.name, len(arguments))), tuple(map(value, arguments))
    return found


def facts_of(facts: Facts, signature: Signature) -> list[clingo.Symbol]:
    """A position's facts of one predicate."""
    try:
        relation = given(facts).get(number(signature))
    except Large:
        return [s for s in facts if symbols.signature(s) == signature]
    return [fact(signature[0], row) for row in relation.rows] if relation is not None else []
