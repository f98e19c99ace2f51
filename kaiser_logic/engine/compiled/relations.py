"""Relations: the rows of a predicate, with indexes that are made when they are asked for."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from itertools import islice
from operator import itemgetter
from typing import Final, TypeAlias

from ...rules.pattern import Signature
from .values import Row, Value

Index: TypeAlias = dict[Value, list[Row]]
_keys: dict[int, Callable[[Row], Value]] = {}
"""For each choice of places what stands there in a row."""


class Relation:
    """The rows of a predicate.

    Attributes:
        rows: The arguments of each of its atoms.
        indexes: For each choice of places (as a bit mask) the rows by what stands there.
    """

    __slots__ = ("indexes", "rows")

    def __init__(self, rows: set[Row]) -> None:
        """Of these rows, which are this relation's own from now on."""
        self.rows = rows
        self.indexes: dict[int, Index] = {}

    def index(self, mask: int) -> Index:
        """The rows by what stands at the places of a bit mask; a tuple where those are several."""
        found = self.indexes.get(mask)
        if found is None:
            key = _keys.get(mask)
            if key is None:
                key = _keys[mask] = itemgetter(*(k for k in range(mask.bit_length()) if mask >> k & 1))
            found = defaultdict(list)
            for row in self.rows:
                found[key(row)].append(row)
            self.indexes[mask] = found
        return found


EMPTY: Final = Relation(set())
"""What a predicate without atoms is; never changed."""
Database: TypeAlias = list[Relation]
"""The relations of all predicates, each at its number."""

_numbers: dict[Signature, int] = {}


def number(signature: Signature) -> int:
    """A predicate's number: the same in the whole process."""
    return _numbers.setdefault(signature, len(_numbers))


def signature_of(n: int) -> Signature:
    """The predicate of a number."""
    return next(islice(_numbers, n, None))


def known() -> int:
    """How many predicates have a number."""
    return len(_numbers)


def put(database: Database, number: int, rows: set[Row]) -> None:
    """Adds rows to the relation of a predicate that a program derives; where there is none yet they become its own."""
    found = database[number]
    if found is EMPTY:
        database[number] = Relation(rows)
    else:
        found.rows |= rows


def extend(database: Database, number: int, rows: set[Row]) -> set[Row]:
    """Adds rows to the relation of a predicate, and to its indexes; those that it did not have."""
    found = database[number]
    new = rows - found.rows
    if not new:
        return new
    if found is EMPTY:
        database[number] = Relation(set(new))
        return new
    found.rows |= new
    for mask, index in found.indexes.items():
        key = _keys[mask]
        for row in new:
            index[key(row)].append(row)
    return new


def added(signature: Signature) -> Signature:
    """The predicate that stands for what has been added of another one; no rulebook has such a name.

    >>> added(("reached", 2))
    ("reached'", 2)
    """
    name, arity = signature
    return f"{name}'", arity


def is_added(name: str) -> bool:
    """Whether a predicate stands for what has been added of another one."""
    return name[-1] == "'"
