"""Values of programs as Python compares them fast, and of which kind they are."""

from __future__ import annotations

from functools import lru_cache
from typing import Final, TypeAlias, Union

import clingo

Term: TypeAlias = Union[int, str, "tuple[Term, ...]"]
"""A value as Python compares it fast: a number, a name, ``"`` and what is no name, or a functor's name and its arguments."""
Value: TypeAlias = tuple[str, int]
"""A constant (0 arguments) or a functor; `NUMBER`, or `FIXED`: any other value that is no name."""


NUMBER: Final[Value] = ("#number", -1)
FIXED: Final[Value] = ("#fixed", -1)
_ENDS: Final = {'"#inf': clingo.Infimum, '"#sup': clingo.Supremum}


class NotUnderstood(Exception):
    """A line has something of which nothing is said here."""


def kind_of(term: Term) -> Value:
    """What a value that has no arguments is: a number, a name, or something else that never changes."""
    if isinstance(term, int):
        return NUMBER
    return FIXED if not isinstance(term, str) or term.startswith('"') else (term, 0)


@lru_cache(maxsize=100_000)
def term_of(symbol: clingo.Symbol) -> Term:
    """A symbol as Python compares it fast.

    Raises:
        NotUnderstood: It has a name with a minus.
    """
    kind = symbol.type
    if kind == clingo.SymbolType.Number:
        return symbol.number
    if kind == clingo.SymbolType.String:
        return f'""{symbol.string}'
    if kind != clingo.SymbolType.Function:
        return f'"{symbol}'
    if symbol.negative:
        raise NotUnderstood
    name, arguments = symbol.name, symbol.arguments
    return (name, *map(term_of, arguments)) if arguments or not name else name


def symbol_of(term: Term) -> clingo.Symbol:
    """The symbol of such a value."""
    if isinstance(term, int):
        return clingo.Number(term)
    if isinstance(term, tuple):
        return clingo.Function(str(term[0]), list(map(symbol_of, term[1:])))
    if term.startswith('""'):
        return clingo.String(term[2:])
    return _ENDS.get(term) or clingo.Function(term)
