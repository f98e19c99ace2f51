"""Compares a query's program with the plain engine, at valid positions.

That the solver finds no position means nothing if its program wrongly excludes one. So before the answer "none" the program is
compared with the plain engine, at positions of random games, of the solver, and their neighbours, all valid by the plain
engine. The program must have a model with the position. In the model the query must hold exactly if it holds when it is evaluated
in the position; and the same actions must be legal, the same rules violated, the same predicates derived.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from random import Random
from typing import Any, Final

from .. import clingo
from ..engine import symbols
from ..engine.symbols import term_of
from ..errors import NotDecided
from ..evaluation.evaluator import Evaluator
from ..evaluation.random_games import Facts, Pair
from ..lang.graph import cone
from ..lang.terms import Int, Rule, Term
from ..lang.unification import match, unify_all
from ..rules.predicates import DECISION, LEGAL, VIOLATES
from ..solving.build import atom, head_of
from ..solving.encoder import EXACT, Encoder
from ..solving.models import facts_in
from ..solving.runs import FALSE, Runs
from ..solving.theory import Transition
from .evaluation import Evaluation
from .formula import AFTER
from .open_query import CALLED, FREE, QUERY, OpenQuery, fresh_atom

_FIRES: Final = "fires__"
_SOUGHT: Final = (40, 6)
"""The number of rules for which the solver looks for a position in which they fire: in a small game, in a large one."""
_LOOKED_AT: Final = (150, 8)
"""The number of positions that are compared: in a small game, in a large one."""
_CONFLICTS: Final = 1_000
"""The budget for a position in which a rule fires, in conflicts."""


class _Differs(Exception):
    """The program and the plain engine disagree."""


def agrees(evaluator: Evaluator, question: OpenQuery, decisions: Sequence[Term] = ()) -> None:
    """Raises NotDecided if a query's program differs from the rules.

    Args:
        evaluator: The plain engine.
        question: The program of the query.
        decisions: Patterns of decisions, one of which is pending; empty for any.

    Raises:
        NotDecided: They disagree.
    """
    _refuse(_Agreement(evaluator, question, decisions).differences())


def agrees_after(
    evaluator: Evaluator,
    question: OpenQuery,
    run: Sequence[Encoder],
    transition: Transition,
    steps: Sequence[frozenset[str]],
    free: Sequence[int],
) -> None:
    """Like :func:`agrees`, for a program that follows an action and steps after it.

    Args:
        evaluator: The plain engine.
        question: The program of the query.
        run: The encoders of the action and the steps.
        transition: The transition of the action.
        steps: For each step the names of those of which one follows.
        free: The assumptions that switch the query off.

    Raises:
        NotDecided: They disagree.
    """
    runs = Runs([run], [evaluator], transition, steps, free, legal=True, alone=True)
    _refuse(runs.differences(Random(question.query.source)))


def literals(question: OpenQuery, *holding: str) -> list[int]:
    """The assumptions that switch the query off, make totals exact, and make these atoms hold."""
    atoms = question.program.all_atoms
    symbolic_atoms = (atoms[clingo.Function(name)] for name in (FREE.name, EXACT.name, *holding))
    return [a.literal for a in symbolic_atoms if a is not None]


def _refuse(differences: Iterator[str]) -> None:
    """Raises NotDecided with the first difference, if there is one."""
    difference = next(differences, None)
    if difference is not None:
        raise NotDecided(f"{FALSE}: {difference}")


def _pending(facts: Facts) -> list[Term]:
    """The decisions that are pending in a position."""
    return [term_of(f.arguments[1]) for f in facts if symbols.signature(f) == DECISION]


def _is_among(decision: Term, known: Sequence[Term]) -> bool:
    """Whether a decision is of one of these patterns."""
    return any(match(d, decision) is not None for d in known)


class _Agreement:
    """Compares a query's program with the plain engine."""

    def __init__(self, evaluator: Evaluator, question: OpenQuery, decisions: Sequence[Term]) -> None:
        self._wanted = decisions
        self._evaluator, self._question, self._query = evaluator, question, question.query
        self._check = Evaluation(evaluator, question.query)
        self._free = literals(question)
        self._runs = Runs([[question.encoder]], [evaluator], None, (), self._free)
        known = {*evaluator.ruleset.book.fluents, *evaluator.ruleset.static, LEGAL, VIOLATES, AFTER}
        self._derived = sorted({a.signature for a in self._query.atoms} - known)

    def differences(self) -> Iterator[str]:
        """The differences at positions of games, of the solver, and near these."""
        random = Random(self._query.source)
        large = self._runs.is_large
        sample = dict.fromkeys(self._firing(random, _SOUGHT[large]))
        others = (facts for facts in self._runs.positions(random) if facts not in sample)
        left = dict.fromkeys((True, False), _LOOKED_AT[large])
        for facts in filter(self._is_asked_for, chain(sample, others)):
            is_open = self._is_open(facts)
            left[is_open] -= 1
            if left[is_open] < 0:
                if is_open:
                    return
                continue
            try:
                if is_open:
                    self._compare(facts)
                elif self._check.holds(facts):
                    yield "a position is as asked whose decisions are left out"
            except _Differs as difference:
                yield str(difference)
            except NotDecided:  # too many actions to be listed
                continue

    def _is_asked_for(self, facts: Facts) -> bool:
        """Whether one of the wanted decisions is pending in a position."""
        return not self._wanted or any(_is_among(d, self._wanted) for d in _pending(facts))

    def _is_open(self, facts: Facts) -> bool:
        """Whether the program has the decisions that are pending in a position."""
        return all(_is_among(d, self._question.decisions) for d in _pending(facts))

    def _firing(self, random: Random, count: int) -> Iterator[Facts]:
        """Models of the solver in which sampled rules fire, among those that depend on the position alone."""
        encoder, program = self._question.encoder, self._question.program
        read = cone(encoder.theory.at_rest, self._derived)
        some = random.sample(read, min(count, len(read)))
        rules = [Rule(atom(_FIRES, Int(k)), r.body) for k, r in enumerate(some)]
        program.add(*(Rule(head_of(f), r.body) for f, r in zip(rules, encoder.at_rest(some), strict=True)))
        program.ground()
        atoms = program.all_atoms
        for k in range(len(rules)):
            fires = atoms[clingo.Function(_FIRES, [clingo.Number(k)])]
            if fires is not None:
                _, model = program.decide_literals([fires.literal, *self._free], _CONFLICTS)
                if model and self._runs.is_valid(facts := facts_in(encoder.theory, model)):
                    yield facts

    def _compare(self, facts: Facts) -> None:
        """Raises `_Differs` if the program and the plain engine disagree at a position."""
        meant = self._check.holds(facts)
        model = self._runs.model_of(Pair(facts, ()))
        if model is None:
            raise _Differs("a position is not known that there is")
        if self._question.sets.asks:
            return
        ground_name = self._question.program.ground_name
        holds = set(model)
        if meant != (clingo.Function(ground_name(QUERY.signature)) in holds):
            raise _Differs(f"a position is as asked {'that it does not have' if meant else 'only there'}")
        if self._query.asks(LEGAL):
            name = ground_name(LEGAL)
            legal = {clingo.Function(LEGAL[0], s.arguments) for s in holds if symbols.signature(s) == (name, 2)}
            self._same("legal", set(filter(self._is_asked, legal)), self._legal(facts))
        if self._query.asks(VIOLATES):
            name = ground_name((CALLED[VIOLATES], VIOLATES[1]))
            ours = {tuple(s.arguments) for s in holds if symbols.signature(s) == (name, 3)}
            self._same("violated", ours, {tuple(v) for v in self._check.violations(facts)})
        derived = self._check.derive(facts)
        for signature in self._derived:
            name = ground_name((self._question.encoder.rest_called(signature), signature[1]))
            there = {tuple(s.arguments) for s in holds if symbols.signature(s) == (name, signature[1])}
            self._same(signature[0], there, {tuple(s.arguments) for s in derived.get(signature, ())})

    def _legal(self, facts: Facts) -> set[clingo.Symbol]:
        """The legal actions among those that the query asks for."""
        pairs = ((symbols.constant(role), action) for role, action in self._evaluator.legal(facts))
        return set(filter(self._is_asked, (clingo.Function(LEGAL[0], list(pair)) for pair in pairs)))

    def _is_asked(self, legal: clingo.Symbol) -> bool:
        """Whether a ``legal`` atom of the query can mean an action; the program need not contain all others."""
        legal_atom = tuple(map(symbols.term_of, legal.arguments))
        return any(unify_all(fresh_atom(a).args, legal_atom, {}) is not None for a in self._query.asks(LEGAL))

    def _same(self, what: str, ours: set[Any], theirs: set[Any]) -> None:
        """Raises `_Differs` if two sets differ."""
        if ours != theirs:
            raise _Differs(f"other things are {what}: {', '.join(sorted(map(str, ours ^ theirs))[:3])}")
