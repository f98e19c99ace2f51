"""Compares the program of two rule sets with the plain engine: see :mod:`..solving.runs`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from random import Random

from .. import clingo
from ..engine import symbols
from ..engine.ruleset import Ruleset
from ..errors import NotDecided
from ..evaluation.evaluator import Evaluator
from ..evaluation.random_games import Facts, Pair
from ..rules.predicates import DECISION, GOAL, TERMINAL, WINNER
from ..solving.encoder import EXACT
from ..solving.runs import FALSE, Runs
from .divergence import Question, solve_scenario
from .scenarios import Scenario

Result = tuple[dict[str, int], list[str]]


def check(first: Ruleset, second: Ruleset, scenario: Scenario) -> None:
    """Compares the product program of a scenario, by which two rule sets do not diverge, with the plain engine.

    Raises:
        NotDecided: They disagree, or the rule sets diverge.
    """
    question, found = solve_scenario(first, second, scenario)
    differs = next(differences(question), None)
    if differs is not None or found is not None:
        raise NotDecided(f"{FALSE}: {differs}")


def differences(question: Question) -> Iterator[str]:
    """The differences between a question's program and the plain engine under either rule set."""
    scenario = question.scenario
    evaluators = [r.ruleset.remember("evaluator", partial(Evaluator, r.ruleset)) for r in question.readings]
    atoms = question.program.control.symbolic_atoms
    free, together, exact = (atoms[clingo.Function(n)] for n in ("no_goal__", "together__", EXACT.name))
    assumed = [*(a.literal for a in (free, exact) if a), *(-a.literal for a in (together,) if a)]
    names = (getattr(step, "name", "") or getattr(step, "text", "") for step in scenario.steps)
    runs = Runs(
        question.runs if scenario.known is None else question.runs[:1],
        evaluators,
        scenario.transition,
        [frozenset({name}) for name in names],
        assumed,
        legal=scenario.known is not None,
    )
    random = Random(str(scenario.steps))
    if scenario.transition is not None:
        yield from runs.differences(random)
        return
    for facts in runs.positions(random):
        if not any(symbols.signature(f) == DECISION for f in facts):
            yield from _results(question, runs, evaluators, facts)


def _results(question: Question, runs: Runs, evaluators: Sequence[Evaluator], facts: Facts) -> Iterator[str]:
    """The differences at a position where the game is over under one of the rule sets."""
    if all(e.outcome(facts) is None for e in evaluators):
        return
    model = runs.fixed(Pair(facts, ()))
    if model is None:
        yield "a finished game is not known"
        return
    for k, evaluator in enumerate(evaluators):
        if _result(question, k, model) != _in_order(evaluator.outcome(facts)):
            yield "a finished game has another result"


def _result(question: Question, reading: int, model: Sequence[clingo.Symbol]) -> Result | None:
    """The points and winners in a model, under one rule set; None if the game is not over."""
    terminal, goal, winner = ((question.rest_name(reading, s), s[1]) for s in (TERMINAL, GOAL, WINNER))
    if clingo.Function(terminal[0]) not in set(model):
        return None
    goals = [s.arguments for s in model if symbols.signature(s) == goal]
    winners = [symbols.text(s.arguments[0]) for s in model if symbols.signature(s) == winner]
    said = sorted(goals, key=lambda its: its[1].number)
    return _in_order(({symbols.text(role): n.number for role, n in said}, winners))


def _in_order(result: Result | None) -> Result | None:
    """A result with its winners in order."""
    return None if result is None else (result[0], sorted(result[1]))
