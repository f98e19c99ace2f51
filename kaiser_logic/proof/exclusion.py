"""Pairs with which a check sees what an encoding wrongly excludes: the plain engine makes them, not the encoding.

What an encoding excludes is in none of its models, and random games come to few positions. So at positions of games, of the
solver, and of their neighbours (:mod:`.nearby`) the plain engine lists joint actions (:mod:`.joint`). Each pair that meets a
rule which no pair before has met (:mod:`.firing`), or that shows how simultaneous actions stand to one another in a new way,
is compared. For the rules that are left the solver is asked for a pair in which they fire as they are encoded, and some
more neighbours are looked at.

All bounds are counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

import clingo

from ..engine import symbols
from ..evaluation.evaluator import Evaluator
from ..rules.predicates import of_engine
from ..rules.reader import rule_of
from ..rules.rule import Rule
from ..symbolic.encoded_transition import EncodedTransition
from ..symbolic.encoding import Encoding
from ..symbolic.solver import Solver
from ..symbolic.transitions import Transition
from .deciding import kind_of
from .firing import Firing, telling
from .joint import joint, shown
from .nearby import Nearby, deciding
from .numbers import clipped
from .sample import Actions, Facts, Pair

_FIRES: Final = "fires__"


@dataclass(frozen=True)
class Bounds:
    """How much is looked at.

    Attributes:
        positions: So many positions, to begin with.
        nearby: So many neighbours of each of them.
        joint: So many joint actions in each position.
        sought: For so many rules the solver is asked for a pair.
        conflicts: So many conflicts are spent on each of these questions.
        further: So many further neighbours are looked at for the rules that are left.
        compared: So many pairs are compared in all.
        tries: So many changes are tried for each neighbour.
        screened: Whether it is looked at for each pair which rules fire, and not only for those that are compared.
    """

    positions: int
    nearby: int
    joint: int
    sought: int
    conflicts: int
    further: int
    compared: int
    tries: int
    screened: bool


SMALL: Final = Bounds(
    positions=12,
    nearby=3,
    joint=16,
    sought=40,
    conflicts=2_000,
    further=40,
    compared=60,
    tries=8,
    screened=True,
)
"""Where a position consists of few facts."""
LARGE: Final = Bounds(
    positions=3,
    nearby=1,
    joint=6,
    sought=8,
    conflicts=500,
    further=0,
    compared=10,
    tries=4,
    screened=False,
)
"""Where it consists of many: each pair costs the more."""


class Exclusion:
    """Makes pairs for the check of one encoded transition.

    Attributes:
        met: The rules that have fired in some pair, by their texts.
    """

    def __init__(
        self,
        evaluator: Evaluator,
        transition: Transition,
        encoding: Encoding,
        encoded: EncodedTransition,
        solver: Solver,
        valid: Callable[[Facts], bool],
        bounds: Bounds,
    ) -> None:
        """Of a transition.

        Args:
            evaluator: The plain engine.
            transition: The transition.
            encoding: The encoding that is checked.
            encoded: The transition in it.
            solver: What it was grounded to.
            valid: Whether a position is one that the encoding has to know, by the plain engine.
            bounds: How much is looked at.
        """
        self._evaluator, self._transition, self._bounds = evaluator, transition, bounds
        self._encoded, self._solver, self._valid = encoded, solver, valid
        self._sorts = encoding.domains
        self._firing = Firing(evaluator.ruleset)
        book = evaluator.ruleset.book
        self._nearby = Nearby(encoding.domains, book.counters, valid, bounds.tries)
        self._seen: set[object] = set()
        self._left = bounds.compared
        self.met: set[str] = set()

    def pairs(
        self,
        known: Sequence[Pair],
        modelled: Callable[[Sequence[int], int], Pair | None],
        random: Random,
    ) -> Iterator[Pair]:
        """Pairs to be compared, besides those that are known.

        Args:
            known: Pairs that are compared anyway, of games and of the solver.
            modelled: A pair of the solver's own in which literals hold that are given, within so many conflicts.
            random: Chooses.
        """
        for pair in known:
            self._is_new(pair)
        given = dict.fromkeys(clipped(pair.facts, self._sorts) for pair in known)
        positions = [facts for facts in given if self._valid(facts)]
        some = random.sample(positions, min(self._bounds.positions, len(positions)))
        for facts in some:
            yield from self._new_at(facts, random)
        for facts in some:
            for other in self._nearby.of(facts, random, self._bounds.nearby):
                yield from self._new_at(other, random)
        for pair in self._sought(modelled, random):
            if self._valid(pair.facts):
                some.append(pair.facts)
                if self._is_new(pair) and self._has_room():
                    yield pair
                yield from self._new_at(pair.facts, random)
        if self._bounds.further and some and self._missing():
            for _ in range(self._bounds.further):
                for other in self._nearby.of(random.choice(some), random, 1):
                    if found := list(self._new_at(other, random)):
                        some.append(other)
                    yield from found

    def _has_room(self) -> bool:
        """Whether one more pair may be compared; it is counted."""
        self._left -= 1
        return self._left >= 0

    def _is_new(self, pair: Pair) -> bool:
        """Whether a pair shows what none before has shown; notes it."""
        new = self._note(shown(self._evaluator, pair.actions) | self._said(pair))
        fires = self._firing.at(pair) if new or self._bounds.screened else frozenset()
        return self._note_fired(fires) or new

    def _note(self, stand: set[object]) -> bool:
        """Notes what a pair shows; whether some of it is new."""
        new = not stand <= self._seen
        self._seen |= stand
        return new

    def _note_fired(self, fires: frozenset[str]) -> bool:
        """Notes which rules fire; whether one has not fired before."""
        new = not fires <= self.met
        self.met |= fires
        return new

    def _said(self, pair: Pair) -> set[object]:
        """What the plain engine says of a pair, in short: which rules are broken, what comes and what goes."""
        if not pair.actions:
            return set()
        judged = self._evaluator.judge(pair.facts, dict(pair.actions))
        found: set[object] = {rule for _, _, rule in judged.violations}
        for said, facts in (("add", judged.added), ("del", judged.deleted)):
            found |= {(said, *symbols.signature(f)) for f in facts}
        return found

    def _new_at(self, facts: Facts, random: Random) -> Iterator[Pair]:
        """The pairs at a position that show something new."""
        if self._left <= 0:
            return
        for actions in self._done(facts, random):
            pair = Pair(facts, actions)
            if self._is_new(pair) and self._has_room():
                yield pair

    def _done(self, facts: Facts, random: Random) -> list[Actions]:
        """What can be done in a position in this transition: joint actions that are legal by themselves, or the step."""
        kinds = self._transition.kinds
        if not kinds:
            return [()]
        found = joint(self._evaluator, facts, deciding(facts), random, self._bounds.joint)
        return [a for a in found if all(kind_of(kinds, facts, r, x) is not None for r, x in a)]

    def _rules(self) -> Sequence[Rule]:
        """The rules that are to be met."""
        return telling(self._encoded.rules)

    def _missing(self) -> list[Rule]:
        """Those that have not fired yet."""
        return [rule for rule in self._rules() if rule.text not in self.met]

    def _sought(
        self, modelled: Callable[[Sequence[int], int], Pair | None], random: Random
    ) -> Iterator[Pair]:
        """Pairs of the solver's in which rules fire, as they are encoded, that have not been met."""
        missing = {rule.text for rule in self._missing()}
        emitted = [e for e in self._encoded.emitted if e.origin.text in missing]
        random.shuffle(emitted)
        emitted.sort(
            key=lambda e: of_engine(e.origin) or e.origin.file == "generated"
        )  # what the rulebook says itself comes first
        emitted = emitted[: self._bounds.sought]
        lines = [f"{_FIRES}({k}) :- {rule_of(e.text).body}." for k, e in enumerate(emitted)]
        if not lines:
            return
        self._solver.add("fires", "\n".join([*lines, f"{_FIRES}(none) :- #false."]))
        atoms = self._solver.control.symbolic_atoms
        for k, e in enumerate(emitted):
            atom = atoms[clingo.Function(_FIRES, [clingo.Number(k)])]
            if atom is None or e.origin.text in self.met or self._left <= 0:
                continue
            pair = modelled([atom.literal], self._bounds.conflicts)
            if pair is not None:
                yield pair
