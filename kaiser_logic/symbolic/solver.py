"""Solving: an encoding grounded once, and asked under assumptions, with limits of effort.

Effort is counted in conflicts of the solver and not in seconds, so that two runs of one question give one answer,
whatever else the machine does. For use in a child process: see :mod:`..workers`.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from typing import Any, Final, TypeAlias

import clingo

Model: TypeAlias = list[clingo.Symbol]
SPARSE: Final = ("--sign-def=neg",)
"""Options for positions that are to be found: what need not be there is left out."""


class Solver:
    """A program grounded once.

    Attributes:
        control: clingo's own.
        grounding: The seconds that grounding took.
        solving: The seconds that solving has taken so far.
    """

    def __init__(self, text: str, facts: Iterable[clingo.Symbol], options: Sequence[str] = ()) -> None:
        """Grounds a program of ours over facts."""
        start = time.perf_counter()
        self.control = clingo.Control(["--warn=none", *options])
        self.control.add("base", [], text)
        with self.control.backend() as backend:
            for fact in facts:
                backend.add_rule([backend.add_atom(fact)])
        self.control.ground([("base", [])])
        self.grounding = time.perf_counter() - start
        self.solving = 0.0

    def model(self, *assumed: str) -> Model | None:
        """The atoms of a model in which these atoms of ours hold, or None where there is none.

        Args:
            assumed: Ground atoms as text, ``not`` before those that are not to hold.
        """
        found, _ = self._solve(_literals(assumed), None, first=True)
        return found

    def decide(self, conflicts: int | None = None, *assumed: str) -> bool | None:
        """Whether there is a model; None where more conflicts than this would have to be gone through.

        Args:
            conflicts: How many at most; None for any number.
            assumed: As in `model`.
        """
        found, exhausted = self._solve(_literals(assumed), conflicts, first=True)
        return True if found is not None else False if exhausted else None

    def model_within(self, conflicts: int, *assumed: str) -> Model | None:
        """As `model`, or None where more conflicts than this would have to be gone through."""
        return self._solve(_literals(assumed), conflicts, first=True)[0]

    def best(self, conflicts: int) -> tuple[Model | None, bool]:
        """The best model that so many conflicts lead to, and whether it was proved to be the best.

        There is always one, unless there is no model at all: the first one is found without a limit.
        """
        found, exhausted = self._solve((), conflicts)
        if found is None and not exhausted:
            options: Any = self.control.configuration.solve
            options.opt_mode = "ignore"
            found, exhausted = self._solve((), None, first=True)
            options.opt_mode = "opt"
        return found, exhausted

    def add(self, name: str, text: str) -> None:
        """Adds rules after the first solving, under a name of their own."""
        self.control.add(name, [], text)
        self.control.ground([(name, [])])

    def _solve(
        self, assumed: Sequence[tuple[clingo.Symbol, bool]], conflicts: int | None, first: bool = False
    ) -> tuple[Model | None, bool]:
        """The last model found (``first``: the first one), and whether the search has come to its end."""
        start = time.perf_counter()
        options: Any = self.control.configuration.solve
        options.solve_limit = "umax" if conflicts is None else str(conflicts)
        found: Model | None = None
        with self.control.solve(assumptions=assumed, yield_=True) as handle:
            for model in handle:
                found = list(model.symbols(atoms=True))
                if first:
                    break
            exhausted = False if first and found is not None else bool(handle.get().exhausted)
        options.solve_limit = "umax"
        self.solving += time.perf_counter() - start
        return found, exhausted


def _literals(assumed: Iterable[str]) -> list[tuple[clingo.Symbol, bool]]:
    """Atoms of ours as text, ``not`` before those that are not to hold, as assumptions."""
    return [(clingo.parse_term(a.removeprefix("not ")), not a.startswith("not ")) for a in assumed]
