"""The induction step for one transition: does it lead from a position that meets the invariants to one that breaks one?

One question to the solver: an open position that meets the invariants, a legal action in it, and after it a position
that breaks one. No answer is the proof; an answer is a counterexample, played again by the evaluate reading. The same
program tells whether the transition can ever happen, and whether the enumeration of legal actions misses an action.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from ..engine import symbols
from ..evaluation.evaluator import Evaluator
from ..rules.predicates import WRONG, broken
from ..rules.rule import Atom
from ..symbolic.domains import Domains, structured
from ..symbolic.encoded_transition import EncodedTransition
from ..symbolic.encoding import Encoding
from ..symbolic.invariants import GENERAL, invariants
from ..symbolic.models import decode_actions, decode_facts
from ..symbolic.solver import SPARSE, Model, Solver
from ..symbolic.transitions import Transition
from ..transform.action_splitting import decisions_of
from .checked import LAWFUL, MATCHED
from .counterexample import Counterexample, replayed, unlisted
from .finding import Finding, found_again
from .fixed import ASKED
from .kept import Answers, key
from .listing import look_up
from .movecheck import MoveCheck
from .moves import Moves, look_back, obliged, wrong_heads
from .numbers import beyond, listed
from .obligations import ALWAYS, BAD, COUNT, Obligations, parts
from .sample import Written
from .stages import Staged, prove_stages, staged

_EFFORT = 40_000
"""So many conflicts of the solver are spent on all goals together."""

_FIRST = 4_000
"""So many are spent on a question at first, where there are other ways to put it."""

_LISTING = 20_000
"""So many are spent on whether an enumeration that is followed for one action has it."""


@dataclass(frozen=True)
class _Question:
    """A question with the program it is put to; ``unsure``: why it is not decided by what claims read, if so.

    ``staged``: the same asked stage by stage, where it may be hard.
    """

    encoding: Encoding
    encoded: EncodedTransition
    solver: Solver
    unsure: str | None = None
    staged: Staged | None = None


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
        kinds = transition.kinds
        self._followed = len(kinds) == 1 and structured(self._ruleset, kinds[0])

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
            model = listing.solver.model(*([LAWFUL] if self._followed else []))
            unlisted, unread = self._unlisted(before, listing, pairs) if model is not None else (None, None)
            beyond_bound = beyond_bound or beyond(listing.encoding, listing.solver.control, self._sorts)
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
    ) -> tuple[Sequence[str], _Question, _Question | None]:
        """What holds before, and the questions that are to be put; the second one unless all goals are general."""
        before = sorted({*lemmas, *(g for g in goals if g not in ALWAYS and g not in self._moves.docs)})
        partly = _only_general(goals) and len(goals) < len(invariants(self._ruleset).assumed)
        first = self._leaving(before, goals, exact=False)
        return before, first, None if partly else self._listing(before, exact=True)

    def _key(self, questions: Sequence[_Question], lemmas: Sequence[str], goals: Sequence[str]) -> str:
        """What this proof is kept under."""
        transition = self._transition
        steps = () if transition.step is None else (transition.step,)
        put = [(q.encoding, q.solver, (ASKED, LAWFUL)) for q in questions]
        more = ["induction", transition.label, str(len(questions)), *(str(q.unsure) for q in questions)]
        more += [str(_EFFORT), str(len(lemmas)), *lemmas, str(len(goals)), *goals]
        return key(self._ruleset, self._sorts, put, transition.kinds, steps, *more)

    def _differences(
        self,
        question: _Question,
        lemmas: Sequence[str],
        goals: Sequence[str],
        pairs: Sequence[Written],
        given: Sequence[Model],
    ) -> tuple[str, ...]:
        """Where the transition of a question is not that of the evaluate reading."""
        check = self._check(question, [g for g in goals if g not in self._moves.docs], lemmas)
        check.watch(self._moves, self._moves.docs.keys() & set(goals))
        return tuple(check.differences([p.read() for p in pairs], given, Random(0)))

    def _check(self, question: _Question, goals: Sequence[str], lemmas: Sequence[str]) -> MoveCheck:
        """What compares a question's program with the evaluate reading."""
        encoding, encoded, solver = question.encoding, question.encoded, question.solver
        return MoveCheck(self._evaluator, self._transition, encoding, encoded, solver, goals, lemmas)

    def _counterexamples(
        self, lemmas: Sequence[str], suspected: Sequence[str]
    ) -> tuple[tuple[tuple[str, Counterexample], ...], Solver]:
        """One for each goal that falls."""
        solver = self._leaving(lemmas, suspected, exact=True).solver
        found: dict[str, Counterexample] = {}
        while (model := solver.model()) is not None:
            for invariant, witness in sorted(s.arguments for s in model if symbols.signature(s) == BAD):
                name = symbols.text(invariant)
                if name not in found:
                    example = self._decode(model)
                    found[name] = self._replayed(example, name, symbols.text(witness))
            rest = [goal for goal in suspected if goal not in found]
            if not rest:
                break
            # others may fall along with those that have fallen, so that these are not forbidden
            solver.add(f"rest{len(found)}", f":- {', '.join(f'not fallen__({goal})' for goal in rest)}.")
        return tuple(found.items()), solver

    def _replayed(self, example: Counterexample, name: str, witness: str) -> Counterexample:
        """The counterexample to an invariant or a claim, played again."""
        if name in self._moves.docs:
            return self._moves.replayed(example, name, witness)
        return replayed(self._evaluator, example, name, witness)

    def _suspected(
        self, question: _Question, lemmas: Sequence[str], goals: Sequence[str]
    ) -> tuple[Sequence[str], _Question]:
        """The goals that may fall: among more positions than there are, as that is easier to see.

        All together first; where that is hard, each on its own: a few are hard then, and the rest is not in their way.
        """
        effort = _FIRST if self._followed else _EFFORT
        falls = question.solver.decide(effort if len(goals) > 1 else None, ASKED, LAWFUL)
        if falls is not None:
            return goals if falls else (), question
        return [goal for goal in goals if self._may_fall(lemmas, goal)], question

    def _may_fall(self, lemmas: Sequence[str], goal: str) -> bool:
        """Whether a goal may fall, asked on its own; of a structure ``count`` counter by counter."""
        if goal == COUNT and self._followed:
            merged = self._leaving(lemmas, [goal], exact=False, merged=True).solver
            if all(merged.decide(_EFFORT, ASKED, LAWFUL, atom) is False for atom in parts(merged, goal)):
                return False
        return bool(self._leaving(lemmas, [goal], exact=False).solver.decide(None, ASKED, LAWFUL))

    def _leaving(
        self, lemmas: Sequence[str], goals: Sequence[str], exact: bool, merged: bool = False
    ) -> _Question:
        """The question whether the transition leads from the lemmas out of the goals; open to a check if not exact."""
        claims = [g for g in goals if g in self._moves.docs]
        own = [g for g in goals if g not in self._moves.docs]
        encoding, encoded = self._encoded(lemmas, exact, "count" not in goals, legal=exact, claims=claims)
        encoding.derive(broken(g) for g in own if g not in GENERAL)
        unsure = look_back(encoding, encoded) if wrong_heads(encoded) else None
        encoding.add(*obliged(encoded, claims))
        Obligations(encoding, encoded, own, merged).forbid("" if exact else ASKED)
        if not exact:
            encoding.add(f"{{ {ASKED} }}.", *self._lawful(encoding, encoded))
        solver = Solver(encoding.text, encoding.facts, SPARSE if exact else ())
        return _Question(encoding, encoded, solver, unsure)

    def _unlisted(
        self, lemmas: Sequence[str], question: _Question, pairs: Sequence[Written]
    ) -> tuple[Counterexample | None, str | None]:
        """A legal action that the enumeration misses; or why that is not known."""
        if len(self._transition.kinds) != 1:
            return None, None
        lawful = [LAWFUL] if self._followed else []
        missed = None
        question.solver.add("unlisted", f":- {MATCHED}.")
        if not self._followed:
            missed = question.solver.decide(_EFFORT)
        if missed is None:
            loose = self._listing(lemmas, exact=False)
            if self._followed:
                wrong = list(self._check(loose, (), ()).misread([p.read() for p in pairs], Random(0)))
                if wrong:
                    return None, wrong[0]
            loose.solver.add("unlisted", f":- {ASKED}, {MATCHED}.")
            missed = loose.solver.decide(_FIRST if self._followed else None, ASKED, *lawful)
            if missed is None:
                if loose.staged is not None:
                    prove_stages(loose.staged, loose.solver, ASKED, *lawful)
                missed = loose.solver.decide(_LISTING, ASKED, *lawful)
        if missed is None:
            return None, f"it takes more than {_LISTING} conflicts"
        model = question.solver.model(*lawful) if missed else None
        return None if model is None else unlisted(self._evaluator, self._decode(model)), None

    def _listing(self, lemmas: Sequence[str], exact: bool) -> _Question:
        """The transition, and of a single kind of action whether the enumeration lists the one that is done."""
        alone = self._followed and not exact  # what the action leads to does not matter
        encoding, encoded = self._encoded(lemmas, exact, legal=exact or not self._followed, effects=not alone)
        if self._followed:
            encoding.add(*self._lawful(encoding, encoded))
        if not exact:
            encoding.add(f"{{ {ASKED} }}.")
        single = len(self._transition.kinds) == 1
        listed = look_up(encoding, self._transition.kinds[0], encoded) if single else None
        divided = staged(encoding, encoded.number, listed) if alone and listed is not None else None
        solver = Solver(encoding.text, encoding.facts, SPARSE if exact else ())
        return _Question(encoding, encoded, solver, staged=divided)

    def _lawful(self, encoding: Encoding, encoded: EncodedTransition) -> list[str]:
        """The rules by which only legal actions are meant where `LAWFUL` holds."""
        if not self._transition.kinds:
            return [f"{{ {LAWFUL} }}."]
        illegal = encoding.illegal(encoded.number)
        return [f"{{ {LAWFUL} }}.", f"{illegal} :- #false.", f":- {LAWFUL}, {illegal}."]

    def _encoded(
        self,
        lemmas: Sequence[str],
        exact: bool,
        consistent: bool = True,
        legal: bool = True,
        claims: Sequence[str] = (),
        effects: bool = True,
    ) -> tuple[Encoding, EncodedTransition]:
        """An open position that meets the lemmas, and the transition out of it, with what it does to claims."""
        kinds, step = self._transition.kinds, self._transition.step
        decisions = decisions_of(kinds)
        steps = [step] if step is not None else []
        encoding = Encoding(self._ruleset, self._sorts)
        encoding.totals.consistent = consistent
        if not effects:
            encoding.effects = []
        encoding.effects += [Atom(WRONG[0], (("c", c), ("v", "W"))) for c in claims]
        encoding.open(decisions, steps, exact)
        encoding.assume(lemmas, decisions, steps)
        return encoding, encoding.act(kinds, legal) if kinds else encoding.step(steps)

    def _decode(self, model: Model) -> Counterexample:
        """The counterexample that a model is."""
        actions = decode_actions(self._ruleset, self._transition.kinds, model, 0)
        return Counterexample(self._transition.label, decode_facts(self._ruleset, model), actions)


def _only_general(goals: Sequence[str]) -> bool:
    return bool(goals) and all(g in GENERAL for g in goals)
