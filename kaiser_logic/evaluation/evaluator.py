"""Evaluates the rules over a given position.

Each question has a program, a slice of the rules from :class:`Ruleset`. It is compiled to joins, or grounded by clingo if the
configuration's ``engine`` says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Final

from .. import clingo
from ..engine import symbols
from ..engine.compiled import Derivation, change_facts, derive, facts_of
from ..engine.configuration import Configuration
from ..engine.grounding import Endless, EngineProgram, Facts, Symbols
from ..engine.ruleset import Ruleset, ruleset_of
from ..errors import NotDecided
from ..lang.terms import Signature
from ..lang.unification import most_general_term
from ..rules import predicates
from .verdict import Judgement

_MOST_STEPS: Final = 10_000
"""The largest number of steps between two decisions. If there are more, they count as endless."""
_FEW_STEPS: Final = 50
"""After so many steps, a position that comes again shows that they are endless."""
_VALUES: Final = 100
"""The exclusive upper bound of the values of counters that every position must state."""


class Evaluator:
    """Answers questions about given positions under one set of rules.

    Here positions are frozen sets of symbols. For users there is :class:`kaiser_logic.Position`.
    """

    def __init__(self, rules: Ruleset) -> None:
        """Takes the rules in force."""
        self.ruleset = rules

    def __reduce__(self) -> tuple[object, tuple[Ruleset]]:
        return _evaluator_under, (self.ruleset,)

    def legal(self, facts: Facts) -> list[tuple[str, clingo.Symbol]]:
        """All legal actions, each with its role; NotDecided if there are too many to be listed (too_many/2)."""
        grounding = self._derive(self.ruleset.legal_program(_decisions(facts)), facts)
        for too_many in grounding.arguments(*predicates.TOO_MANY):
            role, most = map(symbols.text, too_many)
            raise NotDecided(f"{role} has more than {most} actions to choose from: they are not listed, only judged")
        return [(symbols.text(role), action) for role, action in grounding.arguments(*predicates.LEGAL)]

    def view(self, facts: Facts, role: str) -> Facts:
        """The facts that a role sees, and its knowledge in place of the facts that it does not see."""
        grounding = self._derive(self.ruleset.view_program, facts)
        hidden, known = (
            {fact for of, fact in grounding.arguments(*signature) if symbols.text(of) == role}
            for signature in (predicates.CONCEALS, predicates.INSTEAD)
        )
        return (facts - hidden) | known

    def judge(self, facts: Facts, submitted: Mapping[str, clingo.Symbol]) -> Judgement:
        """Judges the submitted actions, by role, and derives their effects, whether or not they are legal.

        Raises:
            NotDecided: An action is illegal alone, but what another role does at the same time may make it legal.
        """
        unknown = [(r, a, "action.unknown") for r, a in submitted.items() if self.ruleset.kind(a) is None]
        if unknown:
            return Judgement(tuple(unknown), (), ())
        submissions = self.ruleset.submissions(submitted)
        grounding = self._derive(self.ruleset.judge_program(submitted.values(), offered=True), facts, submissions)
        if len(grounding.arguments(*predicates.OFFERED)) < len(submitted):
            grounding = self._derive(self.ruleset.judge_program(submitted.values()), facts, submissions)
        violations = ((symbols.text(r), a, symbols.text(v)) for r, a, v in grounding.arguments(*predicates.VIOLATES))
        # rules may also derive violations of actions that nobody has submitted
        broken = tuple(sorted(breach for breach in violations if submitted.get(breach[0]) == breach[1]))
        if broken and len(submitted) < len(facts_of(facts, predicates.DECISION)) and self.ruleset.collecting:
            raise NotDecided(f"others decide at the same time, and {self.ruleset.collecting}")
        return Judgement(
            broken,
            tuple(grounding.sole_arguments(*predicates.ADD)),
            tuple(grounding.sole_arguments(*predicates.DEL)),
        )

    def step(self, facts: Facts) -> Facts:
        """The position after the steps that are due."""
        due = [symbols.signature(symbols.arguments(s)[0]) for s in facts_of(facts, predicates.DUE)]
        grounding = self._derive(self.ruleset.step_program(due, _decisions(facts)), facts)
        deleted, added = (grounding.sole_arguments(*effect) for effect in (predicates.DEL, predicates.ADD))
        return change_facts(facts, deleted, added)

    def settle(self, facts: Facts) -> Facts:
        """The position after all due steps, and those that become due by them; Endless if they never end."""
        *_, last = self.settling(facts)
        return last

    def settling(self, facts: Facts) -> Iterator[Facts]:
        """Yields a position, and the position after each round of due steps; Endless if they never end."""
        seen: set[Facts] = set()
        for number in range(_MOST_STEPS):
            yield facts
            if self.ruleset.steps.isdisjoint(facts_of(facts, predicates.DUE)):
                return
            if number >= _FEW_STEPS:
                if facts in seen:
                    break
                seen.add(facts)
            facts = self.step(facts)
        due = ", ".join(sorted({symbols.text(s.arguments[0]) for s in facts_of(facts, predicates.DUE)}))
        raise Endless(f"the automatic steps do not end: {due} is due again and again")

    def initial(self) -> Facts:
        """The position at the start of the game."""
        return self.ruleset.remember("initial", lambda: self.settle(self.start()))

    def start(self) -> Facts:
        """The first position, before any step."""
        stated = (s.arguments[0] for s in self.ruleset.facts("init", 1))
        return frozenset(stated) | frozenset(self.ruleset.facts("seat", 2))

    def outcome(self, facts: Facts) -> tuple[dict[str, int], list[str]] | None:
        """The points and winners of a finished game; None if it is not over. Of several goals of a player the largest counts."""
        grounding = self._derive(self.ruleset.outcome_program, facts)
        if not grounding.get(*predicates.TERMINAL):
            return None
        goals = self._number_pairs(grounding, predicates.GOAL)
        points = {symbols.text(role): number for role, number in sorted(goals, key=lambda goal: goal[1])}
        return points, [symbols.text(s.arguments[0]) for s in grounding.get(*predicates.WINNER)]

    def broken_invariants(self, facts: Facts, waive: bool = True) -> list[tuple[str, str]]:
        """The invariants that a position breaks, with witnesses.

        Args:
            facts: The position.
            waive: Whether waived and presumed invariants are left out, and the position must have no due steps.
        """
        holding = [clingo.Function("holds", [f]) for f in facts]
        vocabulary = {
            s.arguments[0]
            for s in self._derive_with_numbers(self.ruleset.known_program, holding).get(*predicates.FLUENT)
        }
        vocabulary |= set() if waive else self.ruleset.steps
        strange = sorted(symbols.text(f) for f in facts if f not in vocabulary)
        if strange:
            return [("vocabulary", f) for f in strange]
        waived = self.ruleset.waived | self._presumed if waive else frozenset()
        grounding = self._derive(self.ruleset.broken_program(due=not waive), facts)
        breaches = [
            (symbols.text(i), symbols.text(w)) for i, w in (s.arguments for s in grounding.get(*predicates.BROKEN))
        ]
        breaches += [("count", symbols.text(f)) for f in self._counters_missing(facts)]
        return sorted((invariant, witness) for invariant, witness in breaches if invariant not in waived)

    def _derive(self, program: EngineProgram, facts: Facts, more: Sequence[clingo.Symbol] = ()) -> Derivation:
        """The atoms that a program derives from a position and more facts."""
        return derive(program, facts, more, self.ruleset.configuration.engine)

    @cached_property
    def _presumed(self) -> frozenset[str]:
        """The invariants that hold in every game, but not in every position of a user, which may omit its history."""
        return frozenset(symbols.text(s.arguments[0]) for s in self.ruleset.facts("presumed", 1))

    def _counters_missing(self, facts: Facts) -> Iterator[clingo.Symbol]:
        """Yields the counters that a position must state but does not, as facts with ``_`` for the value."""
        counters = self.ruleset.book.counters
        for counter in self._stated.difference(
            symbols.counter_of(f) for f in facts if counters.get(symbols.signature(f))
        ):
            yield clingo.Function(counter.name, [*counter.arguments, clingo.Function("_")])

    @cached_property
    def _stated(self) -> frozenset[clingo.Symbol]:
        """The counters that every position must state, without their values."""
        numbers = symbols.number_facts(range(_VALUES))
        counters: set[clingo.Symbol] = set()
        for signature, stated in self.ruleset.book.counters.items():
            if stated:
                grounding = self._derive(
                    self.ruleset.conceivable_program(most_general_term(signature)), frozenset(numbers)
                )
                fluents = (s.arguments[0] for s in grounding.get(*predicates.FLUENT))
                counters.update(symbols.counter_of(f) for f in fluents if symbols.signature(f) == signature)
        return frozenset(counters)

    def _derive_with_numbers(self, program: EngineProgram, facts: Symbols) -> Derivation:
        """The atoms that a program derives from facts and number/1, for the absolute values of the numbers in the facts."""
        return self._derive(program, frozenset(facts), symbols.number_facts(symbols.numbers(facts)))

    def weights(self, facts: Facts, legal: Iterable[clingo.Symbol]) -> dict[clingo.Symbol, int]:
        """The relative probabilities of legal actions of chance; empty if the rulebook gives no weights here.

        Of several weights of one action the largest counts; one without a weight has 1.

        Raises:
            NotDecided: A weight is no number above 0.
        """
        program = self.ruleset.weight_program
        if program is None:
            return {}
        weights: dict[clingo.Symbol, int] = {}
        for action, number in self._number_pairs(self._derive(program, facts), predicates.WEIGHT):
            weights[action] = max(number, weights.get(action, number))
        if not weights:
            return {}
        of_legal = {action: weights.get(action, 1) for action in legal}
        for action, number in of_legal.items():
            if number < 1:
                raise NotDecided(f"{symbols.text(action)} is legal, but its weight is {number}")
        return of_legal

    def _number_pairs(self, derived: Derivation, signature: Signature) -> list[tuple[clingo.Symbol, int]]:
        """The arguments of goals or weights; NotDecided, with the place of a rule, if one has no number."""
        pairs = []
        for first, number in derived.arguments(*signature):
            try:
                pairs.append((first, number.number))
            except RuntimeError:
                rules = (r for r in self.ruleset.rules if any(h.signature == signature for h in r.heads))
                places = ", ".join(f"{r.place.file}:{r.place.line}" for r in rules)
                atom = symbols.text(clingo.Function(signature[0], [first, number]))
                raise NotDecided(f"{places}: {symbols.text(number)} is no number, in {atom}") from None
        return pairs

    def board_problem(self, board: Symbols) -> tuple[str, str] | None:
        """A mistake in a board file: the id of a broken rule, empty for an unknown fact, and a witness; None if there is none."""
        facts = list(board)
        possible = self._derive_with_numbers(self.ruleset.board_fact_program, facts).get(*predicates.BOARD_FACT)
        allowed = {s.arguments[0] for s in possible}
        for fact in facts:  # unknown facts come first, as no rule may match them
            if fact not in allowed:
                return "", symbols.text(fact)
        grounding = self._derive_with_numbers(self.ruleset.board_program, facts)
        for s in sorted(grounding.get(*predicates.BOARD_BROKEN)):
            return symbols.text(s.arguments[0]), symbols.text(s.arguments[1])
        return None


def _decisions(facts: Facts) -> list[Signature]:
    """The names of the decisions in a position."""
    return [symbols.signature(symbols.arguments(s)[1]) for s in facts_of(facts, predicates.DECISION)]


def _evaluator_under(ruleset: Ruleset) -> Evaluator:
    """The evaluator of a ruleset; one object in each process."""
    return ruleset.remember("evaluator", lambda: Evaluator(ruleset))


def evaluator_of(configuration: Configuration) -> Evaluator:
    """The evaluator of a configuration; one object in each process."""
    return _evaluator_under(ruleset_of(configuration))
