"""A program over an open position, in which the position is fixed by assumptions.

The same program as that of a question, grounded once: what it says of one position is read off a model of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias

import clingo

from ..engine.grounding import Grounding
from ..evaluation.evaluator import Evaluator
from ..rules.predicates import COUNTS
from ..symbolic.encoding import Encoding
from ..symbolic.solver import Solver
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

    def literals(self, signatures: Iterable[tuple[str, int]]) -> Literals:
        """The literals of all atoms of these predicates."""
        atoms = self._control.symbolic_atoms
        return {
            a.symbol: (a.literal, a.is_fact)
            for name, arity in signatures
            for a in atoms.by_signature(name, arity)
        }

    @property
    def seats(self) -> Facts:
        """Who sits where, which is part of every position."""
        return frozenset(self._encoding.ruleset.facts("seat", 2))

    def position(self, facts: Facts) -> Iterator[int]:
        """The assumptions that fix a position and its totals.

        Raises:
            Differs: The program does not know it.
        """
        for fact in facts - self.seats:
            if fact not in self.free:
                raise Differs(f"it does not know {fact}")
        for symbol, (literal, certain) in self.free.items():
            if not certain:
                yield literal if symbol in facts else -literal
            elif symbol not in facts:
                raise Differs(f"{symbol} always holds")
        totals = self._summed(facts) if self._totals else Counter()
        for symbol, (literal, certain) in self._totals.items():
            measure, number = symbol.arguments
            if not certain:
                yield literal if totals[measure] == number.number else -literal

    def _summed(self, facts: Facts) -> Counter[clingo.Symbol]:
        """The totals of a position."""
        ruleset = self._evaluator.ruleset
        rules = tuple(self._encoding.totals.slice)
        program = ruleset.remember(("counts", rules), lambda: ruleset.complete(rules))
        found: Counter[clingo.Symbol] = Counter()
        for s in Grounding(program, facts).get(*COUNTS):
            found[s.arguments[0]] += s.arguments[2].number
        return found

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


def some_of(ours: set[Any], theirs: set[Any]) -> str:
    """Where two sets differ, in words."""
    more, less = sorted(map(_text, ours - theirs)), sorted(map(_text, theirs - ours))
    return "; ".join([*(f"with {x}" for x in more[:2]), *(f"without {x}" for x in less[:2])])


def _text(value: object) -> str:
    return " ".join(value) if isinstance(value, tuple) else str(value)
