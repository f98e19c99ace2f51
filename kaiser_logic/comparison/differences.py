"""Differences between two editions, and those that show at the start or in the vocabulary.

A ruling may change how the game starts, or what there can be: then the two part without any move.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from ..engine import symbols
from ..errors import NotDecided
from ..game import Game
from ..notation.record import Move, Record
from ..notation.syntax import parsed
from ..position import Position
from ..presenters import present
from ..records.tags import record_of
from ..rules.rulebook import Ruling
from .scenarios import reading_of

_SHOWN: Final = 6
"""So many facts are named of each side."""


@dataclass(frozen=True)
class Difference:
    """A ruling's effect.

    Attributes:
        ruling: The ruling.
        values: Its value in either game.
        how: ``start``, ``vocabulary``, ``legality``, ``outcome`` or ``result``; empty where no difference was found.
        position: A position valid in the first on which the two part, if there is one.
        actions: Who does what there.
        words: The difference in a sentence; without one what was looked at, or why it is not decided.
        complete: Whether the search was complete: without a difference, that there is none in what is looked at.
    """

    ruling: Ruling
    values: tuple[str, str]
    how: str = ""
    position: Position | None = None
    actions: tuple[tuple[str, str], ...] = ()
    words: str = ""
    complete: bool = True

    def _repr_html_(self) -> str | None:
        """The difference with its board, for notebooks."""
        return present(self, "_repr_html_")

    @property
    def record(self) -> Record | None:
        """The position and the moves as a record (legal in one of the games at least)."""
        if self.position is None:
            return None
        moves = [Move(role, parsed(action)) for role, action in self.actions]
        return record_of(self.position, moves)


def start_differs(first: Game, second: Game, ruling: Ruling) -> Difference | None:
    """The differences between the starts: facts, legal actions, or probabilities."""
    values = (first.options[ruling.name], second.options[ruling.name])
    here, there = first.initial(), second.initial()
    if here.facts != there.facts:
        words = f"the start differs: {_sides(first, values, here.facts, there.facts)}"
        return Difference(ruling, values, "start", here, (), words)
    try:
        legal = [{(r, a) for r, actions in p.legal().items() for a in actions} for p in (here, there)]
    except NotDecided:  # too many to be listed
        return None
    for role, action in sorted(legal[0] ^ legal[1]):
        value = values[0] if (role, action) in legal[0] else values[1]
        words = f"at the start {role}: {action} is legal with {value} only"
        return Difference(ruling, values, "start", here, ((role, action),), words)
    if here.weights() != there.weights():
        words = "at the start chance has other weights"
        return Difference(ruling, values, "start", here, (), words)
    return None


def vocabulary_differs(
    first: Game, second: Game, ruling: Ruling, exchanged: bool = False
) -> Difference | None:
    """The facts that only one value allows: the ruling changes the board or the pieces.

    ``exchanged``: only where either value has facts of its own, as with two boards; what is only added may show better
    in what happens.
    """
    values = (first.options[ruling.name], second.options[ruling.name])
    ours, theirs = (
        {symbols.text(f) for f in reading_of(g.ruleset).prover.vocabulary.narrow} for g in (first, second)
    )
    if ours == theirs or (exchanged and (ours <= theirs or theirs <= ours)):
        return None
    words = f"the ruling changes what there can be: {_sides(first, values, ours, theirs)}"
    return Difference(ruling, values, "vocabulary", None, (), words)


def _sides(
    game: Game, values: Sequence[str], ours: frozenset[str] | set[str], theirs: frozenset[str] | set[str]
) -> str:
    """The facts that hold with either value only."""
    told = []
    for value, facts in zip(values, (ours - theirs, theirs - ours), strict=True):
        shown = game.book.ordered(facts)
        more = f" and {len(shown) - _SHOWN} more" if len(shown) > _SHOWN else ""
        told.append(f"with {value} {', '.join(shown[:_SHOWN]) or 'nothing more'}{more}")
    return "; ".join(told)
