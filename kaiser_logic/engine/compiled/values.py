"""Python values for symbols, which compare and hash fast.

A number is an ``int``, a constant its name, a string a quotation mark and its text, a function a tuple of its name and its
arguments; the name of a clingo tuple is empty.

>>> value(clingo.parse_term('f(1,a,"b",(2,c))'))
('f', 1, 'a', '"b', ('', 2, 'c'))
"""

from __future__ import annotations

from typing import Final, TypeAlias, Union

from ... import clingo

Value: TypeAlias = Union[int, str, "tuple[Value, ...]"]
Row: TypeAlias = tuple[Value, ...]

_LIMIT: Final = 500_000
"""The largest number of cached symbols and values."""
LARGE: Final = 100_000
"""The largest absolute value of a number here. clingo, which computes with 32 bits, evaluates programs with larger ones."""
_ENDS: Final = {"#inf": clingo.Infimum, "#sup": clingo.Supremum}
"""The least and the greatest value: the maximum and the minimum of an empty set."""
_values: dict[clingo.Symbol, Value] = {}
_symbols: dict[Value, clingo.Symbol] = {}


class Large(Exception):
    """A number is too large, or a symbol has no value here: clingo must evaluate the program."""


class Unsupported(Exception):
    """A construct is not compiled: clingo must evaluate the program."""


def value(symbol: clingo.Symbol) -> Value:
    """The value of a symbol.

    Raises:
        Large: It has a number beyond `LARGE`, infinity, or a classical negation.
    """
    found = _values.get(symbol)
    if found is None:
        if len(_values) > _LIMIT:
            _values.clear()
        found = _values[symbol] = _value(symbol)
    return found


def _value(symbol: clingo.Symbol) -> Value:
    kind = symbol.type  # read once: each access calls clingo's library
    if kind is clingo.SymbolType.Number:
        number = symbol.number
        if abs(number) > LARGE:
            raise Large
        return number
    if kind is clingo.SymbolType.String:
        return f'"{symbol.string}'
    if kind is not clingo.SymbolType.Function or symbol.negative:
        raise Large
    name, arguments = symbol.name, symbol.arguments
    return (name, *map(value, arguments)) if arguments or not name else name


def symbol(value: Value) -> clingo.Symbol:
    """The symbol of a value."""
    found = _symbols.get(value)
    if found is None:
        if len(_symbols) > _LIMIT:
            _symbols.clear()
        found = _symbols[value] = _symbol(value)
    return found


def _symbol(value: Value) -> clingo.Symbol:
    if isinstance(value, int):
        return clingo.Number(value)
    if isinstance(value, str):
        return clingo.String(value[1:]) if value[:1] == '"' else _ENDS.get(value) or clingo.Function(value)
    return clingo.Function(str(value[0]), [symbol(x) for x in value[1:]])


def fact(name: str, row: Row) -> clingo.Symbol:
    """The fact with this name and these arguments."""
    return symbol((name, *row) if row else name)


# -- functions for generated code --------------------------------------------------------------------------------------


def less(a: Value, b: Value) -> bool:
    """Whether a value comes before another in clingo's order."""
    if type(a) is int and type(b) is int:
        return a < b
    return a != b and symbol(a) < symbol(b)


def least(values: set[Row], empty: Value) -> Value:
    """The least first value of some tuples; ``empty`` if there are none."""
    return value(min(map(symbol, (t[0] for t in values)))) if values else empty


def most(values: set[Row], empty: Value) -> Value:
    """The greatest first value of some tuples; ``empty`` if there are none."""
    return value(max(map(symbol, (t[0] for t in values)))) if values else empty


def total(values: set[Row]) -> int:
    """The sum of the first values of some tuples, without those that are no numbers."""
    return checked(sum([t[0] for t in values if type(t[0]) is int])) if values else 0


def checked(number: int) -> int:
    """The number; Large if it is too large."""
    if not -10 * LARGE <= number <= 10 * LARGE:
        raise Large
    return number


def negated(a: Value) -> int:
    """The negative of a number; Large for a constant, as only clingo has ``-a``."""
    if type(a) is int:
        return -a
    raise Large


def divided(a: int, b: int) -> int:
    """Integer division as in clingo, truncated towards zero."""
    found = abs(a) // abs(b)
    return found if (a < 0) == (b < 0) else -found


def rest(a: int, b: int) -> int:
    """The remainder of `divided`, with the sign of the dividend."""
    return a - b * divided(a, b)
