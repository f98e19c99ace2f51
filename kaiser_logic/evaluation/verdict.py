"""The answers about actions and positions: violations, broken invariants, judgements, results, and their exceptions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias

from .. import clingo
from ..errors import KaiserLogicError
from ..upward import ShownInNotebooks

if TYPE_CHECKING:
    from ..engine.ruleset import Ruleset


@dataclass(frozen=True)
class Violation(ShownInNotebooks):
    """One rule that an action breaks.

    Attributes:
        rule: The rule's id, e.g. ``actions.move.other_electorate``.
        message: The reason, in a sentence.
        facts: The facts of the position that break the rule.
        absent: The facts that would have to hold, with ``_`` for any value.
        sources: The place of the rule in the printed text of the edition in force. For the edition ``standard`` the places in all
            texts that agree with it, by edition.
        statement: What the rule requires.
        rulings: The rulings that decide it, with their values in force. Under another value the action would not break the rule.
        all_sources: The places in the texts of all editions. If an edition has other rulings, its place says so.

    >>> import kaiser_logic as kl
    >>> position = kl.load("kaiser", players=3, edition="nl").initial()
    >>> violation = position.why("green", "pass")[0]
    >>> violation.rule, violation.message, violation.sources
    ('actions.turn', "it is not Green's turn", {'nl': 'Fase IV: Acties'})
    """

    rule: str
    message: str
    facts: tuple[str, ...]
    sources: Mapping[str, str] = field(hash=False)
    absent: tuple[str, ...] = ()
    statement: str = ""
    rulings: Mapping[str, str] = field(default_factory=dict, hash=False)
    all_sources: Mapping[str, str] = field(default_factory=dict, hash=False)

    def __str__(self) -> str:
        """In one line: the rule and the reason."""
        return f"{self.rule}: {self.message}"

    def as_json(self) -> dict[str, Any]:
        """The violation as a JSON object."""
        return {
            "rule": self.rule,
            "message": self.message,
            "statement": self.statement,
            "sources": dict(self.sources),
            "facts": list(self.facts),
            "absent": list(self.absent),
            "rulings": dict(self.rulings),
            "all_sources": dict(self.all_sources),
        }


def violation_of(
    rules: Ruleset,
    id: str,
    message: str,
    facts: tuple[str, ...] = (),
    absent: tuple[str, ...] = (),
    rulings: Mapping[str, str] = MappingProxyType({}),
) -> Violation:
    """A violation of a documented rule, with the statement and the sources under the rules in force."""
    doc, texts = rules.book.doc(id), rules.texts
    statement, sources, everywhere = texts.statement(doc), texts.sources(doc), texts.all_sources(doc)
    return Violation(id, message, facts, sources, absent, statement, dict(rulings), everywhere)


@dataclass(frozen=True)
class Broken:
    """An invariant that a position breaks.

    Attributes:
        invariant: Its id, e.g. ``one_emperor``.
        witness: What breaks it, as a term.
        message: What the invariant requires.
    """

    invariant: str
    witness: str
    message: str

    def __str__(self) -> str:
        """In one line: the invariant, its requirement, and the witness."""
        return f"{self.invariant}: {self.message} ({self.witness})"


@dataclass(frozen=True)
class Result:
    """The end of a game.

    Attributes:
        points: The points of all roles, in the order of the seats.
        winners: The winners, in the order of the seats.
    """

    points: Mapping[str, int]
    winners: tuple[str, ...]

    @property
    def summary(self) -> str:
        """The result in words: ``won by red and blue``; ``a draw, nobody has won`` without a winner."""
        return f"won by {' and '.join(self.winners)}" if self.winners else "a draw, nobody has won"


class IllegalMove(KaiserLogicError):
    """An action breaks rules.

    Attributes:
        violations: All broken rules, explained.
        by_role: For each role pairs of its action and a broken rule.
    """

    def __init__(self, violations: Mapping[str, tuple[tuple[str, Violation], ...]]) -> None:
        """``violations`` has for each role pairs of its action and a broken rule."""
        self.by_role = dict(violations)
        self.violations = tuple(v for pairs in violations.values() for _, v in pairs)
        super().__init__("; ".join(f"{r}: {a}: {v}" for r, pairs in violations.items() for a, v in pairs))

    def __reduce__(self) -> tuple[object, tuple[object]]:
        return IllegalMove, (self.by_role,)


class InvalidPosition(KaiserLogicError):
    """Facts that are no position of the game.

    Attributes:
        broken: The invariants that they break, at least one.
    """

    def __init__(self, broken: tuple[Broken, ...]) -> None:
        """``broken`` has at least one invariant."""
        self.broken = broken
        super().__init__("; ".join(map(str, broken)))

    def __reduce__(self) -> tuple[object, tuple[object]]:
        return InvalidPosition, (self.broken,)


Breach: TypeAlias = tuple[str, clingo.Symbol, str]
"""A violation without an explanation: role, action, rule id."""


@dataclass(frozen=True)
class Judgement:
    """The judgement of submitted actions.

    Attributes:
        violations: The rules that they break, in order.
        added: The facts that they make true.
        deleted: The facts that they make false, unless they are among those added.
    """

    violations: tuple[Breach, ...]
    added: tuple[clingo.Symbol, ...]
    deleted: tuple[clingo.Symbol, ...]

    def facts_after(self, facts: frozenset[clingo.Symbol]) -> frozenset[clingo.Symbol]:
        """The facts after these effects, before any step."""
        return facts.difference(self.deleted).union(self.added)
