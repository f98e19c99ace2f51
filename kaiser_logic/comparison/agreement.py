"""Whether the program that compares two readings says what the rules of either say, at positions with moves.

That the solver finds no position on which they part means nothing where its program excludes one wrongly. So before it is
said that they are the same, both readings of the program are compared with the plain engine (:mod:`..proof.runs`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from random import Random

from .. import clingo
from ..engine import symbols
from ..engine.ruleset import Ruleset
from ..evaluation.evaluator import Evaluator
from ..proof.fixed import ActedProgram, Differs
from ..proof.runs import Reading, Runs
from ..rules.predicates import GOAL, TERMINAL, WINNER
from ..symbolic.encoding import Encoding
from ..symbolic.solver import Solver
from ..symbolic.transitions import functor, is_possible
from .scenarios import OUTCOME, Scenario


@dataclass(frozen=True)
class ComparedQuestion:
    """The question where two readings part.

    Attributes:
        encoding: The first reading, at whose first moment both begin.
        other: The second one.
        solver: The program of both.
    """

    encoding: Encoding
    other: Encoding
    solver: Solver


def differences(
    question: ComparedQuestion, rulesets: Sequence[Ruleset], scenario: Scenario, free: Sequence[int]
) -> Iterator[str]:
    """Where a question's program says otherwise than the plain engine under either reading.

    Args:
        question: With totals that need not match their sums.
        rulesets: The rules of both readings.
        scenario: What is looked at.
        free: The assumptions by which nothing is asked.
    """
    evaluators = [ruleset.remember("evaluator", partial(Evaluator, ruleset)) for ruleset in rulesets]
    encodings = [question.encoding, question.other]
    shared = all(is_possible(question.other.ruleset, kind) for kind in scenario.kinds)
    readings = [
        Reading(e, evaluator, e.illegal(0) if shared and scenario.kinds else None)
        for e, evaluator in zip(encodings, evaluators, strict=True)
    ]
    program = ActedProgram(evaluators[0], scenario.kinds, question.encoding, 0, question.solver)
    steps = [frozenset({functor(step)}) for step in scenario.steps]
    runs = Runs(program, readings if shared else readings[:1], scenario.kinds, steps, free)
    random = Random(str(scenario.steps))
    if scenario.transition is not None:
        yield from runs.differences(random)
        return
    watched = program.literals([(e.name(s), s[1]) for e in encodings for s in OUTCOME])
    for facts in runs.positions(random):
        if any(reading.evaluator.outcome(facts) is not None for reading in readings):
            try:
                holds = program.only([*program.position(facts), *free], watched)
            except Differs as difference:
                yield str(difference)
                continue
            for reading in readings:
                if _result(reading, holds) != _sorted(reading.evaluator.outcome(facts)):
                    yield "a finished game has another result"


def _result(reading: Reading, holds: set[clingo.Symbol]) -> tuple[dict[str, int], list[str]] | None:
    """Points and winners as the program has them; None where the game is not over."""
    said = {s: reading.encoding.name(s) for s in (TERMINAL, GOAL, WINNER)}
    if clingo.Function(said[TERMINAL]) not in holds:
        return None
    goals = sorted((s.arguments for s in holds if s.name == said[GOAL]), key=lambda goal: goal[1].number)
    winners = [symbols.text(s.arguments[0]) for s in holds if s.name == said[WINNER]]
    return _sorted(({symbols.text(role): n.number for role, n in goals}, winners))


def _sorted(result: tuple[dict[str, int], list[str]] | None) -> tuple[dict[str, int], list[str]] | None:
    """A result with its winners in order."""
    return None if result is None else (result[0], sorted(result[1]))
