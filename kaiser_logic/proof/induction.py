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
from ..rules.pattern import show
from ..rules.predicates import QUESTION, WRONG, broken
from ..rules.rule import Atom
from ..rules.rulebook import ActionKind
from ..symbolic import names
from ..symbolic.domains import Domains
from ..symbolic.encoded_transition import EncodedTransition
from ..symbolic.encoding import Encoding
from ..symbolic.invariants import GENERAL, invariants
from ..symbolic.models import decode_actions, decode_facts
from ..symbolic.solver import SPARSE, Model, Solver
from ..symbolic.transitions import Transition
from ..transform.action_splitting import decisions_of, numbered
from .checked import LAWFUL
from .counterexample import Counterexample, replayed
from .fixed import ASKED
from .movecheck import MoveCheck
from .moves import Moves, look_back, obliged, wrong_heads
from .numbers import beyond, listed
from .obligations import ALWAYS, BAD, Obligations
from .sample import Written

_EFFORT = 40_000
"""So many conflicts of the solver are spent on all goals together."""


@dataclass(frozen=True)
class Finding:
    """What was found about a transition.

    Attributes:
        broken: Counterexamples, each with the invariant that falls.
        possible: Whether it can happen; None where that was not asked.
        unlisted: A legal action that the enumeration misses, if there is one.
        differs: Where the encoding is not what the rules say, or could not be compared.
        beyond: Why numbers beyond the bound may behave otherwise; None where they do not.
        grounding: The seconds that grounding took.
        solving: The seconds that solving took.
    """

    broken: tuple[tuple[str, Counterexample], ...]
    possible: bool | None
    unlisted: Counterexample | None
    differs: tuple[str, ...]
    beyond: str | None
    grounding: float
    solving: float


@dataclass(frozen=True)
class _Question:
    """A question with the program it is put to; ``unsure``: why it is not decided by what claims read, if so."""

    encoding: Encoding
    encoded: EncodedTransition
    solver: Solver
    unsure: str | None = None


class Induction:
    """The induction step for one transition of a game."""

    def __init__(self, evaluator: Evaluator, transition: Transition, sorts: Domains) -> None:
        """``evaluator``: what plays counterexamples again; ``sorts``: those of the open position."""
        self._evaluator = evaluator
        self._ruleset = evaluator.ruleset
        self._transition = transition
        self._sorts = sorts
        self._moves = Moves(evaluator)

    def examine(self, lemmas: Sequence[str], goals: Sequence[str], pairs: Sequence[Written] = ()) -> Finding:
        """Does the transition lead from the lemmas (and the goals) out of the goals?

        Args:
            lemmas: What holds before it.
            goals: What is to hold after it, invariants and claims about moves.
            pairs: Positions and moves of this transition from games, over which the encoding is checked.
        """
        before = sorted({*lemmas, *(g for g in goals if g not in ALWAYS and g not in self._moves.docs)})
        suspected, first = self._suspected(before, goals)
        found, solver = self._counterexamples(before, suspected) if suspected else ((), first.solver)
        beyond_bound = first.unsure or beyond(first.encoding, first.solver.control, self._sorts)
        beyond_bound = beyond_bound or listed(self._transition.kinds)
        if _only_general(goals) and len(goals) < len(invariants(self._ruleset).assumed):
            differs = self._differences(first, before, goals, pairs, [])
            return Finding(found, None, None, differs, beyond_bound, solver.grounding, solver.solving)
        model, unlisted, listing = self._possible(before)
        beyond_bound = beyond_bound or beyond(listing.encoding, listing.solver.control, self._sorts)
        differs = self._differences(first, before, goals, pairs, [] if model is None else [model])
        seconds = (solver.grounding + listing.solver.grounding, solver.solving + listing.solver.solving)
        return Finding(found, model is not None or bool(found), unlisted, differs, beyond_bound, *seconds)

    def _differences(
        self,
        question: _Question,
        lemmas: Sequence[str],
        goals: Sequence[str],
        pairs: Sequence[Written],
        given: Sequence[Model],
    ) -> tuple[str, ...]:
        """Where the transition of a question is not that of the evaluate reading."""
        check = MoveCheck(
            self._evaluator,
            self._transition,
            question.encoding,
            question.encoded,
            question.solver,
            [g for g in goals if g not in self._moves.docs],
            lemmas,
        )
        check.watch(self._moves, self._moves.docs.keys() & set(goals))
        return tuple(check.differences([p.read() for p in pairs], given, Random(0)))

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

    def _suspected(self, lemmas: Sequence[str], goals: Sequence[str]) -> tuple[Sequence[str], _Question]:
        """The goals that may fall: among more positions than there are, as that is easier to see.

        All together first; where that is hard, each on its own: a few are hard then, and the rest is not in their way.
        """
        question = self._leaving(lemmas, goals, exact=False)
        falls = question.solver.decide(_EFFORT if len(goals) > 1 else None, ASKED, LAWFUL)
        if falls is not None:
            return goals if falls else (), question
        singly = ((goal, self._leaving(lemmas, [goal], exact=False)) for goal in goals)
        return [goal for goal, single in singly if single.solver.decide(None, ASKED, LAWFUL)], question

    def _leaving(self, lemmas: Sequence[str], goals: Sequence[str], exact: bool) -> _Question:
        """The question whether the transition leads from the lemmas out of the goals; open to a check if not exact."""
        claims = [g for g in goals if g in self._moves.docs]
        own = [g for g in goals if g not in self._moves.docs]
        encoding, encoded = self._encoded(lemmas, exact, "count" not in goals, legal=exact, claims=claims)
        encoding.derive(map(broken, own))
        unsure = look_back(encoding, encoded) if wrong_heads(encoded) else None
        encoding.add(*obliged(encoded, claims))
        Obligations(encoding, encoded, own).forbid("" if exact else ASKED)
        if not exact:
            encoding.add(f"{{ {ASKED}; {LAWFUL} }}.")
            if self._transition.kinds:
                illegal = encoding.illegal(encoded.number)
                encoding.add(f"{illegal} :- #false.", f":- {LAWFUL}, {illegal}.")
        solver = Solver(encoding.text, encoding.facts, SPARSE if exact else ())
        return _Question(encoding, encoded, solver, unsure)

    def _possible(self, lemmas: Sequence[str]) -> tuple[Model | None, Counterexample | None, _Question]:
        """How the transition can happen, if it can; and a legal action that the enumeration misses."""
        question = self._listing(lemmas, exact=True)
        solver = question.solver
        possible = solver.model()
        if len(self._transition.kinds) != 1 or possible is None:
            return possible, None, question
        solver.add("unlisted", ":- matched__.")
        missed = solver.decide(_EFFORT)
        if missed is None:
            loose = self._listing(lemmas, exact=False).solver
            loose.add("unlisted", ":- matched__.")
            missed = loose.decide()
        model = solver.model() if missed else None
        return possible, self._decode(model) if model is not None else None, question

    def _listing(self, lemmas: Sequence[str], exact: bool) -> _Question:
        """The transition, and of a single kind of action whether the enumeration lists the one that is done."""
        encoding, encoded = self._encoded(lemmas, exact)
        if len(self._transition.kinds) == 1:
            _list(encoding, self._transition.kinds[0], encoded)
        return _Question(encoding, encoded, Solver(encoding.text, encoding.facts, SPARSE if exact else ()))

    def _encoded(
        self,
        lemmas: Sequence[str],
        exact: bool,
        consistent: bool = True,
        legal: bool = True,
        claims: Sequence[str] = (),
    ) -> tuple[Encoding, EncodedTransition]:
        """An open position that meets the lemmas, and the transition out of it, with what it does to claims."""
        kinds, step = self._transition.kinds, self._transition.step
        decisions = decisions_of(kinds)
        steps = [step] if step is not None else []
        encoding = Encoding(self._ruleset, self._sorts)
        encoding.totals.consistent = consistent
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


def _list(encoding: Encoding, kind: ActionKind, encoded: EncodedTransition) -> None:
    """``matched__``: the rulebook's enumeration of legal actions lists the one that is done."""
    action, decision, count = numbered(kind)
    wanted = Atom(QUESTION[0], (("v", "Role"), action))
    encoding.derive([wanted], [decision], [], enumerate=True, moment=encoded.moment)
    does, argument = names.does(encoded.number), names.argument(encoded.number)
    args = "".join(f", {argument}(Role,{kind.index},{k},A_{k})" for k in range(count))
    encoding.add(
        f"matched__ :- {does}(Role,{kind.index}){args}, question(Role,{show(action)}).",
        "question(none,none) :- #false.",
    )
