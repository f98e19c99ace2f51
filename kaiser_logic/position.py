"""Positions of games."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property

from . import clingo
from .engine import symbols
from .engine.compiled import change_facts, facts_of
from .engine.configuration import Configuration
from .engine.ruleset import Ruleset, action_of, no_such_role
from .errors import WrongUsage
from .evaluation.evaluator import Evaluator, evaluator_of
from .evaluation.verdict import Broken, IllegalMove, InvalidPosition, Judgement, Result, Violation
from .notation.terms import Term
from .rules.predicates import CHANCE, DECISION, PUBLIC
from .rules.rulebook import Rulebook
from .upward import ShownInNotebooks, call_above


class LegalActions(dict[str, tuple[str, ...]], ShownInNotebooks):
    """The legal actions at a position: role to sorted actions.

    Attributes:
        rulebook: The game, which has their words.
    """

    def __init__(self, actions: Mapping[str, tuple[str, ...]], rulebook: Rulebook) -> None:
        """``actions``: role to sorted actions."""
        super().__init__(actions)
        self.rulebook = rulebook


class Position:
    """A position of a game; immutable. :meth:`apply` returns the next one.

    Positions of the same rules are equal if their facts are equal. They can be hashed, pickled, and sent to other processes.

    >>> import kaiser_logic as kl
    >>> position = kl.load("kaiser", players=3).initial()
    >>> position
    <Position of kaiser, 25 facts, red: setup_empire_city>
    >>> position.legal()["red"][:2]
    ('empire_city(boehmen)', 'empire_city(brandenburg)')
    >>> following = position.apply({"red": "empire_city(koeln)"})
    >>> following.to_move, len(position.facts)  # a position never changes; apply returns another one
    (('green',), 25)
    >>> following.is_legal("green", "empire_city(koeln)")
    False
    >>> print(following.why("green", "empire_city(koeln)")[0])
    setup.empire_city: Green does not place the first empire city now
    >>> position.query("thalers(R,N), N = 0")
    [{'N': 0, 'R': 'blue'}, {'N': 0, 'R': 'green'}, {'N': 0, 'R': 'red'}]
    """

    __slots__ = ("__dict__", "_hash", "evaluator", "symbols")

    def __init__(self, evaluator: Evaluator, facts: frozenset[clingo.Symbol]) -> None:
        """A position with these facts, unchecked: see :meth:`Game.initial`, :meth:`Game.position` and :meth:`apply`."""
        self.evaluator = evaluator
        self.symbols = facts
        self._hash = hash(facts)

    @property
    def ruleset(self) -> Ruleset:
        """The rules in force."""
        return self.evaluator.ruleset

    # -- what there is ---------------------------------------------------------------------------------------

    @cached_property
    def facts(self) -> frozenset[str]:
        """The facts as text, e.g. ``thalers(red,7)``."""
        return frozenset(map(symbols.text, self.symbols))

    @cached_property
    def decisions(self) -> Mapping[str, str]:
        """The pending decisions: each role that decides now, in the order of the seats, and its kind of decision."""
        made = map(symbols.arguments, facts_of(self.symbols, DECISION))
        pending = {symbols.text(role): symbols.text(decision) for role, decision in made}
        if len(pending) < 2:
            return pending
        seats = self.ruleset.roles
        return {r: pending[r] for r in sorted(pending, key=lambda r: seats.index(r) if r in seats else len(seats))}

    @property
    def to_move(self) -> tuple[str, ...]:
        """The roles that decide now (or ``chance``); empty when the game is over."""
        return tuple(self.decisions)

    @cached_property
    def _legal(self) -> Mapping[str, tuple[str, ...]]:
        actions_of: dict[str, list[str]] = {role: [] for role in self.decisions}
        if actions_of:
            for role, action in self.evaluator.legal(self.symbols):
                actions_of.setdefault(role, []).append(symbols.text(action))
        return {role: tuple(sorted(actions)) for role, actions in actions_of.items()}

    def legal(self) -> LegalActions:
        """All legal actions: role to sorted actions; empty when the game is over. Notebooks show them in words.

        Raises:
            NotDecided: There are too many to list, such as thousands of sets of cards; or a list may not be what the rulebook
                judges. `is_legal` can still judge each.
        """
        return LegalActions(self._legal, self.ruleset.book)

    def weights(self) -> dict[str, int]:
        """The relative probabilities of chance's legal actions; empty if chance does not decide. NotDecided if one is below 1."""
        if CHANCE not in self.decisions:
            return {}
        legal = self._legal[CHANCE]
        weights = self.evaluator.weights(self.symbols, map(symbols.read_symbol, legal))
        return dict(zip(legal, weights.values(), strict=True)) if weights else dict.fromkeys(legal, 1)

    def view(self, role: str) -> frozenset[str]:
        """The facts that a role sees, with what it knows about hidden ones, e.g. ``cards(green,4)``.

        The role ``public`` sees what everybody sees.

        Raises:
            WrongUsage: There is no such role.
        """
        if role not in (*self.ruleset.roles, PUBLIC):
            raise WrongUsage(f"{role!r} takes no part in this game: {', '.join(self.ruleset.roles)}, {PUBLIC}")
        return frozenset(map(symbols.text, self.evaluator.view(self.symbols, role)))

    def is_legal(self, role: str, action: str) -> bool:
        """Whether an action of a role is legal now. Only this action is judged; the others are not listed."""
        if role not in self.decisions:
            return False
        return not self.evaluator.judge(self.symbols, {role: action_of(self.ruleset, action)}).violations

    def why(self, role: str, action: str) -> list[Violation]:
        """The rules that the action would break; empty if it is legal. WrongUsage if there is no such role."""
        if role not in self.ruleset.roles:
            raise WrongUsage(no_such_role(self.ruleset, role))
        from .evaluation.explanation import explain_all

        return [
            v
            for _, v in explain_all(self.evaluator, self.symbols, {role: action_of(self.ruleset, action)}).get(role, ())
        ]

    def query(self, query: str) -> list[dict[str, int | str]]:
        """The values of a query's variables for which it holds in this position, sorted, without repetitions.

        ``position.query("thalers(R,N), N > 3")`` returns ``[{"N": 7, "R": "red"}]``. A query without variables returns
        ``[{}]`` if it holds. A query that does not hold returns ``[]``. Numbers are ``int``; everything else is text. A query
        can mention facts, exported and static predicates, ``legal``, ``violates``, ``goal``, ``winner`` and ``terminal``.

        Raises:
            UnreadableInput: The text is not a query; with line and column.
            WrongUsage: The query mentions something that the rulebook does not know.
        """
        answers: list[dict[str, int | str]] = call_above("Position.query", self.evaluator, self.symbols, query)
        return answers

    def result(self) -> Result | None:
        """The points and the winners if the game is over; None otherwise."""
        if self.decisions:
            return None
        outcome = self.evaluator.outcome(self.symbols)
        if outcome is None:
            return None
        points, winners = outcome
        seats = self.ruleset.seats
        return Result({r: points[r] for r in seats if r in points}, tuple(r for r in seats if r in winners))

    # -- what comes next -------------------------------------------------------------------------------------

    def apply(self, actions: Mapping[str, str]) -> Position:
        """The position after these actions and all steps that follow.

        Args:
            actions: An action for each role that decides now; simultaneous decisions are given together.

        Raises:
            IllegalMove: An action is illegal; with the broken rules.
            WrongUsage: A role that decides has no action, or the game is over.
        """
        if not isinstance(actions, Mapping):
            raise WrongUsage(
                f"actions are given by role, such as {{{next(iter(self.decisions), 'red')!r}: {actions!r}}}"
            )
        missing = [r for r in self.decisions if r not in actions]
        judged = {role: action_of(self.ruleset, action) for role, action in actions.items()}
        judgement = self.evaluator.judge(self.symbols, judged)
        if judgement.violations:
            from .evaluation.explanation import explain

            raise IllegalMove(explain(self.ruleset, self.symbols, judged, judgement.violations))
        if missing:
            raise WrongUsage(f"simultaneous actions are given together; missing: {', '.join(missing)}")
        if not actions:
            raise WrongUsage("the game is over, so there are no actions")
        return self.successor(judgement)

    def judge(self, actions: Mapping[str, Term]) -> Judgement:
        """The judgement of actions that are given as terms: broken rules without reasons, and effects."""
        judged = {role: action_of(self.ruleset, action) for role, action in actions.items()}
        return self.evaluator.judge(self.symbols, judged)

    def successor(self, judgement: Judgement) -> Position:
        """The position after judged actions, legal or not, and all steps that follow."""
        facts = change_facts(self.symbols, judgement.deleted, judgement.added)
        return Position(self.evaluator, self.evaluator.settle(facts))

    def broken_invariants(self) -> list[Broken]:
        """The invariants that the position breaks, each with its witness."""
        breaches, texts = self.evaluator.broken_invariants(self.symbols), self.ruleset.texts
        return [Broken(i, witness, texts.statement(self.ruleset.book.doc(i))) for i, witness in breaches]

    # -- as a value ------------------------------------------------------------------------------------------

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Position)
            and self.symbols == other.symbols
            and self.ruleset.configuration.book == other.ruleset.configuration.book
        )

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        deciding = ", ".join(f"{r}: {d}" for r, d in self.decisions.items()) or "over"
        return f"<Position of {self.ruleset.id}, {len(self.symbols)} facts, {deciding}>"

    def _repr_svg_(self) -> str:
        """The position as a picture, for notebooks."""
        svg: str = call_above("Position._repr_svg_", self)
        return svg

    def __str__(self) -> str:
        """The facts, one on each line, in the order of the vocabulary."""
        return "\n".join(f"{f}." for f in self.ruleset.book.sort_facts(self.facts))

    def __reduce__(self) -> tuple[object, tuple[Configuration, tuple[str, ...]]]:
        return _restore, (self.ruleset.configuration, tuple(self.facts))


def _restore(configuration: Configuration, facts: Iterable[str]) -> Position:
    """A position from its facts as text, unchecked. Symbols cannot be pickled, so a pickled position contains text."""
    return Position(evaluator_of(configuration), frozenset(map(symbols.read_symbol, facts)))


def seats_of(terms: Iterable[Term]) -> tuple[str, ...]:
    """The roles that facts such as ``seat(red,1)`` name, in the order of the seats; empty text for a missing seat."""
    roles = {t.args[1]: t.args[0] for t in terms if t.name == "seat" and len(t.args) == 2}
    return tuple(str(roles.get(i, "")) for i in range(1, len(roles) + 1))


def stated_seats(book: Rulebook, terms: Iterable[Term]) -> tuple[str, ...]:
    """The seats that the facts of a position state; InvalidPosition if they state no possible seats."""
    facts = [t for t in terms if t.name == "seat" and len(t.args) == 2]
    if not facts:
        raise InvalidPosition((Broken("seats", "seat", "the facts name no seats: seat(red,1) and so on"),))
    seats = seats_of(facts)
    once = len(facts) == len(seats) == len(set(seats))
    if not once or len(seats) not in book.manifest["players"] or not set(seats) <= set(book.roles):
        raise InvalidPosition((Broken("seats", " ".join(seats), book.doc("seats").default_statement),))
    return seats
