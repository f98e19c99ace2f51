"""Decides every claim of every transition: one program for each transition, each claim under assumptions.

First the solver decides all claims that may fall together, with loose totals; then one by one; then with exact totals; and then
by groups of witnesses, down to one witness at a time. Budgets are counted in conflicts of the solver, never in seconds, so the
answer is the same on every machine.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from random import Random
from typing import Final, TypeVar

from .. import clingo
from ..engine.grounding import EngineProgram
from ..engine.invariants import part_of
from ..engine.ruleset import Ruleset
from ..engine.symbols import symbol_of, term_of
from ..errors import NotDecided
from ..evaluation.evaluator import Evaluator
from ..evaluation.random_games import Pair
from ..lang.terms import Int, Var
from ..lang.unification import functor, unify
from ..rules.predicates import BROKEN, ENUMERATION, PARTED, WRONG
from ..workers.child_processes import ChildAnswer
from ..wraparound import multiplies
from .build import ChoiceRule, atom, never, no, rule, term
from .check import Check
from .encoder import EXACT, Encoder, apart_from_all
from .goals import add_goals, fallen_claims
from .moves import MoveClaims
from .numbers import HIGHEST, BoundCheck, Thresholds
from .positions import Positions, about_move
from .program import REFUTING, SEARCHING, Assumed, print_line
from .proof_cache import NEVER, PROVED, ProofCache, key_of_encoding
from .report import Counterexample
from .theory import Theory, Transition
from .totals import Totals
from .vocabulary import Vocabulary

TOGETHER: Final = 2_000
"""The budget, in conflicts, for all claims together with loose totals;"""
EFFORTS: Final = (3_000, 20_000)
"""for each claim alone with loose totals, in the first and in the second pass;"""
LEMMA: Final = 6_000
"""for each lemma about the move generator;"""
SPLIT: Final = 4_000
"""for several witnesses of one claim together, with exact totals;"""
ALONE: Final = 400_000
"""for one witness by itself."""
GROUPS: Final = 16
"""The largest number of groups into which witnesses are split at once."""
POSSIBLE: Final = ((2_000, SEARCHING), (2_000, REFUTING), (20_000, SEARCHING), (20_000, REFUTING))
"""The budgets, each with its heuristic, for the question whether a transition is possible at all;"""
CHECKED: Final = POSSIBLE[:2]
"""and for a model with exact totals, at which the encoding is compared with the plain engine."""
_ADVICE: Final = {"limit": "; if it follows from other limits, state it as a range"}
T = TypeVar("T")
GOAL_ACTIVE: Final = clingo.Function("goal_active__")


@dataclass
class TransitionVerdicts:
    """The verdicts on the claims of one transition.

    Attributes:
        label: The label of the transition.
        verdicts: For each claim ``proved``, ``falls`` or ``undecided``. A question answers ``falls`` only if the plain engine
            confirms it.
        possible: Whether the transition can happen in a valid position; None if that is not known.
        models: For each claim that falls, a model in which it falls. A question gives them up for ``broken``.
        broken: For each claim with a model, the counterexample, confirmed or not.
        notes: For each claim that is not decided, the reason.
        parts: The parts of claims that are not proved and can be dropped. They have verdicts, models and notes of their own;
            the verdict on the claim is about the rest.
        reason: Why the open position does not stand for all positions, so that no verdict counts; or None.
        differences: Where the encoding and the plain engine disagree, in words; if there are any, no verdict counts.
        together: Decisions that several roles may have at once, though the rulebook does not declare it.
        key: The key under which a proof of all claims is stored: see `proof_cache`.
        is_kept: Whether the verdicts are those of an earlier run.
    """

    label: str
    verdicts: dict[str, str] = field(default_factory=dict)
    possible: bool | None = None
    models: dict[str, list[clingo.Symbol]] = field(default_factory=dict)
    broken: dict[str, Counterexample] = field(default_factory=dict)
    notes: dict[str, str] = field(default_factory=dict)
    parts: list[str] = field(default_factory=list)
    reason: str | None = None
    differences: list[str] = field(default_factory=list)
    together: frozenset[str] = frozenset()
    key: str = ""
    is_kept: bool = False

    @property
    def trouble(self) -> bool:
        """Whether no verdict counts."""
        return bool(self.differences) or self.reason is not None


class GoalSolver:
    """Decides the claims of one ground program, each under assumptions.

    Attributes:
        program: The program.
        live: The claims that some effect of the transition may break. All others hold.
        extra: The invariants among the claims that are waived or dropped: each is decided supposing only itself besides.
    """

    def __init__(self, encoder: Encoder, goals: Sequence[str]) -> None:
        """Grounds the encoding, and adds the rules that activate claims (``goal__``) by assumptions."""
        self.program = program = encoder.program
        program.ground()
        breakable = {str(s.arguments[0]) for s in program.atoms("bad__", 2)}
        self.live = [g for g in goals if g in breakable]
        self.extra = [g for g in goals if g in encoder.theory.extra]
        self._groups = 0
        self._witnesses: dict[str, list[clingo.Symbol]] = {}
        for s in sorted(program.atoms("bad__", 2), key=str):
            self._witnesses.setdefault(str(s.arguments[0]), []).append(s)
        self._lemmas = [symbol_of(term(s)) for s in encoder.lemmas]
        self._proved_lemmas: list[clingo.Symbol] = []
        claim, witness = Var("I"), Var("W")
        chosen = atom("goal__", claim)
        program.tell(clingo.Function("claim__", [clingo.Function(g)]) for g in self.live)
        program.add(
            ChoiceRule(((chosen, (atom("claim__", claim),)),)),
            rule(atom("fallen__", claim), atom("bad__", claim, witness)),
            rule(atom("found__"), chosen, atom("fallen__", claim)),
            ChoiceRule(((atom("goal_active__"), ()),)),
            never(atom("goal_active__"), no(atom("found__"))),
        )
        program.ground()

    def solve(
        self,
        goals: Iterable[str],
        conflicts: int,
        exact: bool,
        proved: Iterable[str] = (),
        more: Assumed = (),
        supposed: Collection[str] | None = None,
    ) -> tuple[bool | None, list[clingo.Symbol]]:
        """Whether one of these claims falls, with a model if so; None if the budget runs out.

        Args:
            goals: The claims.
            conflicts: The budget, in conflicts.
            exact: Whether totals are exact.
            proved: Claims that are proved. That they do not fall is assumed: it excludes no model, and helps the solver.
            more: Further assumptions.
            supposed: Which of the `extra` claims are supposed at the position before; by default those that are asked.
        """
        active = set(goals)
        assumed_before = active if supposed is None else supposed
        assumed = [(clingo.Function("goal__", [clingo.Function(g)]), g in active) for g in self.live]
        assumed += [(clingo.Function("holds__", [clingo.Function(g)]), g in assumed_before) for g in self.extra]
        assumed += [(clingo.Function("fallen__", [clingo.Function(g)]), False) for g in proved]
        assumed += [(lemma, True) for lemma in self._proved_lemmas]
        return self.program.decide([*assumed, *more, (GOAL_ACTIVE, True), (EXACT, exact)], conflicts)

    def solve_split(self, goal: str, proved: Sequence[str]) -> tuple[bool | None, list[clingo.Symbol]]:
        """Whether a claim falls, with exact totals: for all witnesses together; if that takes too long, group by group."""
        answer, model = self.solve([goal], SPLIT if len(self._witnesses[goal]) > 1 else ALONE, True, proved)
        if answer is not None or len(self._witnesses[goal]) == 1:
            return answer, model
        return self._solve_among(goal, proved, self._witnesses[goal], [])

    def by_parts(self, goal: str, proved: Sequence[str]) -> dict[str, tuple[bool | None, list[clingo.Symbol]]]:
        """The answers about the parts of a claim, each about the witnesses of one name."""
        parts: dict[str, list[clingo.Symbol]] = {}
        for s in self._witnesses[goal]:
            parts.setdefault(part_of(goal, str(s.arguments[1])), []).append(s)
        refuted: list[clingo.Symbol] = []
        return {part: self._solve_among(goal, proved, some, refuted, 1) for part, some in parts.items()}

    def _solve_among(
        self,
        goal: str,
        proved: Sequence[str],
        witnesses: Sequence[clingo.Symbol],
        refuted: list[clingo.Symbol],
        groups: int = GROUPS,
    ) -> tuple[bool | None, list[clingo.Symbol]]:
        """Whether a claim falls by one of these witnesses. It does not by those in ``refuted``, to which new ones are added."""
        falls: bool | None = False
        for group in in_groups(witnesses, groups):
            some = self._some_of(group)
            effort = ALONE if len(group) == 1 and falls is False else SPLIT
            answer, model = self.solve([goal], effort, True, proved, [(some, True), *((w, False) for w in refuted)])
            if answer is None and len(group) > 1:
                answer, model = self._solve_among(goal, proved, group, refuted)
            elif answer is False:
                refuted += group
            if answer:
                return True, model
            falls = None if answer is None else falls
        return falls, []

    def _some_of(self, witnesses: Sequence[clingo.Symbol]) -> clingo.Symbol:
        """The atom that says that a claim falls by one of these witnesses; its rules are grounded if there are several."""
        if len(witnesses) == 1:
            return witnesses[0]
        self._groups += 1
        some = atom("some__", Int(self._groups))
        self.program.add(*(rule(some, atom("bad__", *map(term_of, w.arguments))) for w in witnesses))
        self.program.ground()
        return symbol_of(term(some))

    def possible(self, efforts: Iterable[tuple[int, str]], exact: bool) -> tuple[bool | None, list[clingo.Symbol]]:
        """Whether the transition is possible: whether there is a model, with the model; None if all budgets run out."""
        nothing = [(clingo.Function("goal__", [clingo.Function(g)]), False) for g in self.live]
        nothing += [(clingo.Function("holds__", [clingo.Function(g)]), False) for g in self.extra]
        for conflicts, heuristic in efforts:
            answer, model = self.program.decide([*nothing, (GOAL_ACTIVE, False), (EXACT, exact)], conflicts, heuristic)
            if answer is not None:
                break
        return answer, model

    def prove_lemmas(self, proved: Iterable[str]) -> None:
        """Proves lemmas about the move generator, in the order of what they depend on.

        That the generator lists an action needs a long conjunction. Each part of it is a lemma: it holds in every model,
        whatever the goal. A lemma that is proved is assumed from then on, which excludes no model.
        """
        lemmas, self._lemmas = self._lemmas, []
        for lemma in lemmas:
            if self._can_fail(lemma, proved) is False:
                self._proved_lemmas.append(lemma)

    def _can_fail(self, lemma: clingo.Symbol, proved: Iterable[str]) -> bool | None:
        assumed = [(clingo.Function("fallen__", [clingo.Function(g)]), False) for g in proved]
        assumed += [(other, True) for other in self._proved_lemmas]
        return self.program.decide([*assumed, (lemma, False), (GOAL_ACTIVE, False), (EXACT, False)], LEMMA)[0]


class Prover:
    """Proves claims about the rules in force in one round: it assumes all invariants that are not dropped."""

    def __init__(self, ruleset: Ruleset, bound: int | None = None, together: Collection[str] = ()) -> None:
        """Reads the rules.

        Args:
            ruleset: The rules in force.
            bound: The largest value of numbers without a limit in an open position; by default the rulebook's.
            together: Decisions that several roles may have at once: see `Theory`.
        """
        self.theory = Theory(ruleset, together)
        self.vocabulary = Vocabulary(self.theory, bound)
        self.totals = Totals(self.theory, self.vocabulary)
        self._wider: dict[int, tuple[Vocabulary, Totals]] = {}

    @cached_property
    def transitions(self) -> list[Transition]:
        """All transitions."""
        return self.theory.transitions({name for name, _ in self.vocabulary.decisions})

    @cached_property
    def positions(self) -> Positions:
        """The claims about positions."""
        return Positions(self.theory, self.vocabulary, self.totals)

    @property
    def about_positions(self) -> list[tuple[str, str]]:
        """The names of the claims about positions, each with its kind."""
        return [(claim, kind) for claim, kind, _ in self.positions.questions]

    def precompute(self) -> None:
        """Computes what all questions share, so that forked processes have it."""
        theory, vocabulary = self.theory, self.vocabulary
        _ = theory.about_positions, theory.transient, theory.step_rules, theory.counting, self.totals.facts
        _ = vocabulary.measures, vocabulary.ends, vocabulary.gaps, vocabulary.endless, vocabulary.cut
        _ = self.transitions, self.positions.questions

    def claims_unlimited(self, ask: Callable[[Callable[[], str]], ChildAnswer[str]]) -> dict[str, str]:
        """The invariants and move claims that read numbers without a limit in a way no encoding covers, each with the reason.

        They are dropped first, since no question is decided that supposes or asks one of them.

        Args:
            ask: Answers a question in a child process, as grounding cannot be interrupted.
        """
        theory, cut = self.theory, self.vocabulary.cut
        reasons = {}
        for goal in (*theory.every, *theory.claims) if cut else ():
            rules = about_move(theory, goal) if goal in theory.claims else theory.about([goal])
            thresholds = Thresholds(theory, self.vocabulary, rules)
            if thresholds.others:
                place = thresholds.others[0].place
                reasons[goal] = f"it depends on numbers beyond any bound: {place.file}:{place.line}"
            elif self._is_beyond(thresholds):
                reasons[goal] = f"it depends on numbers beyond {max(HIGHEST, self.vocabulary.bound)}"

        def wrap_around(goals: Sequence[str]) -> str:
            answer = ask(partial(self._wrap_around, goals))
            return answer.reason if answer.value is None else answer.value

        large = [g for g in theory.every if any(multiplies(print_line(r)) for r in theory.about([g]))]
        if large and wrap_around(large):
            reasons |= {g: message for g in large if g not in reasons and (message := wrap_around([g]))}
        return reasons

    def _wrap_around(self, invariants: Sequence[str]) -> str:
        """Where these invariants may calculate beyond 32 bits in an open position; empty if they do not."""
        encoder = Encoder(self.theory, self.vocabulary, self.totals)
        encoder.open(any_pending=True)
        encoder.add(*self.theory.about(invariants))
        try:
            encoder.program.ground()
        except NotDecided as error:
            return str(error)
        return ""

    def _is_beyond(self, thresholds: Thresholds) -> bool:
        """Whether these thresholds need a bound that is higher than the highest one."""
        highest = max(HIGHEST, self.vocabulary.bound)
        if thresholds.largest_difference is not None:
            return thresholds.far(len(self.vocabulary.endless)) > highest
        return max(map(abs, thresholds.compared), default=0) >= highest

    def encode(
        self, transition: Transition, goals: Sequence[str], bound: int | None = None
    ) -> tuple[Encoder, BoundCheck]:
        """The encoding of a transition with the rules for these claims, and the check of its bound.

        ``bound``: the largest value of numbers without a limit; by default the prover's.
        """
        vocabulary, totals = self.vocabulary, self.totals
        if bound is not None:
            if bound not in self._wider:
                wider = Vocabulary(self.theory, bound)
                self._wider[bound] = wider, Totals(self.theory, wider)
            vocabulary, totals = self._wider[bound]
        encoder = Encoder(self.theory, vocabulary, totals)
        also = [WRONG] if any(g in self.theory.claims for g in goals) else []
        encoder.open([w.decision for w in transition.schemas], transition.step)
        encoder.count()
        encoder.assume(self.theory.invariants, [g for g in goals if g in self.theory.extra])
        if transition.step is None:
            encoder.act(transition, also, ENUMERATION in goals)
        else:
            encoder.step(also)
        encoder.advance(self.theory.about(goals), [BROKEN])
        add_goals(encoder, goals)
        return encoder, BoundCheck([encoder])

    def examine(
        self,
        transition: Transition,
        goals: Sequence[str],
        against: tuple[Evaluator, MoveClaims],
        pairs: Sequence[Pair],
        kept: ProofCache,
        only_kept: bool = False,
    ) -> TransitionVerdicts:
        """The verdicts on the claims of a transition.

        Args:
            transition: The transition.
            goals: The claims to decide. A step has no claim ``enumeration``.
            against: The plain engine and the move claims as it judges them; the encoding is compared with both.
            pairs: Positions and moves of this transition from random games, for the comparison.
            kept: The proofs of earlier runs.
            only_kept: Whether nothing is decided anew: then there are no verdicts without a kept proof.
        """
        evaluator, moves = against
        verdicts = TransitionVerdicts(transition.label)
        encoder, beyond = self.encode(transition, goals)
        extra = [g for g in goals if g in self.theory.extra]
        question = ["transition", *goals, "extra", *extra]
        verdicts.key = key_of_encoding(encoder, beyond, question, self._judging(transition, evaluator.ruleset))
        answer = kept.get_at(verdicts.key)
        if answer in (PROVED, NEVER):
            verdicts.is_kept, verdicts.verdicts = True, dict.fromkeys(goals, "proved")
            verdicts.possible = False if answer == NEVER else None
        if verdicts.is_kept or only_kept:
            return verdicts
        solver = GoalSolver(encoder, goals)
        beyond.settle()
        if beyond.wanted is not None and beyond.wanted <= HIGHEST:
            encoder, beyond = self.encode(transition, goals, beyond.wanted)
            solver = GoalSolver(encoder, goals)
            beyond.settle()
        verdicts.reason = beyond.reason
        verdicts.verdicts = {g: "proved" for g in goals if g not in solver.live}
        if encoder.generator_unchecked:
            verdicts.verdicts[ENUMERATION] = "undecided"
            verdicts.notes[ENUMERATION] = encoder.generator_unchecked
        verdicts.possible, model = solver.possible(POSSIBLE, False)
        _, exact = solver.possible(CHECKED, True)
        check = Check(encoder, transition, evaluator, goals, moves)
        verdicts.differences = list(check.differences(pairs, [m for m in (model, exact) if m], Random(0)))
        if verdicts.possible is False:
            verdicts.verdicts.update((g, "proved") for g in solver.live)
        else:
            self._solve(solver, verdicts)
        return verdicts

    @staticmethod
    def _judging(transition: Transition, ruleset: Ruleset) -> list[EngineProgram]:
        """The plain engine's programs for a transition, and for the invariants after it."""
        step = None if transition.step is None else functor(transition.step)
        actions = [apart_from_all(schema.action) for schema in transition.schemas]
        kinds = (k for k in ruleset.book.kinds if any(unify(k.action, a, {}) is not None for a in actions))
        same = (other for k in kinds for other in ruleset.same_actions(k))
        own = ruleset.judge_program_of(same) if step is None else ruleset.step_program([step])
        return [own, ruleset.broken_program(), ruleset.broken_program(due=True)]

    def _solve(self, solver: GoalSolver, verdicts: TransitionVerdicts) -> None:
        """Decides all claims together, then one by one with growing budgets, in the end with exact totals."""
        proved, unproved = self._loosely(solver)
        for g in solver.live:
            if g in solver.extra:
                if solver.solve([g], TOGETHER, False)[0] is False:
                    verdicts.verdicts[g] = "proved"
                else:
                    unproved.append(g)
        verdicts.verdicts.update((g, "proved") for g in proved)
        for g in unproved:
            if g in PARTED:
                self._solve_parts(solver, verdicts, g, proved)
                continue
            answer, model = solver.solve_split(g, proved)
            verdicts.verdicts[g] = {False: "proved", None: "undecided", True: "falls"}[answer]
            if answer is None:
                verdicts.notes[g] = f"it takes more than {ALONE:,} conflicts"
            if answer:
                verdicts.models[g] = model
            elif answer is False and g not in solver.extra:
                proved.append(g)

    def _solve_parts(self, solver: GoalSolver, verdicts: TransitionVerdicts, goal: str, proved: list[str]) -> None:
        """Decides a claim of every game; what is not proved about a part that can be dropped leaves the rest of it proved."""
        verdicts.verdicts[goal] = "proved"
        for part, (answer, model) in solver.by_parts(goal, proved).items():
            if answer is False:
                continue
            name = goal
            if self.totals.can_drop(part):
                name = part
                verdicts.parts.append(part)
            if answer:
                verdicts.verdicts[name], verdicts.models[name] = "falls", model
                verdicts.notes.pop(name, None)
            elif verdicts.verdicts.get(name) != "falls":
                verdicts.verdicts[name] = "undecided"
                verdicts.notes[name] = f"{part} takes more than {ALONE:,} conflicts{_ADVICE.get(goal, '')}"
        if verdicts.verdicts[goal] == "proved" and not verdicts.parts:
            proved.append(goal)

    def _loosely(self, solver: GoalSolver) -> tuple[list[str], list[str]]:
        """The claims that are proved with loose totals, and those that are left for exact totals."""
        todo = [g for g in solver.live if g not in solver.extra]
        proved: list[str] = []
        unproved: list[str] = []
        while todo:
            answer, model = solver.solve(todo, TOGETHER, False)
            if answer is None:
                break
            broken = fallen_claims(model)
            fallen = [g for g in todo if g in broken]
            unproved += fallen
            if answer is False:
                return [*proved, *todo], unproved
            todo = [g for g in todo if g not in fallen]
        for effort in EFFORTS:
            undecided: list[str] = []
            for g in todo:
                answer, _ = solver.solve([g], effort, False, proved)
                (proved if answer is False else undecided if answer is None else unproved).append(g)
            todo = undecided
            if ENUMERATION in todo:
                solver.prove_lemmas(proved)
        return proved, [*unproved, *todo]


def in_groups(things: Sequence[T], most: int) -> list[Sequence[T]]:
    """Splits things into at most ``most`` groups of neighbours; each group has one thing if there are no more than that.

    >>> in_groups("abcde", 3)
    ['ab', 'cd', 'e']
    """
    size = -(-len(things) // most)
    return [things[k : k + size] for k in range(0, len(things), size)]
