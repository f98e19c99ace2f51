"""A run, an action and steps after it, in a program of several encoders, compared with the plain engine.

For the questions that are no proof of a transition: what they follow is an action and what happens by itself right after it,
under one reading of the rules or two. That the solver finds nothing means nothing where its program excludes something wrongly.
So position and actions are fixed by assumptions, at positions of random games, of the solver, and near these, all valid by the
plain engine; the program must allow them, and have at each moment the position of the engine.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Final

from .. import clingo
from ..errors import NotDecided
from ..evaluation.evaluator import Evaluator
from ..evaluation.random_games import Facts, Pair, random_game
from .check import Check, belongs, clipped
from .encoder import ILLEGAL, Encoder
from .models import facts_in
from .moves import Moves
from .program import signature_of
from .theory import DECISION, DUE, SEAT, Transition

FALSE: Final = "its encoding is not what the rules say"
"""What is said where a check has found a difference."""
_DECISIONS: Final = 40
"""So many decisions of random games are made, in so many games at most."""
_GAMES: Final = 10
_MODELS: Final = 4
"""So many positions of the solver's own are looked at;"""
_CONFLICTS: Final = 2_000
"""so many conflicts are spent on each of them, and on each comparison."""
_ACTIONS: Final = 3
"""So many legal actions are carried out at each position."""
_LARGE: Final = 2_000
"""In a game with so many facts no random games are played, and few neighbours looked at."""
_NEAR: Final = 3
"""Times as many neighbours are looked at in a smaller one."""
_GENERAL: Final = frozenset({"vocabulary", "count", "limit"})


class Runs:
    """The comparison of one program."""

    def __init__(
        self,
        encoders: Sequence[Sequence[Encoder]],
        evaluators: Sequence[Evaluator],
        transition: Transition | None,
        steps: Sequence[frozenset[str]] = (),
        assumed: Sequence[int] = (),
        legal: bool = False,
        alone: bool = False,
    ) -> None:
        """Of a program that is grounded.

        Args:
            encoders: For each reading the encoders of what happens, one for each transition.
            evaluators: The plain engine by the rules of all readings by which a position has to be valid.
            transition: What is done; None where positions alone are looked at.
            steps: The names of the steps one of which follows, one set for each step.
            assumed: What else is assumed: that nothing is asked.
            legal: Whether only what is legal can be done; else the program says of what is not.
            alone: Whether only positions are looked at in which one role decides.
        """
        self._encoders, self._evaluators, self._steps = encoders, evaluators, steps
        self._transition, self._assumed = transition, list(assumed)
        self._legal, self._alone = legal, alone
        first = encoders[0][0]
        self._theory, self._vocabulary, self._program = first.theory, first.vocabulary, first.program
        done = transition or Transition("")
        self._check = Check(first, done, evaluators[0], (), Moves(evaluators[0]))
        self._narrow = frozenset(self._vocabulary.narrow)
        self.is_large = len(self._narrow) > _LARGE

    # -- positions -----------------------------------------------------------------------------------------------

    def positions(self, random: Random) -> Iterator[Facts]:
        """Positions of games, of the solver, and near these; the latter are made one by one, as checking them costs."""
        first: dict[Facts, None] = {}
        for facts in (*self._played(random), *self._modelled()):
            if self.is_valid(facts):
                first.setdefault(clipped(self._vocabulary, facts))
        yield from filter(self._is_listed, first)
        for facts in first:
            for other in self._check.near.of(facts, random, 1 if self.is_large else _NEAR):
                if other not in first and self._is_listed(other) and self.is_valid(other, near=True):
                    yield other

    def _is_listed(self, facts: Facts) -> bool:
        """Whether a position has no number without a limit that is not looked at: between some that are, too."""
        return all(signature_of(f) not in self._vocabulary.cut or f in self._narrow for f in facts)

    def _played(self, random: Random) -> Iterator[Facts]:
        evaluator = self._evaluators[0]
        yield evaluator.initial()
        if self.is_large or evaluator.ruleset.unlisted:
            return
        decisions = 0
        for _ in range(_GAMES):
            last: Facts | None = None
            for pair, after in random_game(evaluator, random):
                decisions += bool(pair.actions)
                last = after
                if pair.actions:
                    yield pair.facts
                if decisions >= _DECISIONS:
                    return
            if last is not None:
                yield last

    def _modelled(self) -> Iterator[Facts]:
        for _ in range(_MODELS):
            _, model = self._program.decide_literals(self._assumed, _CONFLICTS)
            if model:
                yield facts_in(self._theory, model)

    def is_valid(self, facts: Facts, near: bool = False) -> bool:
        """Whether a position is one that the program has to know, by the plain engine under all readings.

        Args:
            facts: The position's.
            near: Whether the first reading has judged it.
        """
        if any(signature_of(f) == DUE for f in facts):
            return False
        pending = [f for f in facts if signature_of(f) == DECISION]
        if self._transition is not None:
            ours = {
                getattr(w.decision, "name", "") or getattr(w.decision, "text", "")
                for w in self._transition.ways
            }
            if not pending or not {f.arguments[1].name for f in pending} <= ours:
                return False
        if self._alone and len(pending) != 1:
            return False
        return not any(
            {i for i, _ in e.broken(facts, waive=False)} - e.ruleset.waived for e in self._evaluators[near:]
        )

    # -- moves ---------------------------------------------------------------------------------------------------

    def differences(self, random: Random) -> Iterator[str]:
        """Where the program says otherwise than the plain engine."""
        for facts in self.positions(random):
            yield from self._moves(facts, random)

    def _moves(self, facts: Facts, random: Random) -> Iterator[str]:
        """Where an action is illegal, or leads elsewhere."""
        assert self._transition is not None
        try:
            legal = self._evaluators[0].legal(facts)
        except NotDecided:
            return
        by: dict[str, list[clingo.Symbol]] = {}
        for role, action in sorted(legal):
            by.setdefault(role, []).append(action)
        for _ in range(_ACTIONS if by else 0):
            pair = Pair(facts, tuple((role, random.choice(its)) for role, its in by.items()))
            if belongs(self._theory, self._transition, pair):
                for one in (pair, *self._check.others(pair, random)):
                    yield from self._difference(one)

    def _difference(self, pair: Pair) -> Iterator[str]:
        readings = range(len(self._encoders))
        after = [self._after(k, pair) for k in readings]
        runs = [None if a is None else self._run(k, a) for k, a in zip(readings, after, strict=True)]
        if any(a is not None and run is None for a, run in zip(after, runs, strict=True)):
            return  # other steps follow than are looked at
        if self._steps and any(a is None for a in after):
            return  # nothing is asked of what follows on an illegal action
        try:
            model = self.fixed(pair)
        except NotDecided:
            return
        if model is None:
            if all(a is not None for a in after):
                yield f"{pair.actions[0][1]} is not possible there"
            return
        there = set(model)
        for k, run in zip(readings, runs, strict=True):
            if (self._legal or self.lawless(k) in there) != (self._legal or run is None):
                yield f"{pair.actions[0][1]} is {'illegal' if run is not None else 'legal'} there"
            if self._legal and run is None:
                yield f"{pair.actions[0][1]} is legal there"
            for number, facts in enumerate(run or ()):
                yield from self._follows(k, number, facts, model)

    def lawless(self, reading: int) -> clingo.Symbol:
        """That what is done is illegal."""
        name = self._encoders[reading][0].called(ILLEGAL.signature)
        return clingo.Function(self._program.called((name, 0)))

    def _after(self, reading: int, pair: Pair) -> Facts | None:
        judged = self._evaluators[reading].judge(pair.facts, dict(pair.actions))
        return None if judged.violations else (pair.facts - frozenset(judged.deleted)).union(judged.added)

    def _run(self, reading: int, facts: Facts) -> list[Facts] | None:
        """The positions after an action; None where not just one of the steps is due each time."""
        found = [facts]
        for names in self._steps:
            due = [s.arguments[0].name for s in found[-1] if signature_of(s) == DUE]
            if len(due) != 1 or due[0] not in names:
                return None
            found.append(self._evaluators[reading].step(found[-1]))
        return found

    def _follows(
        self, reading: int, number: int, after: Facts, model: Sequence[clingo.Symbol]
    ) -> Iterator[str]:
        """Whether the program has the position after an action and so many steps."""
        encoder = self._encoders[reading][number]
        if {i for i, _ in self._evaluators[reading].broken(after, waive=False)} & _GENERAL:
            return
        signatures = encoder.theory.fluents - {SEAT}
        called = {(self._program.called((encoder.after_called(s), s[1])), s[1]): s[0] for s in signatures}
        found = {
            clingo.Function(called[signature_of(s)], s.arguments) for s in model if signature_of(s) in called
        }
        wanted = clipped(self._vocabulary, after, self._vocabulary.far)
        differ = found ^ {f for f in wanted if signature_of(f) in signatures}
        if differ:
            yield f"another position follows: {', '.join(sorted(map(str, differ))[:3])}"

    # -- fixed ---------------------------------------------------------------------------------------------------

    def fixed(self, pair: Pair) -> list[clingo.Symbol] | None:
        """A model with this position and what is done in it; None where there is none.

        Raises:
            NotDecided: It takes too many conflicts.
        """
        assumed = self._check.assumed(pair.facts, pair)
        if assumed is None:
            return None
        answer, model = self._program.decide_literals([*assumed, *self._assumed], _CONFLICTS)
        if answer is None:
            raise NotDecided(f"it takes more than {_CONFLICTS:,} conflicts")
        return model if answer else None
