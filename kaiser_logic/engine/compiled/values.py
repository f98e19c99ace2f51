"""Python values for symbols, which compare and hash fast.

A number is an ``int``, a constant its name, a string its text after a quotation mark, a function a tuple of its name and
its arguments (an unnamed tuple has an empty name).

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
"""Numbers beyond this are left to clingo, which counts in 32 bits."""
_ENDS: Final = {"#inf": clingo.Infimum, "#sup": clingo.Supremum}
"""The values below and above everything: the maximum and the minimum of an empty set."""
_values: dict[clingo.Symbol, Value] = {}
_symbols: dict[Value, clingo.Symbol] = {}


class Large(Exception):
    """A number is so large that it is left to clingo."""


class Unsupported(Exception):
    """A construct that is not compiled: its program is left to clingo."""


def value(symbol: clingo.Symbol) -> Value:
    """The value of a symbol.

    Raises:
        Large: It has a number beyond `LARGE`, or infinity.
    """
    found = _values.get(symbol)
    if found is None:
        if len(_values) > _LIMIT:
            _values.clear()
        found = _values[symbol] = _value(symbol)
    return found


def _value(symbol: clingo.Symbol) -> Value:
    kind = symbol.type  # what is asked of a symbol is asked once: each time clingo's library is called
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


# -- what the compiled rules call --------------------------------------------------------------------------------------


def less(a: Value, b: Value) -> bool:
    """Whether a value comes before another in clingo's order."""
    if type(a) is int and type(b) is int:
        return a < b
    return a != b and symbol(a) < symbol(b)


def least(values: set[Row], empty: Value) -> Value:
    """The least first value of some tuples."""
    return symbol_value(min(map(symbol, (t[0] for t in values)))) if values else empty


def most(values: set[Row], empty: Value) -> Value:
    """The greatest first value of some tuples."""
    return symbol_value(max(map(symbol, (t[0] for t in values)))) if values else empty


def symbol_value(symbol: clingo.Symbol) -> Value:
    """Like `value`."""
    return value(symbol)


def total(values: set[Row]) -> int:
    """The sum of the first values of some tuples, but for those that are no numbers."""
    return checked(sum([t[0] for t in values if type(t[0]) is int])) if values else 0


def checked(number: int) -> int:
    """The number, if it is not too large."""
    if not -10 * LARGE <= number <= 10 * LARGE:
        raise Large
    return number


def negated(a: Value) -> int:
    """The number with the other sign; of a word clingo has a negative, too: that is left to it."""
    if type(a) is int:
        return -a
    raise Large


def divided(a: int, b: int) -> int:
    """Division as clingo has it, towards nothing."""
    found = abs(a) // abs(b)
    return found if (a < 0) == (b < 0) else -found


def rest(a: int, b: int) -> int:
    """The remainder of the division, with the sign of the dividend."""
    return a - b * divided(a, b)
