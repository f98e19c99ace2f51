"""Every claim of every transition: one program a transition, its claims asked under assumptions.

All claims that may fall are asked together first, with loose totals; then one by one; then with exact totals; then for what
they may fall, one witness after the other. Effort is counted in conflicts of the solver, never in seconds: the same answer
on every machine.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from random import Random
from typing import Final, TypeVar

from .. import clingo
from ..engine.ruleset import Ruleset
from ..engine.symbols import symbol_of, term_of
from ..evaluation.evaluator import Evaluator
from ..evaluation.random_games import Pair
from ..lang.terms import Int, Var
from .build import Choice, atom, never, no, rule, term
from .check import Check
from .encoder import EXACT, Encoder
from .goals import ALWAYS, ENUMERATION, add_goals
from .moves import Moves
from .numbers import HIGHEST, BoundCheck, Thresholds
from .positions import Positions, about_move
from .program import REFUTING, SEARCHING, Assumed
from .theory import WRONG, Theory, Transition
from .totals import Totals
from .vocabulary import Vocabulary

TOGETHER: Final = 2_000
"""So many conflicts are spent on all claims together with loose totals,"""
EFFORTS: Final = (3_000, 20_000)
"""so many then on each alone, one after the other,"""
STAGE: Final = 6_000
"""so many on each part of what an enumeration asks for,"""
SPLIT: Final = 4_000
"""so many on several witnesses of one, with exact totals,"""
ALONE: Final = 400_000
"""so many on each witness by itself."""
GROUPS: Final = 16
"""Witnesses are asked of in so many groups at most."""
POSSIBLE: Final = ((2_000, REFUTING), (2_000, SEARCHING), (20_000, REFUTING), (20_000, SEARCHING))
"""So many conflicts, with which heuristic, are spent on whether a transition is possible at all,"""
CHECKED: Final = POSSIBLE[:2]
"""and on a position of the solver's own with exact totals."""
T = TypeVar("T")
ASKED: Final = clingo.Function("ask__")


@dataclass
class Found:
    """What is found of a transition.

    Attributes:
        label: The transition's.
        verdicts: For each claim ``proved``, ``falls`` or ``undecided``.
        possible: Whether the transition can happen in a valid position; None where that is not known.
        models: For each claim that falls a model.
        notes: For each claim that is not decided why.
        reason: Why nothing is decided, or None.
        differences: Where the encoding is not what the plain engine does.
        compared: How many pairs have been compared.
        size: How many rules and atoms the program has.
    """

    label: str
    verdicts: dict[str, str] = field(default_factory=dict)
    possible: bool | None = None
    models: dict[str, list[clingo.Symbol]] = field(default_factory=dict)
    notes: dict[str, str] = field(default_factory=dict)
    reason: str | None = None
    differences: list[str] = field(default_factory=list)
    compared: int = 0
    size: tuple[int, int] = (0, 0)


class Asking:
    """Claims of one ground program, each of which is asked under an assumption."""

    def __init__(self, encoder: Encoder, goals: Sequence[str]) -> None:
        """Grounds what there is, and adds the questions."""
        self.program = program = encoder.program
        program.ground()
        there = {str(s.arguments[0]) for s in program.atoms("bad__", 2)}
        self.live = [g for g in goals if g in there]
        self.extra = [g for g in goals if g in encoder.theory.extra]
        self._groups = 0
        self._witnesses: dict[str, list[clingo.Symbol]] = {}
        for s in sorted(program.atoms("bad__", 2), key=str):
            self._witnesses.setdefault(str(s.arguments[0]), []).append(s)
        self._stages = [symbol_of(term(s)) for s in encoder.stages]
        self._passed: list[clingo.Symbol] = []
        claim, witness = Var("I"), Var("W")
        chosen = atom("goal__", claim)
        program.tell(clingo.Function("claim__", [clingo.Function(g)]) for g in self.live)
        program.add(
            Choice(((chosen, (atom("claim__", claim),)),)),
            rule(atom("fallen__", claim), atom("bad__", claim, witness)),
            rule(atom("found__"), chosen, atom("fallen__", claim)),
            Choice(((atom("ask__"), ()),)),
            never(atom("ask__"), no(atom("found__"))),
        )
        program.ground()

    def ask(
        self,
        goals: Iterable[str],
        conflicts: int,
        exact: bool,
        known: Iterable[str] = (),
        more: Assumed = (),
    ) -> tuple[bool | None, list[clingo.Symbol]]:
        """Whether one of these claims falls; ``more``: what is assumed besides.

        What is ``known`` not to fall is assumed: it excludes nothing, and helps the solver.
        """
        wanted = set(goals)
        assumed = [(clingo.Function("goal__", [clingo.Function(g)]), g in wanted) for g in self.live]
        assumed += [(clingo.Function("holds__", [clingo.Function(g)]), g in wanted) for g in self.extra]
        assumed += [(clingo.Function("fallen__", [clingo.Function(g)]), False) for g in known]
        assumed += [(stage, True) for stage in self._passed]
        return self.program.decide([*assumed, *more, (ASKED, True), (EXACT, exact)], conflicts)

    def ask_split(self, goal: str, known: Sequence[str]) -> tuple[bool | None, list[clingo.Symbol]]:
        """Whether a claim falls, with exact totals: by any witness; if that takes long, by groups of them, or each alone."""
        answer, model = self.ask([goal], SPLIT if len(self._witnesses[goal]) > 1 else ALONE, True, known)
        if answer is not None or len(self._witnesses[goal]) == 1:
            return answer, model
        return self._ask_among(goal, known, self._witnesses[goal], [])

    def _ask_among(
        self,
        goal: str,
        known: Sequence[str],
        witnesses: Sequence[clingo.Symbol],
        refuted: list[clingo.Symbol],
    ) -> tuple[bool | None, list[clingo.Symbol]]:
        """The same of these witnesses, where it is known that it does not fall by those that are ``refuted``; enters these."""
        found: bool | None = False
        for group in in_groups(witnesses, GROUPS):
            some = self._some_of(group)
            effort = ALONE if len(group) == 1 and found is False else SPLIT
            answer, model = self.ask(
                [goal], effort, True, known, [(some, True), *((w, False) for w in refuted)]
            )
            if answer is None and len(group) > 1:
                answer, model = self._ask_among(goal, known, group, refuted)
            elif answer is False:
                refuted += group
            if answer:
                return True, model
            found = None if answer is None else found
        return found, []

    def _some_of(self, witnesses: Sequence[clingo.Symbol]) -> clingo.Symbol:
        """What says that a claim falls by one of these."""
        if len(witnesses) == 1:
            return witnesses[0]
        self._groups += 1
        some = atom("some__", Int(self._groups))
        self.program.add(*(rule(some, atom("bad__", *map(term_of, w.arguments))) for w in witnesses))
        self.program.ground()
        return symbol_of(term(some))

    def possible(
        self, efforts: Iterable[tuple[int, str]], exact: bool
    ) -> tuple[bool | None, list[clingo.Symbol]]:
        """Whether there is a model at all."""
        nothing = [(clingo.Function("goal__", [clingo.Function(g)]), False) for g in self.live]
        nothing += [(clingo.Function("holds__", [clingo.Function(g)]), False) for g in self.extra]
        for conflicts, heuristic in efforts:
            answer, model = self.program.decide(
                [*nothing, (ASKED, False), (EXACT, exact)], conflicts, heuristic
            )
            if answer is not None:
                break
        return answer, model

    def pass_stages(self, known: Iterable[str]) -> None:
        """Asks what must hold for an action to be listed, from what depends on little to what depends on more.

        That the enumeration lists an action is a long conjunction. Of each part of it is asked whether it can be missing
        in any position, whatever is asked; if not, that is assumed from then on: it excludes nothing.
        """
        stages, self._stages = self._stages, []
        for stage in stages:
            if self._can_miss(stage, known) is False:
                self._passed.append(stage)

    def _can_miss(self, stage: clingo.Symbol, known: Iterable[str]) -> bool | None:
        assumed = [(clingo.Function("fallen__", [clingo.Function(g)]), False) for g in known]
        assumed += [(other, True) for other in self._passed]
        return self.program.decide([*assumed, (stage, False), (ASKED, False), (EXACT, False)], STAGE)[0]


class Prover:
    """What is proved of the rules in force, in one round: with all invariants that are not dropped assumed."""

    def __init__(self, ruleset: Ruleset, bound: int | None = None, together: Collection[str] = ()) -> None:
        """Of rules; ``bound``: up to where numbers without a limit run; ``together``: see `Theory`."""
        self.theory = Theory(ruleset, together)
        self.vocabulary = Vocabulary(self.theory, bound)
        self.totals = Totals(self.theory, self.vocabulary)
        self._wider: dict[int, tuple[Vocabulary, Totals]] = {}
        own = (*self.theory.invariants, *self.theory.extra)
        self.goals = (*own, *ALWAYS, *self.theory.claims, ENUMERATION)

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

    def make_ready(self) -> None:
        """Makes what all questions have in common."""
        theory, vocabulary = self.theory, self.vocabulary
        _ = theory.about_positions, theory.transient, theory.step_rules, theory.counting, self.totals.facts
        _ = vocabulary.measures, vocabulary.ends, vocabulary.gaps, vocabulary.endless, vocabulary.cut
        _ = self.transitions, self.positions.questions

    def unlimited(self) -> dict[str, str]:
        """The invariants and claims about moves that read numbers without a limit as no encoding can; with what of it, in words.

        They are dropped first: no question is decided in which they are supposed or asked.
        """
        theory, cut = self.theory, self.vocabulary.cut
        found = {}
        for goal in (*theory.every, *theory.claims) if cut else ():
            rules = about_move(theory, goal) if goal in theory.claims else theory.about([goal])
            seen = Thresholds(theory, self.vocabulary, rules)
            if seen.others:
                place = seen.others[0].place
                found[goal] = f"it depends on numbers beyond any bound: {place.file}:{place.line}"
            elif self._is_beyond(seen):
                found[goal] = f"it depends on numbers beyond {max(HIGHEST, self.vocabulary.bound)}"
        return found

    def _is_beyond(self, seen: Thresholds) -> bool:
        """Whether what is read needs larger numbers than are looked at."""
        highest = max(HIGHEST, self.vocabulary.bound)
        if seen.apart is not None:
            return seen.far(len(self.vocabulary.endless)) > highest
        return max(map(abs, seen.compared), default=0) >= highest

    def encoded(
        self, transition: Transition, goals: Sequence[str], bound: int | None = None
    ) -> tuple[Encoder, BoundCheck]:
        """A transition with the rules for these claims; ``bound``: up to where numbers without a limit run."""
        vocabulary, totals = self.vocabulary, self.totals
        if bound is not None:
            if bound not in self._wider:
                wider = Vocabulary(self.theory, bound)
                self._wider[bound] = wider, Totals(self.theory, wider)
            vocabulary, totals = self._wider[bound]
        encoder = Encoder(self.theory, vocabulary, totals)
        also = [WRONG] if any(g in self.theory.claims for g in goals) else []
        encoder.open([w.decision for w in transition.ways], transition.step)
        encoder.count()
        encoder.assume(self.theory.invariants, [g for g in goals if g in self.theory.extra])
        if transition.step is None:
            encoder.act(transition, also, ENUMERATION in goals)
        else:
            encoder.step(also)
        encoder.advance(self.theory.about(goals))
        add_goals(encoder, goals)
        return encoder, BoundCheck([encoder])

    def examine(
        self,
        transition: Transition,
        goals: Sequence[str] | None = None,
        against: tuple[Evaluator, Moves] | None = None,
        pairs: Sequence[Pair] = (),
    ) -> Found:
        """What is found of a transition.

        Args:
            transition: The transition.
            goals: The claims that are asked; by default all.
            against: The plain engine, with which the encoding is compared, and the claims about moves as it judges them.
            pairs: Positions and moves of games of this transition.
        """
        goals = self.goals if goals is None else goals
        if transition.step is not None:
            goals = [g for g in goals if g != ENUMERATION]
        found = Found(transition.label)
        encoder, beyond = self.encoded(transition, goals)
        asking = Asking(encoder, goals)
        beyond.settle()
        if beyond.wanted is not None and beyond.wanted <= HIGHEST:
            encoder, beyond = self.encoded(transition, goals, beyond.wanted)
            asking = Asking(encoder, goals)
            beyond.settle()
        found.reason = beyond.reason
        found.size = (encoder.program.rules, len(encoder.program.control.symbolic_atoms))
        found.verdicts = {g: "proved" for g in goals if g not in asking.live}
        if encoder.unlisted:
            found.verdicts[ENUMERATION] = "undecided"
            found.notes[ENUMERATION] = encoder.unlisted
        found.possible, model = asking.possible(POSSIBLE, False)
        if against is not None:
            evaluator, moves = against
            _, exact = asking.possible(CHECKED, True)
            models = [m for m in (model, exact) if m]
            check = Check(encoder, transition, evaluator, goals, moves)
            found.differences = list(check.differences(pairs, models, Random(0)))
            found.compared = check.compared
        if found.possible is False:
            found.verdicts.update((g, "proved") for g in asking.live)
        else:
            self._ask(asking, found)
        return found

    def _ask(self, asking: Asking, found: Found) -> None:
        """Asks all claims together, then one by one with more and more effort, in the end with exact totals."""
        known, hard = self._loosely(asking)
        for g in asking.live:
            if g in asking.extra:
                if asking.ask([g], TOGETHER, False)[0] is False:
                    found.verdicts[g] = "proved"
                else:
                    hard.append(g)
        found.verdicts.update((g, "proved") for g in known)
        for g in hard:
            answer, model = asking.ask_split(g, known)
            found.verdicts[g] = {False: "proved", None: "undecided", True: "falls"}[answer]
            if answer is None:
                found.notes[g] = f"it takes more than {ALONE:,} conflicts"
            if answer:
                found.models[g] = model
            elif answer is False and g not in asking.extra:
                known.append(g)

    def _loosely(self, asking: Asking) -> tuple[list[str], list[str]]:
        """The claims that are proved with loose totals, and those that are not."""
        todo = [g for g in asking.live if g not in asking.extra]
        known: list[str] = []
        hard: list[str] = []
        while todo:
            answer, model = asking.ask(todo, TOGETHER, False)
            if answer is None:
                break
            there = set(model)
            fallen = [g for g in todo if clingo.Function("fallen__", [clingo.Function(g)]) in there]
            hard += fallen
            if answer is False:
                return [*known, *todo], hard
            todo = [g for g in todo if g not in fallen]
        for effort in EFFORTS:
            left: list[str] = []
            for g in todo:
                answer, _ = asking.ask([g], effort, False, known)
                (known if answer is False else left if answer is None else hard).append(g)
            todo = left
            if ENUMERATION in todo:
                asking.pass_stages(known)
        return known, [*hard, *todo]


def in_groups(things: Sequence[T], most: int) -> list[Sequence[T]]:
    """Things in at most so many groups, each of them alone if there are no more.

    >>> in_groups("abcde", 3)
    ['ab', 'cd', 'e']
    """
    size = -(-len(things) // most)
    return [things[k : k + size] for k in range(0, len(things), size)]
