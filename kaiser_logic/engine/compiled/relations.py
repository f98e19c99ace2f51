"""Relations: the rows of a predicate, with indexes that are built on demand."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from operator import itemgetter
from typing import Final, TypeAlias

from ... import clingo
from ...function_caches import on_change
from ...lang.terms import Signature
from .. import symbols
from ..grounding import Facts
from .values import Row, TooLargeToCompile, Value, fact, value

Index: TypeAlias = dict[Value, list[Row]]
_keys: dict[int, Callable[[Row], Value]] = {}
"""For each set of columns (a bit mask) the function that gives the key of a row."""


class Relation:
    """The rows of a predicate.

    Attributes:
        rows: The arguments of each of its atoms.
        indexes: For each set of columns (a bit mask) the rows by their values in these columns.
    """

    __slots__ = ("indexes", "rows")

    def __init__(self, rows: set[Row]) -> None:
        """Takes over the set of rows, which nobody else may change."""
        self.rows = rows
        self.indexes: dict[int, Index] = {}

    def index(self, mask: int) -> Index:
        """The index for a set of columns (a bit mask) and `by_name`. The key is a value, or a tuple if it has several parts."""
        rows_by_key = self.indexes.get(mask)
        if rows_by_key is None:
            key = _keys.get(mask) or _key_of(mask)
            if len(self.rows) == 1:  # a frequent case, for which this is faster
                (row,) = self.rows
                rows_by_key = {key(row): [row]}
            else:
                rows_by_key = defaultdict(list)
                for row in self.rows:
                    rows_by_key[key(row)].append(row)
            self.indexes[mask] = rows_by_key
        return rows_by_key


_COLUMNS: Final = 32
"""The bits of a mask that stand for columns. Those above say in which column the names of terms count."""


def by_name(column: int) -> int:
    """The mask of an index by the names of the terms in a column. Together with other columns it is the last part of the key."""
    return (column + 1) << _COLUMNS


def _key_of(mask: int) -> Callable[[Row], Value]:
    """The function that gives the key of a row, for an index that is made for the first time."""
    places = [k for k in range(_COLUMNS) if mask >> k & 1]
    column = (mask >> _COLUMNS) - 1

    def key_with_name(row: Row) -> Value:
        term = row[column]
        name = term[0] if type(term) is tuple else term
        return (*[row[k] for k in places], name) if places else name

    key = _keys[mask] = itemgetter(*places) if column < 0 else key_with_name
    return key


EMPTY: Final = Relation(set())
"""The relation of a predicate without atoms. It is never changed."""
Database: TypeAlias = list[Relation]
"""The relations of all predicates, by number."""

_numbers: dict[Signature, int] = {}


def number(signature: Signature) -> int:
    """The number of a predicate, which stays the same in a process."""
    return _numbers.setdefault(signature, len(_numbers))


def signature_of(n: int) -> Signature:
    """The predicate with a number."""
    return next(islice(_numbers, n, None))


def count_known() -> int:
    """How many predicates have a number."""
    return len(_numbers)


def extend(database: Database, number: int, rows: set[Row]) -> set[Row]:
    """Adds rows to the relation of a predicate and to its indexes.

    Returns:
        The rows that are new.
    """
    relation = database[number]
    new = rows - relation.rows
    if not new:
        return new
    if relation is EMPTY:
        database[number] = Relation(set(new))
        return new
    relation.rows |= new
    for mask, index in relation.indexes.items():
        key = _keys[mask]
        for row in new:
            index.setdefault(key(row), []).append(row)
    return new


def delta_of(signature: Signature) -> Signature:
    """The predicate for the new rows of another one (its delta). No rulebook has such a name.

    >>> delta_of(("reached", 2))
    ("reached'", 2)
    """
    name, arity = signature
    return f"{name}'", arity


def is_added(name: str) -> bool:
    """Whether a predicate stands for the new rows of another one."""
    return name[-1] == "'"


# -- given ---------------------------------------------------------------------------------------------------
#
# The facts of a position become relations once for all programs. If a position is made from another one, it keeps the relations
# that have not changed. As programs and positions share these relations with their indexes, nobody adds rows to them.


Given: TypeAlias = Mapping[int, Relation]
"""The facts of a position by the numbers of their predicates."""

_MOST_CACHED: Final = 64
"""The largest number of cached positions."""
_MOST_ROWS: Final = 500_000
_given: dict[Facts, Given] = {}
_rows: dict[clingo.Symbol, tuple[int, Row]] = {}
on_change(_given.clear)
on_change(_rows.clear)


def relations_of(facts: Facts) -> Given:
    """The facts of a position as relations.

    Raises:
        Large: A fact has a number that is left to clingo.
    """
    relations = _given.get(facts)
    if relations is None:
        rows: defaultdict[int, set[Row]] = defaultdict(set)
        known = _rows.get
        for symbol in facts:
            n, row = known(symbol) or row_of(symbol)
            rows[n].add(row)
        relations = _keep(facts, {n: Relation(found_rows) for n, found_rows in rows.items()})
    return relations


def change_facts(facts: Facts, deleted: Sequence[clingo.Symbol], added: Sequence[clingo.Symbol]) -> Facts:
    """The position after deleting some facts, then adding others. Predicates that do not change keep their relations."""
    new = facts.difference(deleted).union(added)
    known = _given.get(facts)
    if known is not None and new not in _given:
        with suppress(TooLargeToCompile):  # `relations_of` raises it again when the position is evaluated
            _keep(new, _change_relations(known, deleted, added))
    return new


def _change_relations(known: Given, deleted: Iterable[clingo.Symbol], added: Iterable[clingo.Symbol]) -> Given:
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
    relations = dict(known)
    for n, new_rows in rows.items():
        if new_rows:
            relations[n] = Relation(new_rows)
        else:
            relations.pop(n, None)
    return relations


def _keep(facts: Facts, relations: Given) -> Given:
    """Caches the relations of a position, and drops the oldest one if the cache is full."""
    if len(_given) >= _MOST_CACHED:
        _given.pop(next(iter(_given)), None)
    _given[facts] = relations
    return relations


def row_of(symbol: clingo.Symbol) -> tuple[int, Row]:
    """The number of a fact's predicate, and its arguments."""
    row = _rows.get(symbol)
    if row is None:
        if len(_rows) > _MOST_ROWS:
            _rows.clear()
        arguments = symbol.arguments
        row = _rows[symbol] = number((symbol.name, len(arguments))), tuple(map(value, arguments))
    return row


def facts_of(facts: Facts, signature: Signature) -> list[clingo.Symbol]:
    """The facts of one predicate in a position."""
    try:
        relation = relations_of(facts).get(number(signature))
    except TooLargeToCompile:
        return [s for s in facts if symbols.signature(s) == signature]
    return [fact(signature[0], row) for row in relation.rows] if relation is not None else []
