"""A move of a record that is to be filled in."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from ..engine import symbols
from ..notation.record import Move
from ..notation.terms import Term
from ..unrolling.circuit import Literal
from ..unrolling.external_grounding import Open
from ..unrolling.unknown_sets import UnknownSet, written_out


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
