"""What a search looks for."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol, runtime_checkable

from .. import clingo
from ..position import Position
from ..unrolling.circuit import Circuit, Literal
from ..unrolling.planner import equals
from ..unrolling.symbolic_state import SymbolicState


class Goal(Protocol):
    """A property of positions, with what guides a search to it."""

    @property
    def words(self) -> frozenset[str]:
        """The constants that it is about, such as ``green`` and ``koeln``: actions with them are done more often."""

    def holds(self, position: Position) -> bool:
        """Whether the position has the property."""

    def distance(self, position: Position) -> int:
        """How much of it is missing there, 0 exactly where it holds."""


@runtime_checkable
class SymbolicGoal(Goal, Protocol):
    """One that can also be asked of a position that is partly unknown: the search is far better where it is rare."""

    def literal(self, state: SymbolicState, circuit: Circuit) -> Literal:
        """Whether it holds where a symbolic state has come to."""


class PositionGoal:
    """To be at one given position."""

    words: frozenset[str] = frozenset()

    def __init__(self, facts: Iterable[clingo.Symbol]) -> None:
        """``facts``: the position's."""
        self._facts = frozenset(facts)

    def holds(self, position: Position) -> bool:
        """Whether it is the position."""
        return position.symbols == self._facts

    def distance(self, position: Position) -> int:
        """How many facts are too few or too many."""
        return len(position.symbols ^ self._facts)

    def literal(self, state: SymbolicState, circuit: Circuit) -> Literal:
        """Whether a symbolic state is at the position."""
        return equals(state, circuit, self._facts)
