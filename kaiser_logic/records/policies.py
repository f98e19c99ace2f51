"""What to do after an illegal move: stop, skip it, or force it as far as possible."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Final, Literal, NamedTuple, TypeAlias, get_args

from .. import clingo
from ..engine.grounding import Undecided
from ..errors import WrongUsage
from ..evaluation.verdict import Judgement
from ..notation.record import Move
from ..position import Position

OnIllegal: TypeAlias = Literal["stop", "skip", "force"]
"""The policies by name."""


class Fate(NamedTuple):
    """What happens to an illegal move, or to simultaneous decisions with an illegal one among them.

    Attributes:
        leads_to: The position that it leads to; None where it is left out.
        note: Why it is left out, where that is not plain.
        waits: Whether it counts as made until all who decide at the same time have decided.
    """

    leads_to: Position | None = None
    note: str = ""
    waits: bool = False


class Policy(ABC):
    """What to do after an illegal move, a wrong tag or an invalid position.

    Attributes:
        stops: Whether the check ends there.
    """

    stops = False

    @abstractmethod
    def fate(self, position: Position, move: Move, judgement: Judgement) -> Fate:
        """What becomes of an illegal move.

        Args:
            position: Where it was made.
            move: The move.
            judgement: What it would change.
        """

    def fate_together(self, position: Position, actions: Mapping[str, clingo.Symbol]) -> Fate:
        """What happens to simultaneous decisions if one that has waited is illegal.

        Args:
            position: Where they were made.
            actions: By role, the legal ones too.
        """
        return Fate()


class Stop(Policy):
    """Nothing is judged after the first fault."""

    stops = True

    def fate(self, position: Position, move: Move, judgement: Judgement) -> Fate:
        """It is left out, and with it all that follows."""
        return Fate()


class Skip(Policy):
    """Illegal moves are left out."""

    def fate(self, position: Position, move: Move, judgement: Judgement) -> Fate:
        """It is left out."""
        return Fate()


class Force(Policy):
    """Illegal moves are carried out if that leads to a valid position, and left out otherwise."""

    def fate(self, position: Position, move: Move, judgement: Judgement) -> Fate:
        """It is carried out, waits for others who decide at the same time, or is left out with a note."""
        if move.action is None or not (judgement.added or judgement.deleted):
            return Fate(note="left out: it would change nothing")
        if len(position.decisions) == 1:
            return self._carried_out(position, judgement)
        if move.role in position.decisions:
            return Fate(waits=True)
        return Fate(note="left out: others are deciding at the same time")

    def fate_together(self, position: Position, actions: Mapping[str, clingo.Symbol]) -> Fate:
        """They are carried out, legal or not, or the illegal ones are left out with a note."""
        try:
            judgement = position.evaluator.judge(position.symbols, actions)
        except _NO_ANSWER:
            return _UNSAYABLE
        return self._carried_out(position, judgement)

    @staticmethod
    def _carried_out(position: Position, judgement: Judgement) -> Fate:
        """The position that a judgement leads to, if it is one."""
        try:
            following = position.successor(judgement)
            broken = following.broken()
        except _NO_ANSWER:
            return _UNSAYABLE
        if broken:
            invariants = ", ".join(dict.fromkeys(b.invariant for b in broken))
            return Fate(note=f"left out: it leads to no position: {invariants}")
        return Fate(following)


_NO_ANSWER: Final = (Undecided, RuntimeError, OverflowError)
"""What the engine raises of facts for which the rules were not made."""
_UNSAYABLE: Final = Fate(note="left out: where it leads cannot be said")
_POLICIES: Final[Mapping[OnIllegal, Policy]] = {"stop": Stop(), "skip": Skip(), "force": Force()}


def policy_called(name: OnIllegal) -> Policy:
    """The policy of this name; WrongUsage where there is none."""
    if name not in _POLICIES:
        raise WrongUsage(f"on_illegal is one of {', '.join(get_args(OnIllegal))}, not {name!r}")
    return _POLICIES[name]
