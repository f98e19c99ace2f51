"""The differences between two editions, and those that show at the start or in the vocabulary.

A ruling may change the first position, or the facts that a position may have. Then the editions diverge without any move.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from ..engine import symbols
from ..errors import NotDecided
from ..game import Game
from ..notation.record import Move, Record
from ..notation.syntax import parse_user_term
from ..position import Position
from ..records.tags import record_of
from ..rules.rulebook import Ruling
from ..upward import ShownInNotebooks
from .scenarios import reading_of

_SHOWN: Final = 6
"""The largest number of facts that are named for each side."""


@dataclass(frozen=True)
class Difference(ShownInNotebooks):
    """The effect of a ruling.

    Attributes:
        ruling: The ruling.
        values: Its values in the first game and in the second.
        how: ``start``, ``vocabulary``, ``legality``, ``outcome`` or ``result``; empty if no difference was found.
        position: A position of the first game at which the two diverge; None for the vocabulary, or if there is none.
        actions: Pairs of a role and its action there; may be empty.
        words: The difference in a sentence; without one, what was compared, or why it is not decided.
        complete: False if it is not decided. If True without a difference, there is none in what is compared.
    """

    ruling: Ruling
    values: tuple[str, str]
    how: str = ""
    position: Position | None = None
    actions: tuple[tuple[str, str], ...] = ()
    words: str = ""
    complete: bool = True

    def as_json(self) -> dict[str, Any]:
        """The difference as a JSON object."""
        return {
            "ruling": self.ruling.name,
            "about": self.ruling.about,
            "values": list(self.values),
            "verdict": "different" if self.how else "same" if self.complete else "not decided",
            "words": self.words,
            "record": None if self.record is None else str(self.record),
        }

    @property
    def record(self) -> Record | None:
        """The position and the actions as a record; the actions are legal in at least one of the games. None without position."""
        if self.position is None:
            return None
        moves = [Move(role, parse_user_term(action)) for role, action in self.actions]
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
        weights = [p.weights() for p in (here, there)]
    except NotDecided:  # such as too many to be listed
        return None
    for role, action in sorted(legal[0] ^ legal[1]):
        value = values[0] if (role, action) in legal[0] else values[1]
        words = f"at the start {role}: {action} is legal with {value} only"
        return Difference(ruling, values, "start", here, ((role, action),), words)
    if weights[0] != weights[1]:
        words = "at the start chance has other weights"
        return Difference(ruling, values, "start", here, (), words)
    return None


def vocabulary_differs(first: Game, second: Game, ruling: Ruling, exchanged: bool = False) -> Difference | None:
    """The difference between the facts that the two values allow, such as other boards or pieces; None if there is none.

    ``exchanged``: only if each value has facts of its own, as with two boards. If one value only adds facts, a difference in play
    may show the effect better.
    """
    values = (first.options[ruling.name], second.options[ruling.name])
    ours, theirs = ({symbols.text(f) for f in reading_of(g.ruleset).prover.vocabulary.narrow} for g in (first, second))
    if ours == theirs or (exchanged and (ours <= theirs or theirs <= ours)):
        return None
    words = f"the ruling changes the possible facts: {_sides(first, values, ours, theirs)}"
    return Difference(ruling, values, "vocabulary", None, (), words)


def _sides(
    game: Game, values: Sequence[str], ours: frozenset[str] | set[str], theirs: frozenset[str] | set[str]
) -> str:
    """The facts of one value only, for both values, in words."""
    lines = []
    for value, facts in zip(values, (ours - theirs, theirs - ours), strict=True):
        shown = game.book.sort_facts(facts)
        more = f" and {len(shown) - _SHOWN} more" if len(shown) > _SHOWN else ""
        lines.append(f"with {value} {', '.join(shown[:_SHOWN]) or 'nothing more'}{more}")
    return "; ".join(lines)
