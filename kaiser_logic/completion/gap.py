"""A move of a record that is to be filled in."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Final

from .. import clingo
from ..engine import symbols
from ..engine.symbols import value_pattern
from ..notation.record import Move
from ..notation.terms import UNKNOWN, Term
from ..rules.pattern import Pattern
from ..unrolling.circuit import Literal
from ..unrolling.external_grounding import Open
from ..unrolling.unknown_sets import UnknownSet, written_out

_OPEN: Final = symbols.symbol(UNKNOWN)
"""What stands for a part that is not known."""


@dataclass(frozen=True)
class Gap:
    """A move to be filled in.

    Attributes:
        move: What the record says of it.
        actions: Those that come into question, each with whether it is taken: exactly one is.
        sets: The sets that some of them name.
    """

    move: Move
    actions: Open
    sets: Sequence[UnknownSet]

    def filled(self, model: Collection[Literal]) -> Move:
        """The move with what a model has chosen."""
        action = symbols.term(next(a for a, literal in self.actions.items() if literal in model))
        parts = tuple(written_out(part, self.sets, model) for part in action.args)
        return replace(self.move, action=Term(action.name, parts))


def open_pattern(symbol: clingo.Symbol, place: str = "") -> Pattern:
    """The pattern of an action in which all that is left open, at each place for itself, may be anything."""
    if symbol == _OPEN:
        return ("v", f"?{place}")
    args = symbol.arguments if symbol.type is clingo.SymbolType.Function else ()
    given = tuple(open_pattern(arg, f"{place}.{number}") for number, arg in enumerate(args))
    return ("f", symbol.name, given) if given else value_pattern(symbol)
