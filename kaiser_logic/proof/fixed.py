"""A program over an open position, in which the position is fixed by assumptions.

The same program as that of a question, grounded once: what it says of one position is read off a model of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, Final, TypeAlias

from .. import clingo
from ..engine.compiled import derived
from ..evaluation.evaluator import Evaluator
from ..rules.predicates import COUNTS
from ..symbolic.encoding import Encoding
from ..symbolic.solver import Solver
from ..symbolic.totals import Totals
from .sample import Facts

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
        """
        solve: Any = self._control.configuration.solve
        solve.models = 2
        found: list[set[clingo.Symbol]] = []
        with self._control.solve(assumptions=list(assumed), yield_=True) as handle:
            for model in handle:
                found.append({s for s, (lit, fact) in watched.items() if fact or model.is_true(lit)})
        solve.models = 1
        if not found:
            raise Nothing("it has no such position, or nothing follows from it")
        if len(found) > 1 and found[0] != found[1]:
            raise Differs(f"it leaves open {min(found[0] ^ found[1])}")
        return found[0]


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
