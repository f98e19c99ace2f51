"""Solving: an encoding grounded once, and asked under assumptions, with limits of effort.

Effort is counted in conflicts of the solver and not in seconds, so that two runs of one question give one answer,
whatever else the machine does. For use in a child process: see :mod:`..workers`.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any, Final, TypeAlias

from .. import clingo

Model: TypeAlias = list[clingo.Symbol]
SPARSE: Final = ("--sign-def=neg",)
"""Options for positions that are to be found: what need not be there is left out."""

LED: Final = ("--heuristic=domain",)
"""Options for programs that say where the solver is to begin (``#heuristic``)."""

_OTHER_HEURISTIC: Final = "berkmin,0"
_FIRST_TURN: Final = 4_000


class Solver:
    """A program grounded once, when it is first needed.

    Attributes:
        text: The program.
        facts: What it is ground over.
        options: The solver's.
        grounding: The seconds that grounding took; 0 before it.
        solving: The seconds that solving has taken so far.
    """

    def __init__(self, text: str, facts: Iterable[clingo.Symbol], options: Sequence[str] = ()) -> None:
        """Of a program of ours over facts."""
        self.text = text
        self.facts = tuple(facts)
        self.options = tuple(options)
        self.grounding = 0.0
        self.solving = 0.0

    @cached_property
    def control(self) -> clingo.Control:
        """Clingo's own, grounded."""
        start = time.perf_counter()
        control = clingo.ground(self.text, self.facts, *self.options)
        self.grounding = time.perf_counter() - start
        return control

    @property
    def seconds(self) -> tuple[float, float]:
        """What grounding took, and solving so far."""
        return self.grounding, self.solving

    def model(self, *assumed: str) -> Model | None:
        """The atoms of a model in which these atoms of ours hold, or None where there is none.

        Args:
            assumed: Ground atoms as text, ``not`` before those that are not to hold.
        """
        found, _ = self._solve(_literals(assumed), None, first=True)
        return found

    def possible(self, *assumed: str) -> bool:
        """Whether there is a model in which these atoms hold, looked for as by `model`; it is not read."""
        start = time.perf_counter()
        with self.control.solve(assumptions=_literals(assumed), yield_=True) as handle:
            found = handle.model() is not None
        self.solving += time.perf_counter() - start
        return found

    def decide(self, conflicts: int | None = None, *assumed: str, usual_first: bool = False) -> bool | None:
        """Whether there is a model; None where more conflicts than this would have to be gone through.

        Args:
            conflicts: How many at most; None for any number.
            assumed: As in `model`.
            usual_first: As in `search`.
        """
        found, decided = self.search(conflicts, *assumed, usual_first=usual_first)
        return found is not None if decided else None

    def search(
        self, conflicts: int | None, *assumed: str, usual_first: bool = False, turn: int = _FIRST_TURN
    ) -> tuple[Model | None, bool]:
        """A model, or None; and whether that is decided within so many conflicts.

        Two heuristics take turns, longer and longer ones: what one is lost in, the other often sees at once.

        Args:
            conflicts: How many at most; None for any number.
            assumed: As in `model`.
            usual_first: The solver's usual heuristic takes the first turn: the other one looks at many atoms for each choice,
                which is slow where there are many sums.
            turn: So many conflicts the first turn of each has.
        """
        solving: Any = self.control.configuration.solver
        usual, literals, left = str(solving.heuristic), _literals(assumed), conflicts
        led = usual.startswith("domain")  # what the program itself says of where to begin comes first
        try:
            while left is None or left > 0:
                for heuristic in (
                    (usual, _OTHER_HEURISTIC) if led or usual_first else (_OTHER_HEURISTIC, usual)
                ):
                    solving.heuristic = heuristic
                    effort = turn if left is None else max(0, min(turn, left))
                    left = None if left is None else left - effort
                    found, exhausted = self._solve(literals, effort, first=True)
                    if found is not None or exhausted:
                        return found, True
                turn *= 4
        finally:
            solving.heuristic = usual
        return None, False

    def knows(self, atom: str) -> bool:
        """Whether the program has such an atom: one that it does not have never holds, so that nothing is possible with it."""
        return clingo.parse_term(atom) in self.control.symbolic_atoms

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
