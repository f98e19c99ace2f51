"""The product program of two rule sets in a scenario: can they diverge?

One program has one open position under both values of the ruling. Predicates with the same rules are merged
(:class:`..solving.program.Shared`), so only predicates that depend on the ruling have two copies.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from random import Random
from typing import Final

from .. import clingo
from ..engine import symbols
from ..engine.ruleset import Ruleset
from ..errors import NotDecided
from ..evaluation.evaluator import Evaluator
from ..evaluation.random_games import Facts, Pair
from ..lang.terms import Atom, Compare, Int, Literal, Signature, Var
from ..lang.unification import label
from ..query.actions import one_at_a_time
from ..rules.predicates import DECISION, DUE, GOAL, TERMINAL, WINNER
from ..solving.build import ChoiceRule, atom, never, no, rule, variables_x
from ..solving.encoder import EXACT, ILLEGAL, Encoder
from ..solving.models import actions_in, facts_in, fewest
from ..solving.numbers import BoundCheck, add_leaving, may_leave
from ..solving.positions import Positions
from ..solving.program import OPTIONS, Shared, SolverProgram
from ..solving.runs import FALSE, Runs
from ..solving.totals import Totals
from ..solving.vocabulary import LEAVE, Vocabulary
from .scenarios import OUTCOME, Reading, Scenario, reading_of

PARTS: Final = atom("parts__")
TOGETHER: Final = atom("together__")
"""The atom that switches to the question whether several steps may be due at once."""
FREE: Final = atom("no_goal__")
"""The atom that makes a divergence unnecessary, for the comparison of the program with the plain engine."""
_SMALL: Final = ("--sign-def=neg", "--opt-strategy=usc,oll,stratify", "--configuration=tweety")
"""Options of the solver for a small position. This configuration finds unsatisfiable cores with few conflicts."""
_EFFORT: Final = 20_000
"""The budget with these options, in conflicts: for finding a divergence, and for making its position small."""
_AT_MOST: Final = 200_000
"""The budget for whether the rule sets diverge, and for whether several steps may be due; more is not decided."""
_MORE: Final = f"it takes more than {_AT_MOST:,} conflicts"
_HIGHEST: Final = 400
"""The largest bound for numbers without a limit."""


@dataclass(frozen=True)
class Divergence:
    """A position and actions at which two rule sets diverge.

    Attributes:
        facts: The facts of the position.
        actions: Pairs of a role and its action; empty if the results differ.
    """

    facts: tuple[str, ...]
    actions: tuple[tuple[str, str], ...]


class DivergenceQuestion:
    """A product program: an open position under both rule sets, the actions in it, and the differences after them.

    Attributes:
        scenario: The scenario.
        readings: Both rule sets; first the one that knows the action.
        runs: For each rule set one encoder for each transition of the scenario; for a result, that of the position alone.
        program: The program.
        beyond: The check of numbers without a limit.
        small: Whether the solver has the options for small positions.
    """

    def __init__(
        self,
        first: Reading,
        second: Reading,
        scenario: Scenario,
        bound: int | None = None,
        small: bool = False,
    ) -> None:
        """Grounds the question.

        Args:
            first: One rule set.
            second: The other one.
            scenario: The scenario.
            bound: The largest value of numbers without a limit; by default the rulebook's.
            small: Whether the solver gets the options for small positions.
        """
        self.scenario, self.small = scenario, small
        self.readings = (second, first) if scenario.is_exchanged else (first, second)
        theories = [r.theory for r in self.readings]
        sorts = _common_vocabularies(
            *(r.prover.vocabulary if bound is None else Vocabulary(r.theory, bound) for r in self.readings)
        )
        totals = [Totals(t, v) for t, v in zip(theories, sorts, strict=True)]
        self.program: SolverProgram = Shared(theories[0].static, _SMALL if small else OPTIONS)
        encoder = Encoder(theories[0], sorts[0], totals[0], (), self.program)
        transition = scenario.transition
        encoder.open([w.decision for w in transition.schemas] if transition is not None else [])
        encoder.count()
        encoder.assume(theories[0].invariants)
        other = encoder.encoder_beside(theories[1], sorts[1], totals[1], "__b")
        other.assume(theories[1].invariants)
        self.runs = [[encoder], [other]]
        if transition is None:
            self._results()
        else:
            self._happens()
        self.beyond = BoundCheck(*(run for run in self.runs), always=True)
        self.program.ground()
        self._add_goals()
        self.program.ground()
        self.beyond.settle()

    # -- what happens --------------------------------------------------------------------------------------------

    def _results(self) -> None:
        for (encoder,) in self.runs:
            rules = encoder.theory.cone(OUTCOME, encoder.theory.at_rest)
            encoder.origins += rules
            encoder.add(*encoder.at_rest(rules))

    def _happens(self) -> None:
        """Writes the action and the steps. If only one rule set knows the action, the question is whether it is legal there."""
        scenario = self.scenario
        first = self.readings[0]
        key = next(n for n, t in first.acts.items() if t == scenario.transition)
        runs = self.runs if scenario.known is None else self.runs[:1]
        for k, (encoder,) in enumerate(runs):
            acts = self.readings[k].acts
            encoder.act(acts[key], legal=scenario.known is not None, chosen=k > 0)
        if scenario.declared is not None:
            runs[1][0].forbid_undeclared(self.readings[1].acts[key])
        for k, run in enumerate(runs):
            run[0].advance([])
            for number, step in enumerate(scenario.steps, 1):
                run.append(run[-1].then([step], f"__{number}{'b' if k else ''}"))
                run[-1].add(rule(atom("is_due__"), atom(DUE[0], step)))
                run[-1].step()
                run[-1].advance([])

    # -- what is asked -------------------------------------------------------------------------------------------

    def _add_goals(self) -> None:
        """Adds the goals: a predicate of the next positions, of legality or of the results differs."""
        program, free = self.program, (no(FREE), no(TOGETHER))
        program.add(ChoiceRule(((FREE, ()),)), ChoiceRule(((TOGETHER, ()),)), never(no(PARTS), *free))
        if self.scenario.transition is None:
            over = [no(atom(self.rest_name(k, OUTCOME[0]))) for k in (0, 1)]
            program.add(never(*over))
            pairs = [(s, self.rest_name(0, s), self.rest_name(1, s)) for s in OUTCOME]
            when: tuple[Literal, ...] = ()
        elif self.scenario.known is not None:
            program.add(rule(PARTS))
            return
        else:
            changed = {s for run in self.runs for e in run for s in e.changed}
            last = len(self.scenario.steps)
            pairs = [(s, self.after_name(0, last, s), self.after_name(1, last, s)) for s in sorted(changed)]
            illegal = [atom(self.illegal(k)) for k in (0, 1)]
            when = tuple(map(no, illegal))
            for encoder in (e for run in self.runs for e in run):
                add_leaving(encoder, *when)
            if not self.scenario.steps and illegal[0] != illegal[1]:
                program.add(rule(PARTS, illegal[0], no(illegal[1])), rule(PARTS, illegal[1], no(illegal[0])))
            self._several(illegal)
        for (_, arity), here, there in pairs:
            if here != there:
                args = variables_x(arity)
                program.add(rule(PARTS, atom(here, *args), no(atom(there, *args)), *when))
                program.add(rule(PARTS, atom(there, *args), no(atom(here, *args)), *when))

    def _several(self, illegal: Sequence[Atom]) -> None:
        """Demands that the steps of the scenario are due; or, with `TOGETHER`, that several steps are due at one point of it.

        Before this point the steps of the scenario must be due. After it none need be: several steps together may make a
        step due that the step of the scenario alone does not.
        """
        program, last = self.program, len(self.scenario.steps)
        one, other, moment = Var("X"), Var("Y"), Var("M")
        for k, run in enumerate(self.runs):
            program.add(never(TOGETHER, illegal[k]))
            for number, encoder in enumerate(run):
                due = self.after_name(k, number, DUE)
                if encoder is not run[0]:
                    is_due = atom(program.ground_name((encoder.name_of(("is_due__", 0)), 0)))
                    program.add(never(no(is_due), no(atom("met__", Int(number)))))
                two = (atom(due, one), atom(due, other), Compare(one, "<", other))
                program.add(rule(atom("several__", Int(number + 1)), TOGETHER, *two))
        for later in range(1, last + 2):
            program.add(rule(atom("met__", Int(later)), atom("several__", moment), Compare(moment, "<=", Int(later))))
        program.add(never(TOGETHER, no(atom("met__", Int(last + 1)))))

    # -- names ---------------------------------------------------------------------------------------------------

    def after_name(self, reading: int, number: int, signature: Signature) -> str:
        """The name of a predicate after the action and the given number of steps."""
        run = self.runs[reading]
        return self.program.ground_name((run[number].after_called(signature), signature[1]))

    def rest_name(self, reading: int, signature: Signature) -> str:
        """The name of a predicate at the first position."""
        return self.program.ground_name((self.runs[reading][0].rest_called(signature), signature[1]))

    def illegal(self, reading: int) -> str:
        """The name of the atom that says that an action is illegal."""
        return self.program.ground_name((self.runs[reading][0].name_of(ILLEGAL.signature), 0))

    # -- answers -------------------------------------------------------------------------------------------------

    def possible(self, conflicts: int, together: bool = False) -> bool | None:
        """Whether the rule sets can diverge; with ``together``, whether several steps can be due at once.

        None if it takes more than ``conflicts``. Totals are loose, so True may be wrong, False is a proof.
        """
        assumed = [*_assign(FREE, False), *_assign(TOGETHER, together), (EXACT, False)]
        return self.program.decide(assumed, conflicts)[0]

    def leaves_values(self) -> bool:
        """Whether a legal move may give a counter a value that the program does not have."""
        return may_leave(self.program, [*_assign(FREE, True), *_assign(TOGETHER, False)], _AT_MOST)

    def smallest(self) -> list[clingo.Symbol] | None:
        """A small model in which they diverge, with exact totals; None if there is none."""
        self.program.minimise(fewest(self.runs[0][0]))
        return self.program.best([*_assign(FREE, False), *_assign(TOGETHER, False), (EXACT, True)], _EFFORT)[0]


def _assign(what: Atom, holds: bool) -> Iterator[tuple[clingo.Symbol, bool]]:
    yield clingo.Function(what.name), holds


def _common_vocabularies(first: Vocabulary, second: Vocabulary) -> tuple[Vocabulary, Vocabulary]:
    """Both vocabularies, restricted to positions that belong to both; the next position may belong to one of them, or to none."""
    both = set(first.narrow) & set(second.narrow)
    either = tuple(dict.fromkeys((*first.wide, *second.wide)))
    copies = copy.copy(first), copy.copy(second)
    for one in copies:
        one.narrow = tuple(f for f in first.narrow if f in both)
        one.wide = either
        for name, member in vars(Vocabulary).items():
            if isinstance(member, cached_property):
                one.__dict__.pop(name, None)
    return copies[0].with_room(), copies[1].with_room()


# -- solving; runs in a child process ------------------------------------------------------------------------------


def divergence(first: Ruleset, second: Ruleset, scenario: Scenario) -> Divergence | None:
    """A small position valid under both rule sets, and actions, at which they diverge; None if there is none.

    That there is none rests on the program, which :func:`check` compares with the plain engine.

    Raises:
        NotDecided: None was found, but numbers that were not considered may give one; or it takes too many conflicts; or several
            steps may be due at once.
    """
    return solve_scenario(first, second, scenario)[1]


def solve_scenario(first: Ruleset, second: Ruleset, scenario: Scenario) -> tuple[DivergenceQuestion, Divergence | None]:
    """Builds the program of a scenario with the bound that it needs, and solves it.

    Returns:
        The last program, and the divergence or None.

    Raises:
        NotDecided: See `divergence`.
    """
    readings = reading_of(first), reading_of(second)
    bound: int | None = None
    while True:
        question, parts = _decide(readings, scenario, bound)
        if parts:
            small = question if question.small else DivergenceQuestion(*readings, scenario, bound, small=True)
            model = small.smallest()
            if model is not None:
                theory = small.readings[0].theory
                facts = tuple(sorted(map(symbols.text, facts_in(theory, model))))
                transition = scenario.transition
                done = {} if transition is None else actions_in(theory, transition, model)
                actions = tuple(sorted((r, symbols.text(a)) for r, a in done.items()))
                return question, Divergence(facts, actions)
        beyond, vocabulary = question.beyond, question.runs[0][0].vocabulary
        # a number from which more is lost than an open position has is cut off at its end in both readings
        higher = beyond.lost if beyond.reason is None and beyond.lost > vocabulary.bound else beyond.wanted
        if higher is None or higher > _HIGHEST or higher == bound:
            break
        bound = higher
    low = max(beyond.furthest - (vocabulary.far - vocabulary.bound) + 1, beyond.lost - vocabulary.bound)
    if beyond.reason is not None or low > 0:
        reason = beyond.reason or "how far they move at once"
        raise NotDecided(f"numbers without a limit were examined only up to {vocabulary.bound}: {reason}")
    if question.leaves_values():
        raise NotDecided(f"{LEAVE}, which is not compared")
    if scenario.transition is not None and scenario.known is None:
        several = question.possible(_AT_MOST, together=True)
        if several is None:
            raise NotDecided(_MORE)
        if several:
            raise NotDecided("several steps may be due at once, which is not compared")
    return question, None


def _decide(
    readings: tuple[Reading, Reading], scenario: Scenario, bound: int | None
) -> tuple[DivergenceQuestion, bool]:
    """The program, and whether the rule sets may diverge: first with a small budget and the options for small positions.

    Raises:
        NotDecided: It takes too many conflicts.
    """
    for small, conflicts in ((True, _EFFORT), (False, _AT_MOST)):
        question = DivergenceQuestion(*readings, scenario, bound, small)
        parts = question.possible(conflicts)
        if parts is not None:
            return question, parts
    raise NotDecided(_MORE)


# -- whether all that is pending at once belongs to one scenario ---------------------------------------------------------


def several_pending(ruleset: Ruleset) -> None:
    """Returns if all that is pending in a valid position belongs to one decision; runs in a child process.

    The engine's invariant ``one_decision`` guarantees it. For a rulebook without it the solver looks for a valid position in
    which more is pending: different decisions, or one decision of several roles that is not simultaneous.

    Raises:
        NotDecided: There is such a position, or that is not decided.
    """
    if one_at_a_time(ruleset):
        return
    prover = reading_of(ruleset).prover
    positions = Positions(prover.theory, prover.vocabulary, prover.totals)
    answer = positions.several_pending()
    if answer.verdict == "falls":
        raise NotDecided("several decisions may be pending at once, which is not compared")
    if answer.verdict != "proved":
        raise NotDecided(f"whether several decisions may be pending at once is not known: {answer.reason}")


Result = tuple[dict[str, int], list[str]]


def check(first: Ruleset, second: Ruleset, scenario: Scenario) -> None:
    """Compares the product program of a scenario, by which two rule sets do not diverge, with the plain engine.

    Raises:
        NotDecided: They disagree, or the rule sets diverge.
    """
    question, model = solve_scenario(first, second, scenario)
    differs = next(differences(question), None)
    if differs is not None or model is not None:
        raise NotDecided(f"{FALSE}: {differs}")


def differences(question: DivergenceQuestion) -> Iterator[str]:
    """The differences between a question's program and the plain engine under either rule set."""
    scenario = question.scenario
    evaluators = [r.ruleset.remember("evaluator", partial(Evaluator, r.ruleset)) for r in question.readings]
    atoms = question.program.all_atoms
    free, together, exact = (atoms[clingo.Function(n)] for n in ("no_goal__", "together__", EXACT.name))
    assumed = [*(a.literal for a in (free, exact) if a), *(-a.literal for a in (together,) if a)]
    names = map(label, scenario.steps)
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


def _results(question: DivergenceQuestion, runs: Runs, evaluators: Sequence[Evaluator], facts: Facts) -> Iterator[str]:
    """The differences at a position where the game is over under one of the rule sets."""
    if all(e.outcome(facts) is None for e in evaluators):
        return
    model = runs.model_of(Pair(facts, ()))
    if model is None:
        yield "a finished game is not known"
        return
    for k, evaluator in enumerate(evaluators):
        if _result(question, k, model) != _in_order(evaluator.outcome(facts)):
            yield "a finished game has another result"


def _result(question: DivergenceQuestion, reading: int, model: Sequence[clingo.Symbol]) -> Result | None:
    """The points and winners in a model, under one rule set; None if the game is not over."""
    terminal, goal, winner = ((question.rest_name(reading, s), s[1]) for s in (TERMINAL, GOAL, WINNER))
    if clingo.Function(terminal[0]) not in set(model):
        return None
    goals = [s.arguments for s in model if symbols.signature(s) == goal]
    winners = [symbols.text(s.arguments[0]) for s in model if symbols.signature(s) == winner]
    stated_goals = sorted(goals, key=lambda pair: pair[1].number)
    return _in_order(({symbols.text(role): n.number for role, n in stated_goals}, winners))


def _in_order(result: Result | None) -> Result | None:
    """A result with its winners in order."""
    return None if result is None else (result[0], sorted(result[1]))
