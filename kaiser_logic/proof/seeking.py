"""Positions of the solver's own, from a question's program.

The totals of its positions need not match, so that one that is found is seldom valid. Where one is wanted that is, the same
program is told for a while that they match,

    #external match__.
    :- match__, ranges(L,_,_), #sum { W,X : counts(L,X,W); -N,total__ : total(L,N) } != 0.

which costs a quarter of what a program of valid positions costs. Afterwards ``match__`` is let go of: it never holds again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from random import Random
from typing import Any, Final

import clingo

from ..engine import symbols
from ..symbolic.encoding import Encoding
from ..symbolic.solver import Model, Solver
from ..symbolic.totals import matching
from .checked import CheckedProgram
from .numbers import in_order

_CONFLICTS: Final = 2_000
"""So many conflicts of the solver are spent on a position of its own, and"""
_MATCHING: Final = 20_000
"""so many on one whose totals match."""
_BORDERS: Final = 3
"""So many counters are pushed to their borders at once."""
_MATCH: Final = "match__"
"""Holds while totals are to match."""


class Seeker:
    """Finds positions in a question's program."""

    def __init__(self, program: CheckedProgram, encoding: Encoding, solver: Solver) -> None:
        """Of a question's encoding, and of what it was grounded to."""
        self._program, self._encoding, self._solver = program, encoding, solver

    def model(self, random: Random, count: int) -> Model | None:
        """A position with a legal action, some of its counters at their borders if ``count`` is even."""
        solving: Any = self._solver.control.configuration
        solving.solver.seed = random.randrange(10**6)
        solving.solver.rand_freq = 0.1
        try:
            for borders in (list(self._borders(random)) if count % 2 == 0 else [], []):
                found, _ = self._chosen([*self._program.legal, *borders], _CONFLICTS)
                if found is not None:
                    return found
        finally:
            solving.solver.rand_freq = 0.0
        return None

    def valid(self, asked: Sequence[str]) -> tuple[Model | None, bool]:
        """A position with a legal action whose totals match, where this is assumed; and whether that is decided.

        What need not be there is left out, as counterexamples leave it out. To be asked once.
        """
        control, assumed = self._solver.control, self._program.assumed(asked)
        solving: Any = control.configuration.solver
        usual = str(solving.sign_def)
        self._solver.add("matching", f"#external {_MATCH}. {matching(_MATCH)}")
        control.assign_external(clingo.Function(_MATCH), True)
        solving.sign_def = "neg"
        try:
            return self._chosen(assumed, _MATCHING)
        finally:
            solving.sign_def = usual
            control.release_external(clingo.Function(_MATCH))

    def _chosen(self, assumed: Sequence[int], conflicts: int) -> tuple[Model | None, bool]:
        """What a model has chosen; and whether there is one, if that is decided with so many conflicts."""
        control = self._solver.control
        limited: Any = control.configuration.solve
        limited.solve_limit = str(conflicts)
        try:
            with control.solve(assumptions=list(assumed), yield_=True) as handle:
                for model in handle:
                    return self._program.chosen_in(model), True
                return None, bool(handle.get().unsatisfiable)
        finally:
            limited.solve_limit = "umax"

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
