"""A position that a search has come to, and the way there."""

from __future__ import annotations

import math
from dataclasses import dataclass

from .. import clingo
from ..engine import symbols
from ..notation.record import Move
from ..position import Position


@dataclass(frozen=True, eq=False)
class Node:
    """A position and how it was reached.

    Attributes:
        position: The position.
        before: The node before; None at the start.
        taken: The decisions that led here from there.
        moves: How many decisions led here in all.
    """

    position: Position
    before: Node | None = None
    taken: tuple[tuple[str, clingo.Symbol], ...] = ()
    moves: int = 0

    def path(self) -> list[Node]:
        """All nodes from the start to this one."""
        nodes: list[Node] = [self]
        while (node := nodes[-1].before) is not None:
            nodes.append(node)
        return nodes[::-1]

    def items(self) -> tuple[Move, ...]:
        """The moves that led here."""
        return tuple(Move(role, symbols.term(action)) for node in self.path() for role, action in node.taken)

    def choices(self) -> int:
        """How many ways there were to decide at the node before."""
        return math.prod(map(len, self.before.position.legal().values())) if self.before else 0
