"""Python values for symbols, which compare and hash fast.

A number is an ``int``, a constant its name, a string a quotation mark and its text, a function a tuple of its name and its
arguments; the name of a clingo tuple is empty.

>>> value(clingo.parse_term('f(1,a,"b",(2,c))'))
('f', 1, 'a', '"b', ('', 2, 'c'))
"""

from __future__ import annotations

from typing import Final, TypeAlias, Union

from ... import clingo
from ...function_caches import cache_until_change
from ...lang.terms import LARGEST

Value: TypeAlias = Union[int, str, "tuple[Value, ...]"]
Row: TypeAlias = tuple[Value, ...]

_LIMIT: Final = 500_000
"""The largest number of cached symbols and values."""
LARGE: Final = 100_000
"""The largest absolute value of a number here. clingo, which computes with 32 bits, evaluates programs with larger ones."""
LONGEST: Final = 100_000
"""The largest number of values of an interval, and"""
MANY: Final = 1_000_000
"""of rows that a rule derives."""
_ENDS: Final = {"#inf": clingo.Infimum, "#sup": clingo.Supremum}
"""The least and the greatest value: the maximum and the minimum of an empty set."""


class TooLargeToCompile(Exception):
    """A number is too large, or a symbol has no value here: clingo must evaluate the program."""


class Beyond(Exception):
    """A calculation leaves 32 bits, or an interval or a rule gives too many values; the text says which."""


class NotCompiled(Exception):
    """A construct is not compiled: clingo must evaluate the program."""


@cache_until_change(_LIMIT)
def value(symbol: clingo.Symbol) -> Value:
    """The value of a symbol.

    Raises:
        Large: It has a number beyond `LARGE`, infinity, or a classical negation.
    """
    kind = symbol.type  # read once: each access calls clingo's library
    if kind is clingo.SymbolType.Number:
        number = symbol.number
        if abs(number) > LARGE:
            raise TooLargeToCompile
        return number
    if kind is clingo.SymbolType.String:
        return f'"{symbol.string}'
    if kind is not clingo.SymbolType.Function or symbol.negative:
        raise TooLargeToCompile
    name, arguments = symbol.name, symbol.arguments
    return (name, *map(value, arguments)) if arguments or not name else name


@cache_until_change(_LIMIT)
def symbol(value: Value) -> clingo.Symbol:
    """The symbol of a value."""
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
    return check_size(sum([t[0] for t in values if type(t[0]) is int])) if values else 0


def check_size(number: int) -> int:
    """The number; Large if it is too large."""
    if not -10 * LARGE <= number <= 10 * LARGE:
        raise TooLargeToCompile
    return number


def span(low: int, high: int) -> range:
    """The numbers of an interval; Large if there are too many."""
    if high - low >= LONGEST:
        raise TooLargeToCompile
    return range(low, high + 1)


def negate(a: Value) -> int:
    """The negative of a number; Large for a constant, as only clingo has ``-a``."""
    if type(a) is int:
        return -a
    raise TooLargeToCompile


def divide(a: int, b: int) -> int:
    """Integer division as in clingo, truncated towards zero."""
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


def rest(a: int, b: int) -> int:
    """The remainder of `divide`, with the sign of the dividend."""
    return a - b * divide(a, b)


# -- exact calculations ------------------------------------------------------------------------------------------------
#
# Where numbers are large, the same functions calculate exactly, and refuse what clingo's 32 bits cannot hold.


def exact_value(symbol: clingo.Symbol) -> Value:
    """The value of a symbol with numbers of any size; Large if it has infinity or a classical negation."""
    if symbol.type is clingo.SymbolType.Number:
        return symbol.number
    if symbol.type is clingo.SymbolType.Function and not symbol.negative:
        name, arguments = symbol.name, symbol.arguments
        return (name, *map(exact_value, arguments)) if arguments or not name else name
    return value(symbol)


def _exact(number: int) -> int:
    if not -LARGEST - 1 <= number <= LARGEST:
        raise Beyond(f"a calculation gives a number beyond {LARGEST:,}")
    return number


def _exact_total(values: set[Row]) -> int:
    return _exact(sum([t[0] for t in values if type(t[0]) is int]))


def _exact_span(low: int, high: int) -> range:
    if high - low >= LONGEST:
        raise Beyond(f"an interval has {high - low + 1:,} numbers, more than {LONGEST:,}")
    if low <= high == LARGEST:
        raise Beyond(f"an interval ends at {LARGEST:,}, which does not end in clingo")
    return range(low, high + 1)


def _exact_negated(a: Value) -> int:
    return _exact(negate(a))


def _exact_divided(a: int, b: int) -> int:
    return _exact(divide(a, b))


def _power(a: int, b: int) -> int:
    if b < 0:
        return 0
    return a**b if abs(a) < 2 or b < 64 else _exact(2**64)


HELPERS: Final[dict[str, object]] = {
    f.__name__: f for f in (check_size, divide, least, less, most, negate, rest, span, total)
}
"""The functions of generated code."""
EXACT: Final[dict[str, object]] = {
    **HELPERS,
    "check_size": _exact,
    "total": _exact_total,
    "span": _exact_span,
    "negate": _exact_negated,
    "divide": _exact_divided,
    "power": _power,
}
"""The functions of generated code that calculates exactly."""
