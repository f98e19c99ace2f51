"""Every proof checks its own encoding: its transition against the evaluate reading, pair by pair.

A pair is a position and what is done in it. In the very program that the proof's question was put to, position, action
and totals are fixed by assumptions; the rest must then be determined: one successor, the one of the evaluate reading, the
same rules broken by the action, the same invariants broken after it. What cannot be compared counts as a difference: a
position or an action that the program does not know, or from which it has no way on.

Pairs come from random games (:mod:`.sample`), from the solver itself, with counters pushed to their borders, and from
legal pairs by another argument, which mostly makes them illegal. What an encoding wrongly excludes is in none of its own
models: so further pairs are the plain engine's (:mod:`.pairs`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from functools import cached_property, partial
from random import Random
from typing import Any, Final

from .. import clingo
from ..engine import symbols
from ..evaluation.evaluator import Evaluator
from ..rules.fresh import argument
from ..rules.pattern import substitute, unify
from ..rules.predicates import of_engine
from ..rules.reader import rule_of
from ..symbolic.encoded_transition import EncodedTransition
from ..symbolic.encoding import Encoding
from ..symbolic.invariants import GENERAL
from ..symbolic.models import decode_actions
from ..symbolic.solver import Model, Solver
from ..symbolic.transitions import Transition
from ..transform.action_splitting import numbered
from .checked import CheckedProgram
from .deciding import kind_of
from .fixed import Differs, Nothing, some_of
from .listing import misread
from .numbers import clipped
from .obligations import BAD, COUNT
from .pairs import FEW, LARGE, SMALL, Bounds, PairMaker, telling
from .pending import EXCLUSIVE, uncovered
from .sample import Actions, Facts, Pair
from .seeking import Seeker

_FIRES: Final = "fires__"
_MANY: Final = 24
"""So many pairs are compared of each sort where they cost next to nothing; else one."""
_LISTED: Final = 4
"""So many positions of the solver's own, and so many neighbours of each pair, are compared of an enumeration."""


class SelfCheck:
    """The encoded transition of one question, checked against the evaluate reading.

    Attributes:
        agreed: The legal moves, or steps, from a valid position in which nothing was different, but for those that lose
            what is not there: there are programs that suppose that none does.
    """

    def __init__(
        self,
        evaluator: Evaluator,
        transition: Transition,
        encoding: Encoding,
        encoded: EncodedTransition,
        solver: Solver,
        goals: Sequence[str],
        lemmas: Sequence[str],
        fixed: Sequence[str] = (),
        exact: bool = False,
    ) -> None:
        """Of a question's program; ``fixed``: what is assumed of its atoms; ``exact``: whether all in it is legal."""
        self._evaluator, self._transition = evaluator, transition
        self._encoding, self._encoded = encoding, encoded
        self._goals, self._lemmas = goals, lemmas
        self._solver = solver
        self._fixed, self._exact = fixed, exact
        self.agreed: list[Pair] = []
        self._broken_in: dict[Facts, set[str]] = {}

    # -- where pairs come from -----------------------------------------------------------------------------------------

    @cached_property
    def _program(self) -> CheckedProgram:
        given = self._evaluator, self._transition.kinds, self._encoding, self._encoded, self._solver
        return CheckedProgram(*given, self._fixed, self._exact)

    @cached_property
    def _seeker(self) -> Seeker:
        return Seeker(self._program, self._encoding, self._solver)

    def differences(self, pairs: Sequence[Pair], given: Sequence[Model], random: Random) -> Iterator[str]:
        """What is different, over pairs from games, positions of the solver's own, and neighbours of them.

        Of a large game each question does a part of it: those about a game's own invariants look at the solver's
        positions, that about limits at games.

        Args:
            pairs: Those from games: none of them breaks an invariant.
            given: Models of the same transition that are known.
            random: Chooses.
        """
        try:
            yield from self._all_differences(pairs, given, random)
        except Differs as difference:  # nothing can be asked of the program
            yield str(difference)

    def _all_differences(
        self, pairs: Sequence[Pair], given: Sequence[Model], random: Random
    ) -> Iterator[str]:
        own = any(goal not in GENERAL for goal in self._goals)
        small = len(self._encoding.domains.fluents) < FEW
        if not small and not own and "limit" not in self._goals:
            return
        some = pairs[:1] if not own or "limit" in self._goals else ()
        legal = list(pairs[:_MANY] if small else some)
        for pair in legal[:]:
            yield from self._difference(pair)
        for k in range(_MANY if small else 1 if own or not pairs else 0):
            model = self._seeker.model(random, k)
            if model is not None:
                yield from self._own(model, legal)
        for model in given if small or not pairs else ():
            yield from self._own(model, legal)
        for pair in legal if small else legal[:1]:
            for other in self._neighbours(pair, random):
                yield from self._difference(other)
        yield from self._excluded(list(dict.fromkeys(self.agreed)), small, Random(self._transition.label))

    def _excluded(self, known: Sequence[Pair], small: bool, random: Random) -> Iterator[str]:
        """What is different at further positions by what the plain engine lists there, and by its neighbours."""
        bounds = SMALL if small else LARGE
        given = [self._evaluator], self._transition.kinds, self._encoding.domains
        step = self._transition.step
        maker = PairMaker(*given, self._is_valid, bounds, "" if step is None else str(step[1]))
        rules = telling(self._encoded.rules)
        for pair in maker.pairs(known, rules, partial(self._firing, maker, bounds, random), random):
            yield from self._difference(pair)
            for other in self._neighbours(pair, random) if small else ():
                yield from self._difference(other)

    def _firing(
        self, maker: PairMaker, bounds: Bounds, random: Random, texts: Collection[str]
    ) -> Iterator[Pair]:
        """Pairs of the solver's in which rules fire, as they are encoded, that have these texts."""
        emitted = [e for e in self._encoded.emitted if e.origin.text in texts]
        random.shuffle(emitted)
        # what the rulebook says itself comes first
        emitted.sort(key=lambda e: of_engine(e.origin) or e.origin.file == "generated")
        emitted = emitted[: bounds.sought]
        lines = [f"{_FIRES}({k}) :- {rule_of(e.text).body}." for k, e in enumerate(emitted)]
        self._solver.add("fires", "\n".join([*lines, f"{_FIRES}(none) :- #false."]))
        atoms = self._solver.control.symbolic_atoms
        for k, e in enumerate(emitted):
            atom = atoms[clingo.Function(_FIRES, [clingo.Number(k)])]
            if atom is None or e.origin.text in maker.met:
                continue
            model = self._seeker.meeting([atom.literal], bounds.conflicts, random)
            if model is not None:
                yield self._pair(model)

    def _is_valid(self, facts: Facts) -> bool:
        """Whether a position is one of the question's, by the plain engine: valid, and with what the transition needs."""
        if self._names_broken(facts).intersection((*self._lemmas, *GENERAL)):
            return False
        return uncovered(self._evaluator.ruleset, facts) is None

    def given(self, model: Model) -> Iterator[str]:
        """What is different at the position of a model of the same transition."""
        yield from self._own(model, [])

    def same(self, pair: Pair) -> bool:
        """Whether nothing is different at a legal move, or a step."""
        known = len(self.agreed)
        return not any(self._difference(pair)) and len(self.agreed) > known

    def allows(self, pair: Pair, asked: Sequence[str]) -> bool:
        """Whether the program allows a pair where this is assumed."""
        with suppress(Differs):
            return self._program.allows(pair.facts, pair.actions, asked)
        return False

    def misread(self, pairs: Sequence[Pair], random: Random) -> Iterator[str]:
        """Where an enumeration that is followed for one action says otherwise than the rules.

        Args:
            pairs: Those from games: none of them breaks an invariant.
            random: Chooses.
        """
        known = [Pair(clipped(p.facts, self._encoding.domains), p.actions) for p in pairs]
        for k in range(_LISTED):
            model = self._seeker.model(random, k)
            own = None if model is None else self._pair(model)
            if own is not None and not self._evaluator.broken(own.facts, waive=False):
                known.append(own)  # else its totals are not its own, as a rough question has them
        others = [other for pair in known for _ in range(_LISTED) for other in self._neighbours(pair, random)]
        yield from misread(self._evaluator, self._program, [*known, *others])

    def _own(self, model: Model, legal: list[Pair]) -> Iterator[str]:
        """The difference at a position of the solver's."""
        pair = self._pair(model)
        broken = self._names_broken(pair.facts)
        false = sorted(broken.intersection((*self._lemmas, "vocabulary", "count")))
        if false:  # with totals that are not its own, maybe, as a rough question has them
            if self._program.allows(pair.facts, pair.actions):
                yield f"it takes for valid a position that breaks {false[0]}"
        elif "limit" not in broken:  # the totals of the question's positions need not be those that are there
            legal.append(pair)
            yield from self._difference(pair)

    def _pair(self, model: Model) -> Pair:
        """The position of a model, and what is done in it."""
        fluents = set(self._program.fluents)
        facts = frozenset(s for s in model if symbols.signature(s) in fluents) | self._program.seats
        done = decode_actions(self._encoding.ruleset, self._transition.kinds, model, self._encoded.number)
        return Pair(facts, tuple((role, symbols.read(action)) for role, action in done))

    def _neighbours(self, pair: Pair, random: Random) -> Iterator[Pair]:
        """The same position with another value of one argument of somebody's action."""
        for number in [random.randrange(len(pair.actions))] if pair.actions else []:
            role, action = pair.actions[number]
            kind = kind_of(self._transition.kinds, pair.facts, role, action)
            if kind is None:
                continue
            pattern, decision, count = numbered(kind)
            binding = unify(pattern, symbols.value_pattern(action), {})
            fixed = _variables(decision)
            places = [k for k in range(count) if argument(k) not in fixed]
            slots = {k: self._program.values(role, kind.index, k) for k in places}
            places = [k for k in places if len(slots[k]) > 1]
            if binding is None or not places:
                continue
            place = random.choice(places)
            value = random.choice(slots[place])
            binding = {**binding, ("v", argument(place)): symbols.value_pattern(value)}
            other = symbols.ground(substitute(pattern, binding))
            yield Pair(pair.facts, (*pair.actions[:number], (role, other), *pair.actions[number + 1 :]))

    # -- one pair ------------------------------------------------------------------------------------------------------

    def _difference(self, pair: Pair) -> Iterator[str]:
        """What is different at a pair, if anything."""
        facts = clipped(pair.facts, self._encoding.domains)
        if facts != pair.facts:  # a waived invariant may be broken before and after
            spoilt = self._names_broken(facts) - self._names_broken(pair.facts)
            if spoilt:
                yield f"a position cannot be compared: with its numbers cut at the bound it breaks {min(spoilt)}"
                return
        try:
            self._compare(facts, pair.actions, self._program.determined(facts, pair.actions))
        except Nothing as difference:  # nothing need follow from what is illegal: that is never asked for
            if not (pair.actions and self._evaluator.judge(facts, dict(pair.actions)).violations):
                yield str(difference)
        except Differs as difference:
            yield str(difference)

    def _names_broken(self, facts: Facts) -> set[str]:
        """The invariants that a position breaks, waived or not; each position is looked at once."""
        if facts not in self._broken_in:
            self._broken_in[facts] = {name for name, _ in self._evaluator.broken(facts, waive=False)}
        return self._broken_in[facts]

    def _compare(self, facts: Facts, actions: Actions, holds: set[clingo.Symbol]) -> None:
        """Differs where a transition of the encoding is not that of the evaluate reading."""
        if actions:
            judged = self._evaluator.judge(facts, dict(actions))
            ours = {
                (symbols.text(s.arguments[0]), symbols.text(s.arguments[-1]))
                for s in holds
                if symbols.signature(s) in self._program.violating
            }
            theirs = {(role, rule) for role, _, rule in judged.violations}
            if ours != theirs:
                raise Differs(f"it breaks other rules: {some_of(ours, theirs)}")
            if theirs:
                return
            after = (facts - frozenset(judged.deleted)).union(judged.added)
        else:
            after = self._evaluator.step(facts)
        found = self._program.follows(facts, holds)
        if found != after - self._program.seats and not self._is_beyond(after):
            raise Differs(f"another position follows: {some_of(found, set(after - self._program.seats))}")
        self._compare_broken(after, holds)
        if not any(symbols.signature(s) == BAD and s.arguments[0].name == COUNT for s in holds):
            self.agreed.append(Pair(facts, actions))

    def _is_beyond(self, after: Facts) -> bool:
        """Whether a position leaves the vocabulary: changes are followed only so far, and this claim falls by itself."""
        return "vocabulary" in self._names_broken(after)

    def _compare_broken(self, after: Facts, holds: set[clingo.Symbol]) -> None:
        """The same invariants are broken afterwards."""
        theirs = set(self._names_broken(after))
        bad = {symbols.text(s.arguments[0]) for s in holds if symbols.signature(s) == BAD}
        if "vocabulary" not in theirs:
            if uncovered(self._evaluator.ruleset, after) is not None:
                theirs.add(EXCLUSIVE)
            own = [g for g in self._goals if g not in GENERAL]
            if {g for g in own if g in bad} != {g for g in own if g in theirs}:
                raise Differs(
                    f"other invariants are broken: {some_of(bad.intersection(own), theirs.intersection(own))}"
                )
        for general in GENERAL:
            if general in self._goals and general in theirs and not bad & set(GENERAL):
                raise Differs(f"{general} is broken, which it does not see")
        clean = not theirs & {"vocabulary", "count", "limit"} and not bad & {"vocabulary", "count"}
        if "limit" in bad and clean:
            raise Differs("it sees limit broken, which is not")


def _variables(pattern: Any) -> set[str]:
    return (
        {pattern[1]}
        if pattern[0] == "v"
        else set().union(*map(_variables, pattern[2]))
        if pattern[0] == "f"
        else set()
    )
