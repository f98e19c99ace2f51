"""The induction step for one transition: does it lead from a position that meets the invariants to one that breaks one?

One question to the solver: an open position that meets the invariants, a legal action in it, and after it a position
that breaks one. No answer is the proof; an answer is a counterexample, played again by the evaluate reading. The same
program tells whether the transition can ever happen, and whether the enumeration of legal actions misses an action.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from ..engine import symbols
from ..evaluation.evaluator import Evaluator
from ..symbolic.domains import Domains
from ..symbolic.invariants import GENERAL, invariants
from ..symbolic.models import decode_actions, decode_facts
from ..symbolic.solver import Model, Solver
from ..symbolic.transitions import Transition
from .checked import LAWFUL, MATCHED
from .counterexample import Counterexample, replayed, unlisted
from .finding import Finding, found_again
from .fixed import ASKED
from .kept import Answers, key
from .movecheck import MoveCheck
from .moves import Moves
from .numbers import beyond, listed
from .obligations import ALWAYS, BAD, COUNT, fallen_in, none_of, parts
from .question import Question, Questions
from .sample import Pair, Written
from .stages import prove_stages

EFFORT = 40_000
"""So many conflicts of the solver are spent on all goals together."""

TURN = 1_000
"""So many conflicts a question has before the other heuristic has its turn: most need fewer."""

_FIRST = 4_000
"""So many are spent on a question at first, where there are other ways to put it."""

_LISTING = 20_000
"""So many are spent on whether an enumeration that is followed for one action has it."""


_COMPARED = 40
"""So many pairs, and less than twice as many, are compared in each further program that answers rest on."""


class Induction:
    """The induction step for one transition of a game."""

    def __init__(
        self, evaluator: Evaluator, transition: Transition, sorts: Domains, answers: Answers | None = None
    ) -> None:
        """``evaluator``: plays counterexamples again; ``sorts``: the open position's; ``answers``: where proofs are kept."""
        self._answers = None if answers is None or answers.off else answers
        self._evaluator = evaluator
        self._ruleset = evaluator.ruleset
        self._transition = transition
        self._sorts = sorts
        self._moves = Moves(evaluator)
        self._refuted: list[tuple[Question, Sequence[str], Sequence[str]]] = []
        self.questions = Questions(self._ruleset, transition, sorts, self._moves)

    def examine(self, lemmas: Sequence[str], goals: Sequence[str], pairs: Sequence[Written] = ()) -> Finding:
        """Does the transition lead from the lemmas (and the goals) out of the goals?

        Args:
            lemmas: What holds before it.
            goals: What is to hold after it, invariants and claims about moves.
            pairs: Positions and moves of this transition from games, over which the encoding is checked.
        """
        before, first, listing = self._written(lemmas, goals)
        key = self._key([first, *([listing] if listing else [])], before, goals) if self._answers else ""
        if self._answers is not None and self._answers.has(key):
            return found_again(listing is not None)
        self._refuted = [(first, [ASKED, LAWFUL], goals)]
        suspected, first = self._suspected(first, before, goals)
        found, solver = self._counterexamples(before, suspected) if suspected else ((), first.solver)
        beyond_bound = (
            first.unsure
            or beyond(first.encoding, first.solver.control, self._sorts)
            or listed(self._transition.kinds)
        )
        if listing is None:
            differs = self._differences(first, before, goals, pairs, [])
            finding = Finding(found, None, None, None, differs, beyond_bound, *solver.seconds)
        else:
            model = listing.solver.model(*([LAWFUL] if self.questions.followed else []))
            unlisted, unread = self._unlisted(before, listing, pairs) if model is not None else (None, None)
            beyond_bound = beyond_bound or beyond(listing.encoding, listing.solver.control, self._sorts)
            self._refuted.append((listing, [LAWFUL] if self.questions.followed else [], []))
            differs = self._differences(first, before, goals, pairs, [] if model is None else [model])
            seconds = (solver.grounding + listing.solver.grounding, solver.solving + listing.solver.solving)
            possible = model is not None or bool(found)
            finding = Finding(found, possible, unlisted, unread, differs, beyond_bound, *seconds)
        if self._answers is not None and finding.proved:
            self._answers.add(key)
        return finding

    def known(self, lemmas: Sequence[str], goals: Sequence[str]) -> Finding | None:
        """What `examine` has found before, if that was a proof and is kept."""
        if self._answers is None or not self._answers.some:
            return None
        before, first, listing = self._written(lemmas, goals)
        key = self._key([first, *([listing] if listing else [])], before, goals)
        return found_again(listing is not None) if self._answers.has(key) else None

    def _written(
        self, lemmas: Sequence[str], goals: Sequence[str]
    ) -> tuple[Sequence[str], Question, Question | None]:
        """What holds before, and the questions that are to be put; the second one unless all goals are general."""
        before = self._before(lemmas, goals)
        partly = _only_general(goals) and len(goals) < len(invariants(self._ruleset).assumed)
        first = self.questions.leaving(before, goals, exact=False)
        return before, first, None if partly else self.questions.listing(before, exact=True)

    def _before(self, lemmas: Sequence[str], goals: Sequence[str]) -> Sequence[str]:
        """What holds before: the lemmas, and the goals that are invariants of the game's own."""
        return sorted({*lemmas, *(g for g in goals if g not in ALWAYS and g not in self._moves.docs)})

    def _key(
        self, questions: Sequence[Question], lemmas: Sequence[str], goals: Sequence[str], *how: str
    ) -> str:
        """What this proof is kept under; ``how``: the way the questions are put."""
        transition = self._transition
        steps = () if transition.step is None else (transition.step,)
        put = [(q.encoding, q.solver, (ASKED, LAWFUL)) for q in questions]
        more = ["induction", transition.label, str(len(questions)), *(str(q.unsure) for q in questions)]
        more += [str(EFFORT), str(len(lemmas)), *lemmas, str(len(goals)), *goals]
        return key(self._ruleset, self._sorts, put, transition.kinds, steps, *more, *how)

    def _differences(
        self,
        question: Question,
        lemmas: Sequence[str],
        goals: Sequence[str],
        pairs: Sequence[Written],
        given: Sequence[Model],
    ) -> tuple[str, ...]:
        """Where the transition of a question is not that of the evaluate reading."""
        check = self._checking(question, goals, lemmas)
        found = list(check.differences([p.read() for p in pairs], given, Random(0)))
        for other, assumed, asked in self._refuted if not found else ():
            found += self._excluded(other, assumed, some_of(check.agreed), asked, lemmas)
        return tuple(found)

    def _checking(
        self, question: Question, goals: Sequence[str], lemmas: Sequence[str], exact: bool = False
    ) -> MoveCheck:
        """What compares a question's program with the evaluate reading, with what claims say."""
        check = self._check(question, [g for g in goals if g not in self._moves.docs], lemmas, exact)
        check.watch(self._moves, self._moves.docs.keys() & set(goals))
        return check

    def _check(
        self, question: Question, goals: Sequence[str], lemmas: Sequence[str], exact: bool = False
    ) -> MoveCheck:
        """What compares a question's program with the evaluate reading."""
        encoding, encoded, solver = question.encoding, question.encoded, question.solver
        fixed = (*question.supposed, *(f"not {atom}" for atom in question.chosen))
        given = self._evaluator, self._transition, encoding, encoded, solver
        return MoveCheck(*given, goals, lemmas, fixed, exact)

    def _excluded(
        self,
        question: Question,
        assumed: Sequence[str],
        pairs: Sequence[Pair],
        goals: Sequence[str],
        lemmas: Sequence[str],
    ) -> Iterator[str]:
        """Where a question's program excludes legal moves, or steps, with what is assumed when it is asked.

        Args:
            question: To which an answer was sought.
            assumed: What was assumed then; nothing of a program with legal transitions only.
            pairs: Moves or steps that another program allows, and the rules.
            goals: What was asked.
            lemmas: What holds before.
        """
        if not pairs:
            return
        own, exact = question.unasked(), ASKED not in assumed
        check = self._checking(own, goals, lemmas, exact)
        for pair in pairs:
            if not (check.allows(pair, assumed) and check.same(pair)):
                yield "it excludes what is legal"

    def _counterexamples(
        self, lemmas: Sequence[str], suspected: Sequence[str]
    ) -> tuple[tuple[tuple[str, Counterexample], ...], Solver]:
        """One for each goal that falls."""
        question = self.questions.leaving(lemmas, suspected, exact=True)
        solver = question.solver
        self._refuted.append((question, (), suspected))
        found: dict[str, Counterexample] = {}
        while (model := solver.search(None, usual_first=True, turn=TURN)[0]) is not None:
            for invariant, witness in sorted(s.arguments for s in model if symbols.signature(s) == BAD):
                name = symbols.text(invariant)
                if name not in found:
                    example = self._decode(model)
                    found[name] = self._replayed(example, name, symbols.text(witness))
            rest = [goal for goal in suspected if goal not in found]
            if not rest:
                break
            # others may fall along with those that have fallen, so that these are not forbidden
            solver.add(f"rest{len(found)}", f":- {none_of(rest)}.")
        return tuple(found.items()), solver

    def _replayed(self, example: Counterexample, name: str, witness: str) -> Counterexample:
        """The counterexample to an invariant or a claim, played again."""
        if name in self._moves.docs:
            return self._moves.replayed(example, name, witness)
        return replayed(self._evaluator, example, name, witness)

    def _suspected(
        self, question: Question, lemmas: Sequence[str], goals: Sequence[str]
    ) -> tuple[Sequence[str], Question]:
        """The goals that may fall: among more positions than there are, as that is easier to see.

        All together first, and again without those that fall; where that is hard, each on its own: a few are hard then, and
        the rest is not in their way.
        """
        effort = _FIRST if self.questions.followed else EFFORT
        fallen: list[str] = []
        rest = list(goals)
        while rest:
            model, decided = question.solver.search(effort if len(rest) > 1 else None, ASKED, LAWFUL)
            if not decided:
                return [*fallen, *(goal for goal in rest if self._may_fall(lemmas, goal))], question
            if model is None:
                break
            fallen += fallen_in(model, rest)
            rest = [goal for goal in goals if goal not in fallen]
            # others may fall along with those that have fallen, so that these are not forbidden
            question.solver.add(f"rest{len(fallen)}", f":- {ASKED}, {none_of(rest)}.")
        return fallen, question

    def _may_fall(self, lemmas: Sequence[str], goal: str) -> bool:
        """Whether a goal may fall, asked on its own; of a structure ``count`` counter by counter."""
        if goal == COUNT and self.questions.followed:
            own = self.questions.leaving(lemmas, [goal], exact=False, merged=True)
            merged = own.solver
            if all(merged.decide(EFFORT, ASKED, LAWFUL, atom) is False for atom in parts(merged, goal)):
                self._refuted.append((own, [ASKED, LAWFUL], []))
                return False
        own = self.questions.leaving(lemmas, [goal], exact=False)
        self._refuted.append((own, [ASKED, LAWFUL], [goal]))
        return bool(own.solver.decide(None, ASKED, LAWFUL))

    def _unlisted(
        self, lemmas: Sequence[str], question: Question, pairs: Sequence[Written]
    ) -> tuple[Counterexample | None, str | None]:
        """A legal action that the enumeration misses; or why that is not known."""
        if len(self._transition.kinds) != 1:
            return None, None
        lawful = [LAWFUL] if self.questions.followed else []
        missed = None
        question.solver.add("unlisted", f":- {MATCHED}.")
        if not self.questions.followed:
            missed = question.solver.decide(EFFORT)
        if missed is None:
            loose = self.questions.listing(lemmas, exact=False)
            if self.questions.followed:
                wrong = list(self._check(loose, (), ()).misread([p.read() for p in pairs], Random(0)))
                if wrong:
                    return None, wrong[0]
            loose.solver.add("unlisted", f":- {ASKED}, {MATCHED}.")
            missed = loose.solver.decide(_FIRST if self.questions.followed else None, ASKED, *lawful)
            if missed is None:
                if loose.staged is not None:
                    prove_stages(loose.staged, loose.solver, ASKED, *lawful)
                missed = loose.solver.decide(_LISTING, ASKED, *lawful)
        if missed is None:
            return None, f"it takes more than {_LISTING:,} conflicts"
        model = question.solver.model(*lawful) if missed else None
        return None if model is None else unlisted(self._evaluator, self._decode(model)), None

    def _decode(self, model: Model) -> Counterexample:
        """The counterexample that a model is."""
        actions = decode_actions(self._ruleset, self._transition.kinds, model, 0)
        return Counterexample(self._transition.label, decode_facts(self._ruleset, model), actions)


def some_of(pairs: Sequence[Pair]) -> Sequence[Pair]:
    """Some of many pairs."""
    return pairs[:: max(1, len(pairs) // _COMPARED)]


def _only_general(goals: Sequence[str]) -> bool:
    return bool(goals) and all(g in GENERAL for g in goals)
