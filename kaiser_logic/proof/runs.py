"""A run of an encoding, an action and steps after it, compared with the plain engine.

For the questions that are no proof of a transition: they follow an action and what happens by itself right after it, under
one reading of the rules or two. The position and what is done in it are fixed by assumptions; the encoding must allow
them, and have at each moment the position of the plain engine.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from .. import clingo
from ..engine import symbols
from ..evaluation.evaluator import Evaluator
from ..evaluation.random_games import Actions, Facts, Pair, random_game
from ..rules.pattern import Signature
from ..rules.predicates import DUE
from ..rules.rulebook import ActionKind
from ..symbolic.encoding import Encoding
from .fixed import ActedProgram, Differs, Literals, Nothing, some_of
from .numbers import cut
from .pairs import FEW, LARGE, SMALL, PairMaker, deciding
from .pending import uncovered

FALSE: Final = "its encoding is not what the rules say"
"""What is said where a check has found a difference."""
_DECISIONS: Final = 40
"""So many decisions of random games are made, in a small game."""
_GAMES: Final = 10
"""In so many games at most."""
_MODELS: Final = (8, 2)
"""So many positions of the solver's own are looked at, of a small game and of a large one."""
_CONFLICTS: Final = 2_000
"""So many conflicts are spent on each of them."""


@dataclass(frozen=True)
class Reading:
    """One reading of the rules: an encoding of a position, an action and steps, and the plain engine by the same rules.

    Attributes:
        encoding: The encoding; the action is its first transition.
        evaluator: The plain engine.
        illegal: What the encoding calls it that an action is illegal; None where it has only legal ones.
    """

    encoding: Encoding
    evaluator: Evaluator
    illegal: str | None

    @property
    def fluents(self) -> list[Signature]:
        """What positions consist of."""
        return sorted(self.encoding.ruleset.book.fluents - {("seat", 2)})

    def named(self) -> set[Signature]:
        """What the fluents are called at all moments."""
        moments = range(self.encoding.now + 1)
        return {(self.encoding.name(s, m), s[1]) for s in self.fluents for m in moments}

    def position(self, facts: Facts, holds: set[clingo.Symbol], moment: int) -> set[clingo.Symbol]:
        """The position at a moment, without the seats: of what has no name of its own there it is the first one's."""
        called = {(self.encoding.name(s, moment), s[1]): s[0] for s in self.fluents}
        found = {f for f in facts if called.get(symbols.signature(f)) == f.name}
        for s in holds:
            own = called.get(symbols.signature(s))
            if own is not None and own != s.name:
                found.add(clingo.Function(own, s.arguments))
        return found

    def after(self, facts: Facts, actions: Actions) -> Facts | None:
        """The position after an action, by the plain engine; None where it is illegal."""
        judged = self.evaluator.judge(facts, dict(actions))
        return None if judged.violations else (facts - frozenset(judged.deleted)).union(judged.added)


class Runs:
    """The check of a program in which an action is followed, and steps after it."""

    def __init__(
        self,
        program: ActedProgram,
        readings: Sequence[Reading],
        kinds: Sequence[ActionKind],
        steps: Sequence[frozenset[str]],
        free: Sequence[int],
        alone: bool = False,
    ) -> None:
        """Of a program.

        Args:
            program: In which a position and an action can be fixed.
            readings: One, or two over the same first position.
            kinds: The kinds of action; none where the positions alone are looked at.
            steps: The names of the steps one of which follows, one set for each step after the action.
            free: The assumptions by which nothing is asked.
            alone: Whether only positions are looked at in which one role decides.
        """
        self._alone = alone
        self._program, self._readings, self._free = program, readings, free
        self._steps = steps
        encoding = readings[0].encoding
        self._sorts = encoding.domains
        self._known = frozenset(self._sorts.fluents)
        self._wide = frozenset(self._sorts.wide)
        self._bounds = SMALL if self.is_small else LARGE
        watched = {name for r in readings for name in r.named()}
        told = [(r.illegal, 0) for r in readings if r.illegal is not None]
        self._watched: Literals = program.literals([*sorted(watched), *told])
        evaluators = [reading.evaluator for reading in readings]
        self._maker = PairMaker(evaluators, kinds, self._sorts, self.is_valid, self._bounds)

    @property
    def is_small(self) -> bool:
        """Whether a position consists of few facts."""
        return len(self._known) < FEW

    # -- positions -----------------------------------------------------------------------------------------------------

    def is_valid(self, facts: Facts) -> bool:
        """Whether a position is one that the encoding has to know, by the plain engine."""
        if any(symbols.signature(f) == DUE for f in facts) or (self._alone and len(deciding(facts)) != 1):
            return False
        for reading in self._readings:
            ruleset = reading.evaluator.ruleset
            if {i for i, _ in reading.evaluator.broken(facts, waive=False)} - ruleset.waived:
                return False
            if uncovered(ruleset, facts) is not None:
                return False
        return self._beyond(facts) is None

    def _beyond(self, facts: Facts) -> clingo.Symbol | None:
        """A fact whose number is not looked at in the open position, if there is one."""
        kinds = cut(self._sorts)
        return next((f for f in sorted(facts - self._known) if symbols.signature(f) in kinds), None)

    def positions(self, random: Random) -> list[Facts]:
        """Positions of games, of the solver, and neighbours of them; each valid by the plain engine."""
        found: dict[Facts, None] = {}
        for facts in (*self._played(random), *self._modelled(random)):
            if self.is_valid(facts):
                found.setdefault(facts)
        some = random.sample(list(found), min(len(found), self._bounds.positions))
        for facts in some:
            for other in self._maker.near(facts, random):
                found.setdefault(other)
        return [*found, *self._maker.further(list(found), random)]

    def _played(self, random: Random) -> Iterator[Facts]:
        """The start, and positions of random games where they cost little."""
        evaluator = self._readings[0].evaluator
        yield evaluator.initial()
        if not self.is_small or evaluator.ruleset.unlisted:
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

    def _modelled(self, random: Random) -> Iterator[Facts]:
        """Positions of the solver's own."""
        for model in self._program.models(self._free, _MODELS[not self.is_small], _CONFLICTS, random):
            fluents = set(self._program.fluents)
            yield frozenset(s for s in model if symbols.signature(s) in fluents) | self._program.seats

    # -- pairs ---------------------------------------------------------------------------------------------------------

    def differences(self, random: Random) -> Iterator[str]:
        """Where the program says otherwise than the plain engine."""
        for facts in self.positions(random):
            for pair in self._maker.at(facts, random):
                yield from self._difference(pair)

    def _difference(self, pair: Pair) -> Iterator[str]:
        """What is different at a pair, if anything."""
        after = [r.after(pair.facts, pair.actions) for r in self._readings]
        runs = [None if a is None else self._run(r, a) for r, a in zip(self._readings, after, strict=True)]
        if any(a is not None and run is None for a, run in zip(after, runs, strict=True)):
            return  # other steps follow than are looked at
        if self._steps and any(a is None for a in after):
            return  # nothing is asked of what follows on an illegal action
        try:
            self._compare(pair, runs)
        except Differs as difference:
            yield str(difference)

    def _run(self, reading: Reading, facts: Facts) -> list[Facts] | None:
        """The positions after an action; None where not just one of the steps is due each time."""
        found = [facts]
        for names in self._steps:
            due = [s.arguments[0].name for s in found[-1] if symbols.signature(s) == DUE]
            if len(due) != 1 or due[0] not in names:
                return None
            found.append(reading.evaluator.step(found[-1]))
        return found

    def _compare(self, pair: Pair, runs: Sequence[list[Facts] | None]) -> None:
        """Differs where the program does not have these runs; a run is None where the action is illegal."""
        assumed = [
            *self._program.position(pair.facts),
            *self._program.actions(pair.facts, pair.actions),
            *self._free,
        ]
        try:
            holds = self._program.only(assumed, self._watched)
        except Nothing:
            if any(run is None for run in runs):
                return  # nothing need follow on what is illegal
            raise
        for reading, run in zip(self._readings, runs, strict=True):
            illegal = reading.illegal is not None and clingo.Function(reading.illegal) in holds
            if (run is None) != illegal:
                raise Differs(f"{pair.actions[0][1]} is {'illegal' if run is not None else 'legal'} there")
            for moment, after in enumerate(run or (), 1):
                found = {f for f in reading.position(pair.facts, holds, moment) if self._is_followed(f)}
                meant = {f for f in after - self._program.seats if self._is_followed(f)}
                if found != meant:
                    raise Differs(f"another position follows: {some_of(found, meant)}")

    def _is_followed(self, fact: clingo.Symbol) -> bool:
        """Whether a fact may hold at later moments: one that leaves the vocabulary is no part of these."""
        return fact in self._wide or fact in self._known or symbols.signature(fact) == DUE
