"""A program over an open position, in which the position and what is done in it are fixed by assumptions.

The same program as that of a question, grounded once: what it says of one position is read off a model of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from random import Random
from typing import Any, Final, TypeAlias

from .. import clingo
from ..engine import symbols
from ..engine.compiled import derived
from ..engine.sets import parts
from ..errors import NotDecided
from ..evaluation.evaluator import Evaluator
from ..evaluation.random_games import Actions, Facts
from ..rules.fresh import argument
from ..rules.pattern import substitute, unify
from ..rules.predicates import COUNTS
from ..rules.rulebook import ActionKind
from ..symbolic import names
from ..symbolic.encoding import Encoding
from ..symbolic.solver import MOST, Model, Solver, too_hard
from ..symbolic.totals import Totals
from ..transform.action_splitting import numbered
from .deciding import kind_of

ASKED: Final = "asked__"
"""Holds where the solver is asked for what is claimed not to be, and is let go where its program is checked."""

Literals: TypeAlias = Mapping[clingo.Symbol, tuple[int, bool]]
"""For each atom its literal, and whether it is a fact."""


class Differs(Exception):
    """The encoding is not what the rules say."""


class Nothing(Differs):
    """The encoding has no way on from a position."""


class FixedProgram:
    """A question's program.

    Attributes:
        fluents: What a position consists of, without the seats.
        free: The literals of the open position's facts.
    """

    def __init__(self, evaluator: Evaluator, encoding: Encoding, solver: Solver) -> None:
        """Of a question's encoding and what it was grounded to."""
        self._evaluator, self._encoding, self._control = evaluator, encoding, solver.control
        self.fluents = sorted(encoding.ruleset.book.fluents - {("seat", 2)})
        self.free = self.literals(self.fluents)
        self._totals = self.literals([("total", 2)])
        self._assumed_last: tuple[Facts, list[int]] | None = None

    def literals(self, signatures: Iterable[tuple[str, int]]) -> Literals:
        """The literals of all atoms of these predicates."""
        atoms = self._control.symbolic_atoms
        return {
            a.symbol: (a.literal, a.is_fact)
            for name, arity in signatures
            for a in atoms.by_signature(name, arity)
        }

    @cached_property
    def seats(self) -> Facts:
        """Who sits where, which is part of every position."""
        return frozenset(self._encoding.ruleset.facts("seat", 2))

    @cached_property
    def _certain(self) -> Facts:
        """What holds in every position of the program."""
        return frozenset(symbol for symbol, (_, certain) in self.free.items() if certain)

    @cached_property
    def _places(self) -> Mapping[clingo.Symbol, int]:
        """All else that a position may say, numbered."""
        return {s: k for k, s in enumerate(s for s, (_, certain) in self.free.items() if not certain)}

    @cached_property
    def _none(self) -> Sequence[int]:
        """The assumptions by which nothing of that holds."""
        return [-self.free[symbol][0] for symbol in self._places]

    def position(self, facts: Facts) -> Sequence[int]:
        """The assumptions that fix a position and its totals; those of the last position are remembered.

        Raises:
            Differs: The program does not know it.
        """
        if self._assumed_last is None or self._assumed_last[0] != facts:
            self._assumed_last = facts, [*self._assumed_facts(facts), *self._assumed_totals(facts)]
        return self._assumed_last[1]

    def _assumed_facts(self, facts: Facts) -> list[int]:
        """The assumptions that fix a position: what it does not say of all that it may say is not looked at one by one."""
        assumed, places = list(self._none), self._places
        for fact in facts - self._certain - self.seats:
            place = places.get(fact)
            if place is None:
                raise Differs(f"it does not know {fact}")
            assumed[place] = -assumed[place]
        if not self._certain <= facts:
            raise Differs(f"{min(self._certain - facts)} always holds")
        return assumed

    @cached_property
    def _tallies(self) -> Sequence[tuple[clingo.Symbol, int, int]]:
        """For each total that is open its measure and its number, with its literal."""
        return [
            (symbol.arguments[0], symbol.arguments[1].number, literal)
            for symbol, (literal, certain) in self._totals.items()
            if not certain
        ]

    def _assumed_totals(self, facts: Facts) -> list[int]:
        """The assumptions that fix its totals."""
        totals = counted(self._evaluator, self._encoding.totals, facts) if self._tallies else Counter()
        return [lit if totals[measure] == number else -lit for measure, number, lit in self._tallies]

    def only(self, assumed: Sequence[int], watched: Literals) -> set[clingo.Symbol]:
        """What holds of all that is watched.

        Raises:
            Differs: The program leaves it open, or
            Nothing: has no model at all.
            NotDecided: That takes too many conflicts.
        """
        solve: Any = self._control.configuration.solve
        solve.models = 2
        found: list[set[clingo.Symbol]] = []
        with self._control.solve(assumptions=list(assumed), yield_=True) as handle:
            for model in handle:
                found.append({s for s, (lit, fact) in watched.items() if fact or model.is_true(lit)})
            decided = len(found) > 1 or bool(handle.get().exhausted)
        solve.models = 1
        if not decided:
            raise NotDecided(too_hard())
        if not found:
            raise Nothing("it has no such position, or nothing follows from it")
        if len(found) > 1 and found[0] != found[1]:
            raise Differs(f"it leaves open {min(found[0] ^ found[1])}")
        return found[0]


class ActedProgram(FixedProgram):
    """A program with a transition in which somebody acts, or a step happens."""

    def __init__(
        self,
        evaluator: Evaluator,
        kinds: Sequence[ActionKind],
        encoding: Encoding,
        number: int,
        solver: Solver,
    ) -> None:
        """Of an encoding.

        Args:
            evaluator: Of the rules as written.
            kinds: Those of the actions, if any.
            encoding: The encoding.
            number: That of the transition.
            solver: What the encoding was grounded to.
        """
        super().__init__(evaluator, encoding, solver)
        self._kinds, self._number = kinds, number
        self._acts = self.literals([(names.does(number), 2), (names.argument(number), 4)])
        self._chosen = self.literals([("chosen", 3)])

    def chosen_in(self, model: clingo.Model) -> list[clingo.Symbol]:
        """What a model has chosen: a position, and what is done in it."""
        known = (self.free, self._acts, self._chosen)
        return [s for group in known for s, (lit, certain) in group.items() if certain or model.is_true(lit)]

    def models(self, assumed: Sequence[int], count: int, conflicts: int, random: Random) -> Iterator[Model]:
        """What so many models have chosen, each within so many conflicts and chosen at random.

        Args:
            assumed: The literals that hold.
            count: How many.
            conflicts: So many are spent on each of them.
            random: Chooses.
        """
        solving: Any = self._control.configuration
        before = str(solving.solver.rand_freq), str(solving.solver.seed)
        solving.solver.rand_freq = 0.1
        solving.solve.solve_limit = str(conflicts)
        try:
            for _ in range(count):
                solving.solver.seed = random.randrange(10**6)
                with self._control.solve(assumptions=list(assumed), yield_=True) as handle:
                    found = next((self.chosen_in(model) for model in handle), None)
                if found is None:
                    return
                yield found
        finally:
            solving.solve.solve_limit = str(MOST)
            solving.solver.rand_freq, solving.solver.seed = before

    @cached_property
    def _slots(self) -> Mapping[tuple[clingo.Symbol, ...], Sequence[clingo.Symbol]]:
        """The atoms that give an argument a value, by who acts, the kind of action, and the argument's place."""
        found: dict[tuple[clingo.Symbol, ...], list[clingo.Symbol]] = {}
        for s in self._acts:
            if s.name == names.argument(self._number):
                found.setdefault(tuple(s.arguments[:3]), []).append(s)
        return found

    def values(self, role: str, kind: int, place: int) -> list[clingo.Symbol]:
        """The values of an argument that a role can choose; none where it is a set."""
        slot = symbols.constant(role), clingo.Number(kind), clingo.Number(place)
        found = self._slots.get(slot, ())
        return [] if any(map(_is_name, found)) else sorted(s.arguments[3] for s in found)

    def actions(self, facts: Facts, actions: Actions) -> Iterator[int]:
        """The assumptions that fix who does what.

        Raises:
            Differs: The program does not know it.
        """
        wanted: set[clingo.Symbol] = set()
        chosen: set[clingo.Symbol] = set()
        t = self._number
        for role, action in actions:
            kind = kind_of(self._kinds, facts, role, action)
            if kind is None:
                raise Differs(f"it does not know {action}")
            who, index = symbols.constant(role), clingo.Number(kind.index)
            wanted.add(clingo.Function(names.does(t), [who, index]))
            pattern, _, count = numbered(kind)
            binding = unify(pattern, symbols.value_pattern(action), {})
            for k in range(count):
                value = symbols.ground(substitute(("v", argument(k)), binding or {}))
                place = who, index, clingo.Number(k)
                name = next(filter(_is_name, self._slots.get(place, ())), None)
                if name is not None:
                    chosen |= {clingo.Function("chosen", [name.arguments[3], c, n]) for c, n in parts(value)}
                wanted.add(name if name is not None else clingo.Function(names.argument(t), [*place, value]))
        for known, meant in ((self._acts, wanted), (self._chosen, chosen)):
            if not meant <= set(known):
                raise Differs(f"it does not know {min(meant - set(known))}")
            yield from (lit if s in meant else -lit for s, (lit, fact) in known.items() if not fact)


def _is_name(symbol: clingo.Symbol) -> bool:
    """Whether an argument's atom has the name of a set for its value."""
    value = symbol.arguments[3]
    return value.type is clingo.SymbolType.Function and value.name == "set_of"


def counted(evaluator: Evaluator, totals: Totals, facts: Facts) -> Counter[clingo.Symbol]:
    """The totals of a position, by what they measure."""
    ruleset, rules = evaluator.ruleset, tuple(totals.slice)
    program = ruleset.remember(("counts", rules), lambda: ruleset.complete(rules))
    found: Counter[clingo.Symbol] = Counter()
    for measure, _, weight in derived(program, facts, (), ruleset.configuration.engine).arguments(*COUNTS):
        if weight.type == clingo.SymbolType.Number:  # no sum counts anything else
            found[measure] += weight.number
    return found


def some_of(ours: set[Any], theirs: set[Any]) -> str:
    """Where two sets differ, in words."""
    more, less = sorted(map(_text, ours - theirs)), sorted(map(_text, theirs - ours))
    return "; ".join([*(f"with {x}" for x in more[:2]), *(f"without {x}" for x in less[:2])])


def _text(value: object) -> str:
    return " ".join(value) if isinstance(value, tuple) else str(value)
