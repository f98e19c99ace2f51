"""Compares runs with the plain engine: an action and the steps after it, in a program of several encoders.

`find` and `compare` encode an action and the steps right after it, under one set of rules or two. That the solver finds no model
means nothing if the program wrongly excludes one. So assumptions fix the position and the actions, at positions of
random games, of the solver, and near these, all valid by the plain engine. The program must allow them, and each of its
positions must be the engine's. A pair that takes too many conflicts is skipped.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Final

from .. import clingo
from ..engine import symbols
from ..errors import NotDecided
from ..evaluation.evaluator import Evaluator
from ..evaluation.random_games import Facts, Pair, random_game
from ..lang.unification import label
from ..rules.predicates import DECISION, DUE, GENERAL
from .check import Check, belongs, broken_claims, clip
from .encoder import ILLEGAL, Encoder
from .models import facts_in
from .moves import MoveClaims
from .theory import SEAT, Transition

FALSE: Final = "its encoding is not what the rules say"
"""The message if a check has found a difference."""
_DECISIONS: Final = 40
"""The number of decisions that are made in random games, and"""
_GAMES: Final = 10
"""the largest number of games in which they are made."""
_MODELS: Final = 4
"""The number of positions of the solver;"""
_CONFLICTS: Final = 2_000
"""the budget for each of them, and for each comparison, in conflicts."""
_ACTIONS: Final = 3
"""The number of legal actions that are carried out at each position."""
_LARGE: Final = 2_000
"""In a game with more facts no random games are played, and fewer neighbours are made."""
_NEAR: Final = 3
"""In a smaller one so many times as many neighbours are made."""


class Runs:
    """Compares one program with the plain engine.

    Attributes:
        is_large: Whether the game has so many facts that less is compared.
    """

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
        """Takes a program that is grounded.

        Args:
            encoders: For each set of rules the encoders of its transitions, one after the other.
            evaluators: The plain engine under each of these rules, and under all others by which a position has to be valid.
            transition: The transition of the action; None if only positions are compared.
            steps: For each step after the action, the names of the steps of which one follows.
            assumed: Literals that are assumed besides, such as that no goal is active.
            legal: Whether the program excludes illegal actions; otherwise it derives ``illegal__``.
            alone: Whether only positions are compared in which one role decides.
        """
        self._encoders, self._evaluators, self._steps = encoders, evaluators, steps
        self._transition, self._assumed = transition, list(assumed)
        self._legal, self._alone = legal, alone
        first = encoders[0][0]
        self._theory, self._vocabulary, self._program = first.theory, first.vocabulary, first.program
        done = transition or Transition("")
        self._check = Check(first, done, evaluators[0], (), MoveClaims(evaluators[0]))
        self._narrow = frozenset(self._vocabulary.narrow)
        self.is_large = len(self._narrow) > _LARGE

    # -- positions -----------------------------------------------------------------------------------------------

    def positions(self, random: Random) -> Iterator[Facts]:
        """Valid positions of games and of the solver, and then neighbours of these, made one by one on demand."""
        first: dict[Facts, None] = {}
        for facts in (*self._play(random), *self._positions_of_models()):
            if self.is_valid(facts):
                first.setdefault(clip(self._vocabulary, facts))
        yield from filter(self._is_listed, first)
        for facts in first:
            for other in self._check.near.neighbours_of(facts, random, 1 if self.is_large else _NEAR):
                if other not in first and self._is_listed(other) and self.is_valid(other, near=True):
                    yield other

    def _is_listed(self, facts: Facts) -> bool:
        """Whether all numbers without a limit in a position are in the vocabulary, which may have gaps between them."""
        return all(symbols.signature(f) not in self._vocabulary.cut or f in self._narrow for f in facts)

    def _play(self, random: Random) -> Iterator[Facts]:
        evaluator = self._evaluators[0]
        yield evaluator.initial()
        if self.is_large or evaluator.ruleset.not_enumerable:
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

    def _positions_of_models(self) -> Iterator[Facts]:
        for _ in range(_MODELS):
            _, model = self._program.decide_literals(self._assumed, _CONFLICTS)
            if model:
                yield facts_in(self._theory, model)

    def is_valid(self, facts: Facts, near: bool = False) -> bool:
        """Whether the program must allow a position: it is valid under all rules, and what is pending fits.

        Args:
            facts: The facts of the position.
            near: Whether it is known to be valid under the first rules.
        """
        if any(symbols.signature(f) == DUE for f in facts):
            return False
        pending = [f for f in facts if symbols.signature(f) == DECISION]
        if self._transition is not None:
            ours = {label(w.decision) for w in self._transition.schemas}
            if not pending or not {f.arguments[1].name for f in pending} <= ours:
                return False
        if self._alone and len(pending) != 1:
            return False
        return not any(broken_claims(e, facts) - e.ruleset.waived for e in self._evaluators[near:])

    # -- moves ---------------------------------------------------------------------------------------------------

    def differences(self, random: Random) -> Iterator[str]:
        """The differences between the program and the plain engine, in words."""
        for facts in self.positions(random):
            yield from self._moves(facts, random)

    def _moves(self, facts: Facts, random: Random) -> Iterator[str]:
        """The differences at one position."""
        assert self._transition is not None
        try:
            legal = self._evaluators[0].legal(facts)
        except NotDecided:
            return
        by: dict[str, list[clingo.Symbol]] = {}
        for role, action in sorted(legal):
            by.setdefault(role, []).append(action)
        deciding = {str(f.arguments[0]) for f in facts if symbols.signature(f) == DECISION}
        if by.keys() != deciding:
            return  # somebody who has to decide has no legal action, so nothing can be done together
        for _ in range(_ACTIONS if by else 0):
            pair = Pair(facts, tuple((role, random.choice(possible)) for role, possible in by.items()))
            if belongs(self._theory, self._transition, pair):
                for one in (pair, *self._check.other_actions(pair, random)):
                    yield from self._difference(one)

    def _difference(self, pair: Pair) -> Iterator[str]:
        readings = range(len(self._encoders))
        after = [self._facts_after(k, pair) for k in readings]
        runs = [None if a is None else self._run(k, a) for k, a in zip(readings, after, strict=True)]
        if any(a is not None and run is None for a, run in zip(after, runs, strict=True)):
            return  # other steps follow than are looked at
        if self._steps and any(a is None for a in after):
            return  # nothing is asked of what follows on an illegal action
        try:
            model = self.model_of(pair)
        except NotDecided:
            return
        if model is None:
            if all(a is not None for a in after):
                yield f"{pair.actions[0][1]} is not possible there"
            return
        there = set(model)
        for k, run in zip(readings, runs, strict=True):
            if (self._legal or self.illegal(k) in there) != (self._legal or run is None):
                yield f"{pair.actions[0][1]} is {'illegal' if run is not None else 'legal'} there"
            if self._legal and run is None:
                yield f"{pair.actions[0][1]} is legal there"
            for number, facts in enumerate(run or ()):
                yield from self._follows(k, number, facts, model)

    def illegal(self, reading: int) -> clingo.Symbol:
        """The atom ``illegal__`` of one set of rules."""
        name = self._encoders[reading][0].name_of(ILLEGAL.signature)
        return clingo.Function(self._program.ground_name((name, 0)))

    def _facts_after(self, reading: int, pair: Pair) -> Facts | None:
        judged = self._evaluators[reading].judge(pair.facts, dict(pair.actions))
        return None if judged.violations else (pair.facts - frozenset(judged.deleted)).union(judged.added)

    def _run(self, reading: int, facts: Facts) -> list[Facts] | None:
        """The position after an action and that after each step; None unless just one step is due each time, as expected."""
        positions = [facts]
        for names in self._steps:
            due = [s.arguments[0].name for s in positions[-1] if symbols.signature(s) == DUE]
            if len(due) != 1 or due[0] not in names:
                return None
            positions.append(self._evaluators[reading].step(positions[-1]))
        return positions

    def _follows(self, reading: int, number: int, after: Facts, model: Sequence[clingo.Symbol]) -> Iterator[str]:
        """The differences between the program's position and the engine's, after an action and ``number`` steps."""
        encoder = self._encoders[reading][number]
        if broken_claims(self._evaluators[reading], after).intersection(GENERAL):
            return
        signatures = encoder.theory.fluents - {SEAT}
        called = {(self._program.ground_name((encoder.after_called(s), s[1])), s[1]): s[0] for s in signatures}
        facts_seen = {
            clingo.Function(called[symbols.signature(s)], s.arguments) for s in model if symbols.signature(s) in called
        }
        expected = clip(self._vocabulary, after, self._vocabulary.far)
        differ = facts_seen ^ {f for f in expected if symbols.signature(f) in signatures}
        if differ:
            yield f"another position follows: {', '.join(sorted(map(str, differ))[:3])}"

    # -- models ---------------------------------------------------------------------------------------------------

    def model_of(self, pair: Pair) -> list[clingo.Symbol] | None:
        """A model with this position and these actions; None if there is none.

        Raises:
            NotDecided: It takes too many conflicts.
        """
        assumed = self._check.assumptions_for(pair.facts, pair)
        if assumed is None:
            return None
        answer, model = self._program.decide_literals([*assumed, *self._assumed], _CONFLICTS)
        if answer is None:
            raise NotDecided(f"it takes more than {_CONFLICTS:,} conflicts")
        return model if answer else None
