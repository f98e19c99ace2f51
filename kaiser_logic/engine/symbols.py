"""Conversions between clingo's symbols, values, patterns and text.

Symbols are slow to build and to print, so they are cached. They are never pickled, and never printed into a program that is
parsed.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from ..clingo import Function, Infimum, Number, String, Supremum, Symbol, SymbolType
from ..function_caches import cache_until_change
from ..lang import terms as lang
from ..lang.terms import Signature
from ..notation.syntax import parse_user_term
from ..notation.terms import Term, Value

_ENDS: Final = {"#inf": Infimum, "#sup": Supremum}
_LIMIT: Final = 500_000
"""The largest number of cached values of each kind."""


@cache_until_change(_LIMIT)
def symbol(value: Value) -> Symbol:
    """The symbol of a value."""
    if isinstance(value, int):
        return Number(value)
    return Function(value.name, [symbol(a) for a in value.args])


def constant(text: str) -> Symbol:
    """The symbol of a constant, a number or a string as a rule has it."""
    if text[0] == '"':
        return String(text[1:-1])
    return Number(int(text)) if text.lstrip("-").isdigit() else Function(text)


def symbol_of(term: lang.Term) -> Symbol:
    """The symbol of a ground term.

    Raises:
        ValueError: The term has variables or operations.
    """
    if isinstance(term, lang.Fun):
        return Function(term.name, [symbol_of(arg) for arg in term.args])
    if isinstance(term, lang.Int):
        return Number(term.value)
    if isinstance(term, lang.Text):
        return String(term.text)
    if isinstance(term, lang.Name):
        return _ENDS[term.text] if term.text in _ENDS else Function(term.text)
    raise ValueError(f"no ground term: {term}")


@cache_until_change(200_000)
def term_of(symbol: Symbol) -> lang.Term:
    """The term of a symbol."""
    if symbol.type is SymbolType.Number:
        return lang.Int(symbol.number)
    if symbol.type is SymbolType.String:
        return lang.Text(symbol.string)
    if symbol.type is not SymbolType.Function:
        return lang.Name(str(symbol))
    args = tuple([term_of(arg) for arg in symbol.arguments])
    return lang.Fun(symbol.name, args) if args or not symbol.name else lang.Name(symbol.name)


def read_symbol(text: str) -> Symbol:
    """The symbol of a user's term, e.g. an action or a fact; WrongUsage if the text is none."""
    return symbol(parse_user_term(text))


@cache_until_change(_LIMIT)
def text(symbol: Symbol) -> str:
    """The canonical text of a symbol."""
    return symbol.string if symbol.type is SymbolType.String else str(symbol)


def value(symbol: Symbol) -> Value:
    """The value of a symbol; a string becomes a constant."""
    if symbol.type is SymbolType.Number:
        return symbol.number
    if symbol.type is SymbolType.Function:
        return Term(symbol.name, tuple(value(a) for a in symbol.arguments))
    return Term(text(symbol))


def term(symbol: Symbol) -> Term:
    """The value of a symbol that is no number."""
    result = value(symbol)
    assert isinstance(result, Term), symbol
    return result


@cache_until_change(_LIMIT)
def signature(symbol: Symbol) -> Signature:
    """Name and arity of a fact; a number and a text have an empty name."""
    return (symbol.name, len(symbol.arguments)) if symbol.type is SymbolType.Function else ("", 0)


@cache_until_change(200_000)
def arguments(symbol: Symbol) -> tuple[Symbol, ...]:
    """The arguments of a fact."""
    return tuple(symbol.arguments)


def counter_of(fact: Symbol) -> Symbol:
    """The counter whose value a fact states: the fact without its last argument."""
    return Function(fact.name, fact.arguments[:-1])


def numbers(symbols: Iterable[Symbol]) -> set[int]:
    """All numbers that occur in the symbols."""
    values: set[int] = set()
    values.update(*map(_numbers_in, symbols))
    return values


def largest(symbols: Iterable[Symbol]) -> int:
    """The largest absolute value of the numbers that occur in the symbols; 0 if there are none."""
    return max(map(abs, numbers(symbols)), default=0)


def number_facts(numbers: Iterable[int]) -> list[Symbol]:
    """The facts number/1 for the absolute values of some numbers."""
    return [Function("number", [Number(n)]) for n in sorted(set(map(abs, numbers)))]


@cache_until_change(_LIMIT)
def _numbers_in(symbol: Symbol) -> frozenset[int]:
    if symbol.type is SymbolType.Number:
        return frozenset([symbol.number])
    return frozenset(numbers(symbol.arguments) if symbol.type is SymbolType.Function else ())
