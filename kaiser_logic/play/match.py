"""A game being played: one decision after the other, each can be taken back and made again; its record."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from .. import clingo
from ..engine import symbols
from ..engine.tags import tags_of
from ..evaluation.verdict import Violation
from ..game import Game
from ..notation.record import Move, Record, Tag
from ..position import Position
from .whys import whys

_Moment: TypeAlias = tuple[Position, dict[str, clingo.Symbol]]
"""A position, and of decisions at the same time those already made."""


@dataclass
class Match:
    """One game that is being played.

    Attributes:
        game: The game.
        position: The position before the decisions that are being made.
        pending: Of decisions at the same time those already made.
        moves: All moves so far.
    """

    game: Game
    position: Position = field(init=False)
    pending: dict[str, clingo.Symbol] = field(default_factory=dict)
    moves: list[Move] = field(default_factory=list)
    _before: list[_Moment] = field(default_factory=list, repr=False)
    _undone: list[tuple[Move, _Moment]] = field(default_factory=list, repr=False)

    def __post_init__(self) -> None:
        """Begins with the game's first position."""
        self.position = self.game.initial()

    @property
    def deciding(self) -> tuple[str, ...]:
        """Who has still to decide, in the order of the seats."""
        return tuple(role for role in self.position.to_move if role not in self.pending)

    def legal(self, role: str) -> tuple[str, ...]:
        """The legal actions of one who decides."""
        return self.position.legal()[role]

    def violations(
        self, role: str, action: clingo.Symbol, seen: frozenset[clingo.Symbol] | None = None
    ) -> list[Violation]:
        """Every rule that the action would break, explained.

        ``seen``: the facts that are seen by whoever is told; None: all.
        """
        return whys(self.position, role, action, seen)

    def do(self, role: str, action: clingo.Symbol) -> None:
        """Makes a decision that is `legal`; when all have decided, the game goes on."""
        self._undone.clear()
        self._before.append((self.position, self.pending))
        self.moves.append(Move(role, symbols.term(action)))
        self.pending = {**self.pending, role: action}
        if not self.deciding:
            judgement = self.position.evaluator.judge(self.position.symbols, self.pending)
            self.position = self.position.successor(judgement)
            self.pending = {}

    def undo(self) -> Move:
        """Takes the last decision back and returns it; IndexError where there is none."""
        before = self._before.pop()
        move = self.moves.pop()
        self._undone.append((move, (self.position, self.pending)))
        self.position, self.pending = before
        return move

    @property
    def undone(self) -> Move | None:
        """The decision that :meth:`redo` would make again; None where there is none."""
        return self._undone[-1][0] if self._undone else None

    def redo(self) -> Move:
        """Makes the decision again that was taken back last; IndexError where there is none."""
        move, after = self._undone.pop()
        self._before.append((self.position, self.pending))
        self.moves.append(move)
        self.position, self.pending = after
        return move

    def record(self, board: str | None = None, more: Mapping[str, str] | None = None) -> Record:
        """The record so far, with the result.

        Args:
            board: The board file's name as seen from the record.
            more: Other tags.
        """
        result = self.position.result()
        winners = " ".join(result.winners) if result else "*"
        tags = [*tags_of(self.game.ruleset, board), ("Result", winners), *(more or {}).items()]
        return Record(tuple(Tag(name, value) for name, value in tags), tuple(self.moves))
