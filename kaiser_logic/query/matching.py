"""Terms with variables beside symbols: what the variables stand for, and comparisons in clingo's order of terms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from .. import clingo
from ..engine.symbols import constant
from ..rules.pattern import Pattern

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


def ground(pattern: Pattern, known: Values) -> clingo.Symbol:
    """The symbol of a term whose variables are all known."""
    if pattern[0] == "v":
        return known[str(pattern[1])]
    if pattern[0] == "f":
        return clingo.Function(str(pattern[1]), [ground(a, known) for a in pattern[2]])
    return constant(str(pattern[1]))


def matched(terms: Sequence[Pattern], args: Sequence[clingo.Symbol], known: Values) -> Values | None:
    """What the variables stand for where these terms are these symbols; None where they cannot be."""
    found = dict(known)
    pending = list(zip(terms, args, strict=True))
    while pending:
        term, symbol = pending.pop()
        if term[0] == "v":
            name = str(term[1])
            if name != "_" and found.setdefault(name, symbol) != symbol:
                return None
        elif term[0] == "f":
            if symbol.type != clingo.SymbolType.Function or symbol.name != term[1]:
                return None
            if len(symbol.arguments) != len(term[2]):
                return None
            pending += zip(term[2], symbol.arguments, strict=True)
        elif constant(str(term[1])) != symbol:
            return None
    return found
