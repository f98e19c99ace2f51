"""What is found of actions and positions: violations, broken invariants, judgements and results, and their exceptions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import clingo

from ..errors import KaiserLogicError


@dataclass(frozen=True)
class Violation:
    """One rule that an action breaks.

    Attributes:
        rule: The rule's id, e.g. ``actions.move.other_electorate``.
        message: Why, in a sentence.
        facts: The facts of the position that break it.
        absent: What would have to hold and does not, as facts with ``_`` for anything.
        sources: For each edition, where its rulebook says so.
        statement: What the rule demands.
    """

    rule: str
    message: str
    facts: tuple[str, ...]
    sources: Mapping[str, str]
    absent: tuple[str, ...] = ()
    statement: str = ""

    def __str__(self) -> str:
        """One line: the rule and why."""
        return f"{self.rule}: {self.message}"


@dataclass(frozen=True)
class Broken:
    """An invariant that a position breaks, with the witness for it."""

    invariant: str
    witness: str
    message: str

    def __str__(self) -> str:
        """One line: the invariant, what it demands, and the witness."""
        return f"{self.invariant}: {self.message} ({self.witness})"


@dataclass(frozen=True)
class Result:
    """The end of a game: everybody's points, and the winners in the order of their seats."""

    points: Mapping[str, int]
    winners: tuple[str, ...]


class IllegalMove(KaiserLogicError):
    """An action breaks rules; ``violations`` maps each role to the rules its action breaks."""

    def __init__(self, violations: Mapping[str, tuple[tuple[str, Violation], ...]]) -> None:
        """``violations``: for each role pairs of its action and a broken rule."""
        self.by_role = dict(violations)
        self.violations = tuple(v for found in violations.values() for _, v in found)
        super().__init__("; ".join(f"{r}: {a}: {v}" for r, found in violations.items() for a, v in found))


class InvalidPosition(KaiserLogicError):
    """Facts that are no position of the game; ``broken`` lists the invariants they break."""

    def __init__(self, broken: tuple[Broken, ...]) -> None:
        """``broken``: at least one invariant."""
        self.broken = broken
        super().__init__("; ".join(map(str, broken)))


@dataclass(frozen=True)
class Judgement:
    """What was found of submitted actions: violations (role, action, rule id), and what they change."""

    violations: tuple[tuple[str, clingo.Symbol, str], ...]
    added: tuple[clingo.Symbol, ...]
    deleted: tuple[clingo.Symbol, ...]
