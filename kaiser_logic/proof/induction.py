"""The induction step for one transition: does it lead from a position that meets the invariants to one that breaks one?

One question to the solver: an open position that meets the invariants, a legal action in it, and after it a position
that breaks one. No answer is the proof; an answer is a counterexample, played again by the evaluate reading. The same
program tells whether the transition can ever happen, and whether the enumeration of legal actions misses an action.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..engine import symbols
from ..game import Game
from ..rules.pattern import show
from ..rules.predicates import QUESTION, broken
from ..rules.rule import Atom
from ..rules.rulebook import ActionKind
from ..symbolic.domains import Domains
from ..symbolic.encoding import Chain
from ..symbolic.invariants import GENERAL, invariants
from ..symbolic.models import actions_of, facts_of
from ..symbolic.solver import SPARSE, Ground, Model
from ..symbolic.transitions import Task
from ..transform.action_splitting import decisions_of, numbered
from .counterexample import Counterexample, replayed
from .obligations import forbid

_EFFORT = 40_000
"""So many conflicts of the solver are spent on all goals together."""


@dataclass(frozen=True)
class Finding:
    """What a task found: counterexamples by invariant, whether it can happen (None: not asked), an unlisted action."""

    broken: tuple[tuple[str, Counterexample], ...]
    possible: bool | None
    unlisted: Counterexample | None
    grounding: float
    solving: float


class Induction:
    """The induction step for one transition of a game."""

    def __init__(self, game: Game, task: Task, sorts: Domains) -> None:
        """``sorts``: those of the open position."""
        self._game = game
        self._task = task
        self._sorts = sorts

    def examine(self, lemmas: Sequence[str], goals: Sequence[str]) -> Finding:
        """Does the transition lead from the lemmas (and the goals) out of the goals?"""
        before = sorted({*lemmas, *(g for g in goals if g not in GENERAL)})
        found, ground = self._counterexamples(before, goals)
        if _only_general(goals) and len(goals) < len(invariants(self._game.ruleset).assumed):
            return Finding(found, None, None, ground.grounding, ground.solving)
        possible, unlisted, more = self._possible(before)
        seconds = (ground.grounding + more.grounding, ground.solving + more.solving)
        return Finding(found, possible or bool(found), unlisted, *seconds)

    def _counterexamples(
        self, lemmas: Sequence[str], goals: Sequence[str]
    ) -> tuple[tuple[tuple[str, Counterexample], ...], Ground]:
        """One for each goal that falls."""
        suspected, ground = self._suspected(lemmas, goals)
        if not suspected:
            return (), ground
        ground, number = self._leaving(lemmas, suspected, exact=True)
        found: list[tuple[str, Counterexample]] = []
        while len(found) < len(goals):
            model = ground.model()
            if model is None:
                break
            bad = next(s for s in model if s.name == "bad")
            invariant, witness = map(symbols.text, bad.arguments)
            found.append((invariant, replayed(self._game, self._read(model, number), invariant, witness)))
            ground.add(f"next{len(found)}", f":- bad({invariant},_).")
        return tuple(found), ground

    def _suspected(self, lemmas: Sequence[str], goals: Sequence[str]) -> tuple[Sequence[str], Ground]:
        """The goals that may fall: among more positions than there are, as that is easier to see.

        All together first; where that is hard, each on its own: a few are hard then, and the rest is not in their way.
        """
        ground, _ = self._leaving(lemmas, goals, exact=False)
        falls = ground.decide(_EFFORT if len(goals) > 1 else None)
        if falls is not None:
            return goals if falls else (), ground
        singly = ((goal, self._leaving(lemmas, [goal], exact=False)[0]) for goal in goals)
        return [goal for goal, question in singly if question.decide()], ground

    def _leaving(self, lemmas: Sequence[str], goals: Sequence[str], exact: bool) -> tuple[Ground, int]:
        """The question whether the transition leads from the lemmas out of the goals."""
        chain, number = self._transition(lemmas, exact)
        chain.derive(map(broken, goals))
        forbid(chain, number, goals)
        return Ground(chain.text, chain.facts, SPARSE if exact else ()), number

    def _possible(self, lemmas: Sequence[str]) -> tuple[bool, Counterexample | None, Ground]:
        """Whether the transition can happen at all, and a legal action that the enumeration misses."""
        ground, number = self._listing(lemmas, exact=True)
        possible = ground.model() is not None
        if len(self._task.kinds) != 1 or not possible:
            return possible, None, ground
        ground.add("unlisted", ":- matched.")
        missed = ground.decide(_EFFORT)
        if missed is None:
            loose, _ = self._listing(lemmas, exact=False)
            loose.add("unlisted", ":- matched.")
            missed = loose.decide()
        model = ground.model() if missed else None
        return possible, self._read(model, number) if model is not None else None, ground

    def _listing(self, lemmas: Sequence[str], exact: bool) -> tuple[Ground, int]:
        """The transition, and of a single kind of action whether the enumeration lists the one that is done."""
        chain, number = self._transition(lemmas, exact)
        if len(self._task.kinds) == 1:
            _list(chain, self._task.kinds[0], number)
        return Ground(chain.text, chain.facts, SPARSE if exact else ()), number

    def _transition(self, lemmas: Sequence[str], exact: bool = True) -> tuple[Chain, int]:
        """An open position that meets the lemmas, and the transition out of it."""
        task = self._task
        decisions = decisions_of(task.kinds)
        steps = [task.step] if task.step is not None else []
        chain = Chain(self._game.ruleset, self._sorts)
        chain.open(decisions, steps, exact)
        chain.assume(lemmas, decisions, steps)
        transition = chain.act(task.kinds) if task.kinds else chain.step(steps)
        return chain, transition.number

    def _read(self, model: Model, number: int) -> Counterexample:
        """The counterexample that a model is."""
        actions = actions_of(self._game, self._task.kinds, model, number)
        return Counterexample(self._task.label, facts_of(self._game, model), actions)


def _only_general(goals: Sequence[str]) -> bool:
    return bool(goals) and all(g in GENERAL for g in goals)


def _list(chain: Chain, kind: ActionKind, number: int) -> None:
    """``matched``: the rulebook's enumeration of legal actions lists the one that is done."""
    action, decision, count = numbered(kind)
    # the enumeration is of the first moment, where nothing has a name of its own
    chain.names.append(dict(chain.names[0]))
    chain.derive([Atom(QUESTION[0], (("v", "Role"), action))], [decision], [], enumerate=True)
    chain.names.pop()
    args = "".join(f", arg__{number}(Role,{kind.index},{k},A_{k})" for k in range(count))
    chain.add(
        f"matched :- does__{number}(Role,{kind.index}){args}, question(Role,{show(action)}).",
        "question(none,none) :- #false.",
    )
