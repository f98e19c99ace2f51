"""Matches terms with variables against symbols, and compares in clingo's order of terms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from .. import clingo
from ..engine import symbols
from ..lang.terms import Fun, Term, Var

Values: TypeAlias = Mapping[str, clingo.Symbol]
"""What variables stand for."""


def holds(left: clingo.Symbol, sign: str, right: clingo.Symbol) -> bool:
    """Whether a comparison is true."""
    match sign:
        case "<":
            return left < right
        case "<=":
            return left <= right
        case ">":
            return left > right
        case ">=":
            return left >= right
        case "=":
            return left == right
    return left != right


def ground(pattern: Term, known: Values) -> clingo.Symbol:
    """The symbol of a term whose variables are all known."""
    if isinstance(pattern, Var):
        return known[str(pattern.name)]
    if isinstance(pattern, Fun):
        return clingo.Function(str(pattern.name), [ground(a, known) for a in pattern.args])
    return symbols.symbol_of(pattern)


def matched(terms: Sequence[Term], args: Sequence[clingo.Symbol], known: Values) -> Values | None:
    """The values of the variables that make these terms equal to these symbols; None if there are none."""
    found = dict(known)
    pending = list(zip(terms, args, strict=True))
    while pending:
        term, symbol = pending.pop()
        if isinstance(term, Var):
            name = str(term.name)
            if name != "_" and found.setdefault(name, symbol) != symbol:
                return None
        elif isinstance(term, Fun):
            if symbol.type != clingo.SymbolType.Function or symbol.name != term.name:
                return None
            if len(symbol.arguments) != len(term.args):
                return None
            pending += zip(term.args, symbol.arguments, strict=True)
        elif symbols.symbol_of(term) != symbol:
            return None
    return found
