"""Positions of the solver's own, from a question's program, some of their counters at their borders.

Their totals need not match where those of the program need not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from random import Random
from typing import Any, Final

from ..engine import symbols
from ..symbolic.encoding import Encoding
from ..symbolic.solver import Model, Solver
from .checked import CheckedProgram
from .numbers import in_order

_CONFLICTS: Final = 2_000
"""So many conflicts of the solver are spent on a position of its own."""
_BORDERS: Final = 3
"""So many counters are pushed to their borders at once."""


class Seeker:
    """Finds positions in a question's program."""

    def __init__(self, program: CheckedProgram, encoding: Encoding, solver: Solver) -> None:
        """Of a question's encoding, and of what it was grounded to."""
        self._program, self._encoding, self._solver = program, encoding, solver

    def model(self, random: Random, count: int) -> Model | None:
        """A position with a legal action, some of its counters at their borders if ``count`` is even."""
        control = self._solver.control
        solving: Any = control.configuration
        solving.solver.seed = random.randrange(10**6)
        solving.solver.rand_freq = 0.1
        solving.solve.solve_limit = str(_CONFLICTS)
        try:
            for borders in (list(self._borders(random)) if count % 2 == 0 else [], []):
                with control.solve(assumptions=[*self._program.legal, *borders], yield_=True) as handle:
                    for model in handle:
                        return self._program.chosen_in(model)
        finally:
            solving.solve.solve_limit = "umax"
            solving.solver.rand_freq = 0.0
        return None

    def meeting(self, literals: Sequence[int], conflicts: int, random: Random) -> Model | None:
        """A position and what is done in it in which these literals hold: a legal action if there is one.

        Args:
            literals: Of the program.
            conflicts: So many are spent, and as many again where no action need be legal.
            random: Chooses.
        """
        control = self._solver.control
        solving: Any = control.configuration
        solving.solver.seed = random.randrange(10**6)
        solving.solve.solve_limit = str(conflicts)
        try:
            for given in (self._program.legal, self._program.open):
                with control.solve(assumptions=[*given, *literals], yield_=True) as handle:
                    for model in handle:
                        return self._program.chosen_in(model)
        finally:
            solving.solve.solve_limit = "umax"
        return None

    @cached_property
    def _counters(self) -> list[list[tuple[int, int]]]:
        """Of each counter that is open its values with their literals, in order."""
        kinds, free = self._encoding.ruleset.book.counters, self._program.free
        known = (c for c in in_order(self._encoding.domains) if symbols.signature(c[0][1]) in kinds)
        valued = ([(n, free.get(f, (0, True))) for n, f in c] for c in known)
        found = ([(n, literal) for n, (literal, certain) in c if not certain] for c in valued)
        return [counter for counter in found if counter]

    def _borders(self, random: Random) -> Iterator[int]:
        """The literals that push some counters to nothing, or to all there can be."""
        counters = self._counters
        for ordered in random.sample(counters, min(_BORDERS, len(counters))):
            if random.random() < 0.5:
                yield ordered[-1][1]
            elif ordered[0][0] == 0:
                yield ordered[0][1]
            else:
                yield from (-literal for _, literal in ordered)


def shown(solver: Solver) -> Model | None:
    """What a program shows of a model, or None where it has none: of many atoms few are looked at."""
    with solver.control.solve(yield_=True) as handle:
        for model in handle:
            return list(model.symbols(shown=True))
    return None
