"""Ground terms, which represent facts and actions.

A term is a name with arguments, such as `aristocrat(trier,red,25,baron,1)`, or only a name, such as `pass`. An argument is
a term or a whole number. The text of a term is canonical: it has no blanks, and equal terms have equal texts.

    >>> term = Term.make("aristocrat", "trier", "red", 25, "baron", 1)
    >>> str(term)
    'aristocrat(trier,red,25,baron,1)'
    >>> match term:
    ...     case Term("aristocrat", (electorate, *_)):
    ...         str(electorate)
    'trier'
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple, TypeAlias

Value: TypeAlias = "int | Term"
"""The possible arguments of a term."""

NAME = re.compile(r"[a-z][A-Za-z0-9_]*")
"""The syntax of a name."""

MAX_DIGITS = 9
"""The largest number of digits of a number, so that it fits into clingo's 32 bits."""

MAX_DEPTH = 32
"""The largest depth of parentheses in untrusted text."""


class Term(NamedTuple):
    """A name and its arguments.

    A term is a tuple, so that hashing and comparing are fast; it equals the tuple `(name, args)`. Terms are ordered by their
    texts; numbers come before all terms.
    """

    name: str
    args: tuple[Value, ...] = ()

    @classmethod
    def make(cls, name: str, *args: Value | str) -> Term:
        """A term whose arguments may be given as plain names: `Term.make("seat", "red", 1)`."""
        return cls(name, tuple(cls(arg) if isinstance(arg, str) else arg for arg in args))

    def __str__(self) -> str:
        """The canonical text."""
        return f"{self.name}({','.join(map(str, self.args))})" if self.args else self.name

    def __repr__(self) -> str:
        """The expression that builds the term."""
        return f"Term({self.name!r}, {self.args!r})" if self.args else f"Term({self.name!r})"

    def __lt__(self, other: object) -> bool:
        """Compare texts."""
        return str(self) < str(other) if isinstance(other, (Term, int)) else NotImplemented

    def __le__(self, other: object) -> bool:
        """Compare texts."""
        return str(self) <= str(other) if isinstance(other, (Term, int)) else NotImplemented

    def __gt__(self, other: object) -> bool:
        """Compare texts."""
        return str(self) > str(other) if isinstance(other, (Term, int)) else NotImplemented

    def __ge__(self, other: object) -> bool:
        """Compare texts."""
        return str(self) >= str(other) if isinstance(other, (Term, int)) else NotImplemented


UNKNOWN = Term("?")
"""An unknown part of a record: `?`, as in `deal(red,?)`."""


def walk(value: Value) -> Iterator[Value]:
    """The value and all its parts, from left to right, each before its own parts."""
    yield value
    if isinstance(value, Term):
        for arg in value.args:
            yield from walk(arg)


@lru_cache(maxsize=50_000)
def has_unknown(value: Value) -> bool:
    """Whether any part of the value is `?`."""
    return any(part == UNKNOWN for part in walk(value))
