"""Relations: the rows of a predicate, with indexes that are made when they are asked for."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, TypeAlias

from ...rules.pattern import Signature
from .values import Row, Value

Index: TypeAlias = dict[Value, list[Row]]


class Relation:
    """The rows of a predicate.

    Attributes:
        rows: The arguments of each of its atoms.
        indexes: For each choice of places (as a bit mask) the rows by what stands there.
    """

    __slots__ = ("indexes", "rows")

    def __init__(self, rows: Iterable[Row] = ()) -> None:
        """Of these rows."""
        self.rows = set(rows)
        self.indexes: dict[int, Index] = {}

    def index(self, mask: int) -> Index:
        """The rows by what stands at the places of a bit mask; a tuple where those are several."""
        found = self.indexes.get(mask)
        if found is None:
            places = [k for k in range(mask.bit_length()) if mask >> k & 1]
            found = {}
            if len(places) == 1:
                (place,) = places
                for row in self.rows:
                    found.setdefault(row[place], []).append(row)
            else:
                for row in self.rows:
                    found.setdefault(tuple([row[k] for k in places]), []).append(row)
            self.indexes[mask] = found
        return found


EMPTY: Final = Relation()
"""What a predicate without atoms is; never changed."""
Database: TypeAlias = list[Relation]
"""The relations of all predicates, each at its number."""

_numbers: dict[Signature, int] = {}


def number(signature: Signature) -> int:
    """A predicate's number: the same in the whole process."""
    return _numbers.setdefault(signature, len(_numbers))


def known() -> int:
    """How many predicates have a number."""
    return len(_numbers)


def put(database: Database, number: int) -> Relation:
    """The relation of a predicate to which rows are added."""
    found = database[number]
    if found is EMPTY:
        found = database[number] = Relation()
    return found
