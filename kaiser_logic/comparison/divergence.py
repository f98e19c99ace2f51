"""The question to the solver whether two rule sets diverge in a scenario.

One open position is read under both values of the ruling in one program. Predicates with the same rules are one
(:class:`..solving.program.Shared`), so only what depends on the ruling is there twice.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from .. import clingo
from ..engine import symbols
from ..engine.ruleset import Ruleset
from ..errors import NotDecided
from ..lang.terms import Atom, Compare, Int, Literal, Signature, Var
from ..query.check import one_at_a_time
from ..solving.build import Choice, atom, never, no, rule, variables_x
from ..solving.encoder import EXACT, ILLEGAL, Encoder
from ..solving.models import actions_in, facts_in, fewest
from ..solving.numbers import BoundCheck
from ..solving.positions import Positions
from ..solving.program import OPTIONS, Program, Shared
from ..solving.theory import DUE
from ..solving.totals import Totals
from ..solving.vocabulary import Vocabulary
from .scenarios import OUTCOME, Reading, Scenario, reading_of

PARTS: Final = atom("parts__")
TOGETHER: Final = atom("together__")
"""Holds where it is asked whether several steps may be due at once."""
FREE: Final = atom("unasked__")
"""Holds where nothing is asked, and the program is checked."""
_SMALL: Final = ("--sign-def=neg", "--opt-strategy=usc,oll,stratify", "--configuration=tweety")
"""The solver's options for a small position. With this configuration it learns what cannot be had together from few conflicts."""
_EFFORT: Final = 20_000
"""So many conflicts of the solver are spent with them on whether there is one, and on making it small."""
_AT_MOST: Final = 200_000
"""So many are spent on whether the readings diverge in a scenario, or several steps may be due: then it is not decided."""
_MORE: Final = f"it takes more than {_AT_MOST:,} conflicts"
_HIGHEST: Final = 400
"""Numbers without a limit run up to this one at most."""


@dataclass(frozen=True)
class Divergence:
    """A position and actions on which two rule sets diverge.

    Attributes:
        facts: A position's facts.
        actions: Who does what there; nothing where the result differs.
    """

    facts: tuple[str, ...]
    actions: tuple[tuple[str, str], ...]


class Question:
    """A product program: an open position under both rule sets, the actions in it, and the differences after them.

    Attributes:
        scenario: What happens.
        readings: Both readings; first the one in whose words the action is.
        runs: For each reading what happens, one encoder for each transition; of a result that of the position alone.
        program: What it was grounded to.
        beyond: What becomes of numbers without a limit.
        small: Whether the solver has the options by which it finds small positions.
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
            first: A reading.
            second: The other one.
            scenario: What happens.
            bound: Up to where numbers without a limit run.
            small: Whether the solver has the options by which it finds small positions.
        """
        self.scenario, self.small = scenario, small
        self.readings = (second, first) if scenario.known == 1 else (first, second)
        theories = [r.theory for r in self.readings]
        sorts = _shared(
            *(r.prover.vocabulary if bound is None else Vocabulary(r.theory, bound) for r in self.readings)
        )
        totals = [Totals(t, v) for t, v in zip(theories, sorts, strict=True)]
        self.program: Program = Shared(theories[0].static, _SMALL if small else OPTIONS)
        encoder = Encoder(theories[0], sorts[0], totals[0], (), self.program)
        transition = scenario.transition
        encoder.open([w.decision for w in transition.ways] if transition is not None else [])
        encoder.count()
        encoder.assume(theories[0].invariants)
        other = encoder.beside(theories[1], sorts[1], totals[1], "__b")
        other.assume(theories[1].invariants)
        self.runs = [[encoder], [other]]
        self._constraints: list[Atom] = []
        if transition is None:
            self._results()
        else:
            self._happens()
        self.beyond = BoundCheck(*(run for run in self.runs), always=True)
        self.program.ground()
        self._ask()
        self.program.ground()
        self.beyond.settle()

    # -- what happens --------------------------------------------------------------------------------------------

    def _results(self) -> None:
        for (encoder,) in self.runs:
            rules = encoder.theory.cone(OUTCOME, encoder.theory.at_rest)
            encoder.origins += rules
            encoder.put(*encoder.at_rest(rules))

    def _happens(self) -> None:
        """The action and the steps; where one reading alone knows it, that it is legal there is all that is asked."""
        scenario = self.scenario
        first = self.readings[0]
        key = next(n for n, t in first.acts.items() if t == scenario.transition)
        runs = self.runs if scenario.known is None else self.runs[:1]
        for k, (encoder,) in enumerate(runs):
            acts = self.readings[k].acts
            encoder.act(acts[key], legal=scenario.known is not None, chosen=k > 0)
        for k, run in enumerate(runs):
            run[0].advance([])
            for number, step in enumerate(scenario.steps, 1):
                run.append(run[-1].then([step], f"__{number}{'b' if k else ''}"))
                run[-1].put(rule(atom("is_due__"), atom(DUE[0], step)))
                run[-1].step()
                run[-1].advance([])

    # -- what is asked -------------------------------------------------------------------------------------------

    def _ask(self) -> None:
        """Adds what is asked, by the names under which the program has what differs."""
        program, free = self.program, (no(FREE), no(TOGETHER))
        program.add(Choice(((FREE, ()),)), Choice(((TOGETHER, ()),)), never(no(PARTS), *free))
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
            if not self.scenario.steps and illegal[0] != illegal[1]:
                program.add(rule(PARTS, illegal[0], no(illegal[1])), rule(PARTS, illegal[1], no(illegal[0])))
            self._several(illegal)
        for (_, arity), here, there in pairs:
            if here != there:
                args = variables_x(arity)
                program.add(rule(PARTS, atom(here, *args), no(atom(there, *args)), *when))
                program.add(rule(PARTS, atom(there, *args), no(atom(here, *args)), *when))

    def _several(self, illegal: Sequence[Atom]) -> None:
        """The steps are due; or, where it is asked for, several are due at some moment, of which a scenario covers one.

        Up to the first such moment the scenario is what happens. After it no further step need be due, for what several steps
        do together may make it due, though this one alone does not.
        """
        program, last = self.program, len(self.scenario.steps)
        one, other, moment = Var("X"), Var("Y"), Var("M")
        for k, run in enumerate(self.runs):
            program.add(never(TOGETHER, illegal[k]))
            for number, encoder in enumerate(run):
                due = self.after_name(k, number, DUE)
                if encoder is not run[0]:
                    is_due = atom(program.called((encoder.called(("is_due__", 0)), 0)))
                    program.add(never(no(is_due), no(atom("met__", Int(number)))))
                two = (atom(due, one), atom(due, other), Compare(one, "<", other))
                program.add(rule(atom("several__", Int(number + 1)), TOGETHER, *two))
        for later in range(1, last + 2):
            program.add(
                rule(atom("met__", Int(later)), atom("several__", moment), Compare(moment, "<=", Int(later)))
            )
        program.add(never(TOGETHER, no(atom("met__", Int(last + 1)))))

    # -- names ---------------------------------------------------------------------------------------------------

    def after_name(self, reading: int, number: int, signature: Signature) -> str:
        """The name of a predicate after the action and the given number of steps."""
        run = self.runs[reading]
        return self.program.called((run[number].after_called(signature), signature[1]))

    def rest_name(self, reading: int, signature: Signature) -> str:
        """The name of a predicate at the first position."""
        return self.program.called((self.runs[reading][0].rest_called(signature), signature[1]))

    def illegal(self, reading: int) -> str:
        """The name of the atom that says that an action is illegal."""
        return self.program.called((self.runs[reading][0].called(ILLEGAL.signature), 0))

    # -- answers -------------------------------------------------------------------------------------------------

    def possible(self, conflicts: int, together: bool = False) -> bool | None:
        """Whether they can diverge; with the other query, whether several steps can be due at once.

        None where it takes more conflicts than that.
        """
        assumed = [*_put(FREE, False), *_put(TOGETHER, together), (EXACT, False)]
        return self.program.decide(assumed, conflicts)[0]

    def smallest(self) -> list[clingo.Symbol] | None:
        """A small model in which they part, and totals match their sums, if there is one."""
        self.program.add_text(*fewest(self.runs[0][0]))
        return self.program.best([*_put(FREE, False), *_put(TOGETHER, False), (EXACT, True)], _EFFORT)[0]


def _put(what: Atom, holds: bool) -> Iterator[tuple[clingo.Symbol, bool]]:
    yield clingo.Function(what.name), holds


def _shared(first: Vocabulary, second: Vocabulary) -> tuple[Vocabulary, Vocabulary]:
    """The sorts of a position that belongs to both vocabularies; what comes to be may belong to one of them."""
    both = set(first.narrow) & set(second.narrow)
    either = tuple(dict.fromkeys((*first.wide, *second.wide)))
    found = copy.copy(first), copy.copy(second)
    for one in found:
        one.narrow = tuple(f for f in first.narrow if f in both)
        one.wide = either
        for name in ("signatures", "decisions", "cut", "endless", "_values", "ends", "gaps", "measures"):
            one.__dict__.pop(name, None)
    return found


# -- the question; to be asked in a child ------------------------------------------------------------------------------


def divergence(first: Ruleset, second: Ruleset, scenario: Scenario) -> Divergence | None:
    """A small position valid in both readings, and actions on which they diverge; None where there is none.

    That there is none rests on the program: see :func:`.agreement.check`.

    Raises:
        NotDecided: None was found, and there may be one with numbers that were not looked at; or it takes too many conflicts.
    """
    return solve_scenario(first, second, scenario)[1]


def solve_scenario(first: Ruleset, second: Ruleset, scenario: Scenario) -> tuple[Question, Divergence | None]:
    """The question with as large numbers as it needs, and its answer."""
    readings = reading_of(first), reading_of(second)
    bound: int | None = None
    while True:
        question, parts = _decided(readings, scenario, bound)
        if parts:
            small = question if question.small else Question(*readings, scenario, bound, small=True)
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
        wanted = beyond.lost if beyond.reason is None and beyond.lost > vocabulary.bound else beyond.wanted
        if wanted is None or wanted > _HIGHEST or wanted == bound:
            break
        bound = wanted
    low = max(beyond.furthest - (vocabulary.far - vocabulary.bound) + 1, beyond.lost - vocabulary.bound)
    if beyond.reason is not None or low > 0:
        reason = beyond.reason or "how far they move at once"
        raise NotDecided(
            f"numbers without a limit were not all looked at (none beyond {vocabulary.bound}): {reason}"
        )
    if scenario.transition is not None and scenario.known is None:
        several = question.possible(_AT_MOST, together=True)
        if several is None:
            raise NotDecided(_MORE)
        if several:
            raise NotDecided("several steps may be due at once, which is not compared")
    return question, None


def _decided(
    readings: tuple[Reading, Reading], scenario: Scenario, bound: int | None
) -> tuple[Question, bool]:
    """The question, and whether they may part: first with few conflicts and the options by which models are found soon."""
    for small, conflicts in ((True, _EFFORT), (False, _AT_MOST)):
        question = Question(*readings, scenario, bound, small)
        parts = question.possible(conflicts)
        if parts is not None:
            return question, parts
    raise NotDecided(_MORE)


# -- whether all that is pending at once belongs to one scenario ---------------------------------------------------------


def several_pending(ruleset: Ruleset) -> None:
    """Returns if it is proved that all pending things of a valid position belong to one decision; runs in a child.

    With the engine's invariant ``one_decision`` it does. Where a rulebook does without, a valid position is looked for in
    which more is pending: different decisions, or one that several roles have though only one of them is followed.

    Raises:
        NotDecided: There is a position in which it does not, or that is left open.
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
