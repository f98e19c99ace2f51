"""Whether the program that compares two readings says what the rules of either say, at positions with moves.

That the solver finds no position on which they part means nothing where its program excludes one wrongly. So before it is
said that they are the same, both readings of the program are compared with the plain engine, at positions of random games,
of the solver, and near these, all valid by the plain engine under both readings; position and actions are fixed by
assumptions, and at each moment the program must have the engine's position.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Final

from .. import clingo
from ..engine import symbols
from ..errors import NotDecided
from ..evaluation.evaluator import Evaluator
from ..evaluation.random_games import Facts, Pair, random_game
from ..solving.check import Check, belongs, clipped
from ..solving.encoder import EXACT
from ..solving.models import facts_in
from ..solving.moves import Moves
from ..solving.program import signature_of
from ..solving.theory import DUE, SEAT, Transition

if TYPE_CHECKING:
    from .divergence import Question

FALSE: Final = "its encoding is not what the rules say"
"""What is said where a check has found a difference."""
_DECISIONS: Final = 40
"""So many decisions of random games are made, in so many games at most."""
_GAMES: Final = 10
_MODELS: Final = 4
"""So many positions of the solver's own are looked at;"""
_CONFLICTS: Final = 2_000
"""so many conflicts are spent on each of them, and on each comparison."""
_ACTIONS: Final = 3
"""So many legal actions are carried out at each position."""
_LARGE: Final = 2_000
"""In a game with so many facts no random games are played, and few neighbours looked at."""


def differences(question: Question) -> Iterator[str]:
    """Where a question's program says otherwise than the plain engine under either reading."""
    found = _Runs(question)
    random = Random(str(question.scenario.steps))
    for facts in found.positions(random):
        yield from (
            found.results(facts) if question.scenario.transition is None else found.moves(facts, random)
        )


class _Runs:
    """Both readings of a question beside the plain engine."""

    def __init__(self, question: Question) -> None:
        self._question = question
        self._encoder = question.runs[0][0]
        self._vocabulary = self._encoder.vocabulary
        self._theory = self._encoder.theory
        self._program = question.program
        readings = question.readings if question.scenario.known is None else question.readings[:1]
        self._evaluators = [
            r.ruleset.remember("evaluator", partial(Evaluator, r.ruleset)) for r in question.readings
        ]
        self._readings = range(len(readings))
        self._transition = question.scenario.transition or Transition("")
        check = partial(Check, self._encoder, self._transition, goals=(), moves=Moves(self._evaluators[0]))
        self._check = check(evaluator=self._evaluators[0])
        free, together = clingo.Function("unasked__"), clingo.Function("together__")
        atoms = self._program.control.symbolic_atoms
        self._assumed = [atoms[free].literal, -atoms[together].literal]  # type: ignore[union-attr]
        exact = atoms[EXACT]
        self._assumed += [] if exact is None else [exact.literal]
        self._large = len(self._vocabulary.narrow) > _LARGE

    # -- positions -----------------------------------------------------------------------------------------------

    def positions(self, random: Random) -> list[Facts]:
        """Positions of games, of the solver, and near these."""
        found: dict[Facts, None] = {}
        for facts in (*self._played(random), *self._modelled()):
            if self._is_valid(facts):
                found.setdefault(clipped(self._vocabulary, facts))
        for facts in list(found):
            for other in self._check.near.of(facts, random, 1 if self._large else 3):
                if self._is_valid(other):
                    found.setdefault(other)
        return list(found)

    def _played(self, random: Random) -> Iterator[Facts]:
        evaluator = self._evaluators[0]
        yield evaluator.initial()
        if self._large or evaluator.ruleset.unlisted:
            return
        decisions = 0
        for _ in range(_GAMES):
            last: Facts | None = None
            for pair, after in random_game(evaluator, random):
                decisions += bool(pair.actions)
                last = after
                if pair.actions:
                    yield pair.facts
                if decisions >= _DECISIONS:
                    return
            if last is not None:
                yield last

    def _modelled(self) -> Iterator[Facts]:
        for _ in range(_MODELS):
            _, model = self._program.decide_literals(self._assumed, _CONFLICTS)
            if model:
                yield facts_in(self._theory, model)

    def _is_valid(self, facts: Facts) -> bool:
        """Whether a position is one that the program has to know, by the plain engine under both readings."""
        if any(signature_of(f) == DUE for f in facts):
            return False
        if any({i for i, _ in e.broken(facts, waive=False)} - e.ruleset.waived for e in self._evaluators):
            return False
        pending = {f.arguments[1].name for f in facts if f.name == "decision"}
        if self._question.scenario.transition is None:
            return not pending
        known = {
            getattr(w.decision, "name", "") or getattr(w.decision, "text", "") for w in self._transition.ways
        }
        return bool(pending) and pending <= known

    # -- a result ------------------------------------------------------------------------------------------------

    def results(self, facts: Facts) -> Iterator[str]:
        """Where a finished game has another result."""
        if all(e.outcome(facts) is None for e in self._evaluators):
            return
        model = self._fixed(Pair(facts, ()))
        if model is None:
            yield "a finished game is not known"
            return
        for k in self._readings:
            if self._result(k, model) != _in_order(self._evaluators[k].outcome(facts)):
                yield "a finished game has another result"

    def _result(
        self, reading: int, model: Sequence[clingo.Symbol]
    ) -> tuple[dict[str, int], list[str]] | None:
        name = partial(self._question.rest_name, reading)
        if clingo.Function(name(("terminal", 0))) not in set(model):
            return None
        goals = {
            symbols.text(s.arguments[0]): s.arguments[1].number
            for s in model
            if s.name == name(("goal", 2)) and len(s.arguments) == 2
        }
        winners = [
            symbols.text(s.arguments[0])
            for s in model
            if s.name == name(("winner", 1)) and len(s.arguments) == 1
        ]
        return _in_order((goals, winners))

    # -- moves ---------------------------------------------------------------------------------------------------

    def moves(self, facts: Facts, random: Random) -> Iterator[str]:
        """Where an action is illegal, or leads elsewhere."""
        try:
            legal = self._evaluators[0].legal(facts)
        except NotDecided:
            return
        by: dict[str, list[clingo.Symbol]] = {}
        for role, action in sorted(legal):
            by.setdefault(role, []).append(action)
        for _ in range(_ACTIONS if by else 0):
            pair = Pair(facts, tuple((role, random.choice(its)) for role, its in by.items()))
            if belongs(self._theory, self._transition, pair):
                for one in (pair, *self._check.others(pair, random)):
                    yield from self._difference(one)

    def _difference(self, pair: Pair) -> Iterator[str]:
        after = [self._after(k, pair) for k in self._readings]
        runs = [None if a is None else self._run(k, a) for k, a in zip(self._readings, after, strict=True)]
        if any(a is not None and run is None for a, run in zip(after, runs, strict=True)):
            return  # other steps follow than are looked at
        if self._question.scenario.steps and any(a is None for a in after):
            return  # nothing is asked of what follows on an illegal action
        model = self._fixed(pair)
        if model is None:
            if all(a is not None for a in after):
                yield f"{pair.actions[0][1]} is not possible there"
            return
        there = set(model)
        for k, run in zip(self._readings, runs, strict=True):
            lawless = clingo.Function(self._question.lawless(k)) in there
            if lawless != (run is None):
                yield f"{pair.actions[0][1]} is {'illegal' if lawless else 'legal'} there"
            for number, facts in enumerate(run or ()):
                yield from self._follows(k, number, pair.facts, facts, model)

    def _after(self, reading: int, pair: Pair) -> Facts | None:
        judged = self._evaluators[reading].judge(pair.facts, dict(pair.actions))
        return None if judged.violations else (pair.facts - frozenset(judged.deleted)).union(judged.added)

    def _run(self, reading: int, facts: Facts) -> list[Facts] | None:
        """The positions after an action; None where not just one of the steps is due each time."""
        found = [facts]
        for step in self._question.scenario.steps:
            name = getattr(step, "name", "") or getattr(step, "text", "")
            due = [s.arguments[0].name for s in found[-1] if signature_of(s) == DUE]
            if due != [name]:
                return None
            found.append(self._evaluators[reading].step(found[-1]))
        return found

    def _follows(
        self, reading: int, number: int, before: Facts, after: Facts, model: Sequence[clingo.Symbol]
    ) -> Iterator[str]:
        """Whether the program has the position after an action and so many steps."""
        signatures = self._theory.fluents - {SEAT}
        called = {(self._question.after_name(reading, number, s), s[1]): s[0] for s in signatures}
        found = {clingo.Function(called[s.name, len(s.arguments)], s.arguments) for s in model
                 if (s.name, len(s.arguments)) in called}  # fmt: skip
        wanted = clipped(self._vocabulary, after, self._vocabulary.far)
        meant = {f for f in wanted if signature_of(f) in signatures}
        if {i for i, _ in self._evaluators[reading].broken(after, waive=False)} & {
            "vocabulary",
            "count",
            "limit",
        }:
            return
        if found != meant:
            differ = sorted(map(str, found ^ meant))[:3]
            yield f"another position follows: {', '.join(differ)}"

    # -- fixed ---------------------------------------------------------------------------------------------------

    def _fixed(self, pair: Pair) -> list[clingo.Symbol] | None:
        """A model with this position and what is done in it; None where there is none."""
        assumed = self._check.assumed(pair.facts, pair)
        if assumed is None:
            return None
        answer, model = self._program.decide_literals([*assumed, *self._assumed], _CONFLICTS)
        return model if answer else None


def _in_order(result: tuple[dict[str, int], list[str]] | None) -> tuple[dict[str, int], list[str]] | None:
    """A result with its winners in order."""
    return None if result is None else (result[0], sorted(result[1]))
