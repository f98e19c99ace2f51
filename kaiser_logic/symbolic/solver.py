"""Solving: an encoding grounded once, and asked under assumptions, with limits of effort.

Effort is counted in conflicts of the solver and not in seconds, so that two runs of one question give one answer,
whatever else the machine does. Whatever has no limit of its own has `MOST`; where that is reached it is not decided, which
is never the same as no model. For use in a child process: see :mod:`..workers`.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any, Final, TypeAlias

from .. import clingo
from ..errors import NotDecided

Model: TypeAlias = list[clingo.Symbol]
MOST: Final = 1_000_000
"""So many conflicts a question may take that has no limit of its own."""
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
        options: Any = control.configuration.solve
        options.solve_limit = str(MOST)
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

        Raises:
            NotDecided: `MOST` conflicts were not enough.
        """
        found, exhausted = self._solve(_literals(assumed), MOST, first=True)
        if found is None and not exhausted:
            raise NotDecided(too_hard())
        return found

    def possible(self, *assumed: str, conflicts: int | None = None) -> bool:
        """Whether there is a model in which these atoms hold, looked for as by `model`; it is not read.

        Args:
            assumed: As in `model`.
            conflicts: How many at most; by default `MOST`.

        Raises:
            NotDecided: So many conflicts were not enough.
        """
        start = time.perf_counter()
        options: Any = self.control.configuration.solve
        options.solve_limit = str(MOST if conflicts is None else conflicts)
        with self.control.solve(assumptions=_literals(assumed), yield_=True) as handle:
            found = handle.model() is not None
            exhausted = found or bool(handle.get().exhausted)
        options.solve_limit = str(MOST)
        self.solving += time.perf_counter() - start
        if not exhausted:
            raise NotDecided(too_hard(conflicts))
        return found

    def decide(self, conflicts: int | None = None, *assumed: str, usual_first: bool = False) -> bool | None:
        """Whether there is a model; None where more conflicts than this would have to be gone through.

        Args:
            conflicts: How many at most; None for `MOST`.
            assumed: As in `model`.
            usual_first: As in `search`.

        Raises:
            NotDecided: `MOST` conflicts were not enough.
        """
        found, decided = self.search(conflicts, *assumed, usual_first=usual_first)
        return found is not None if decided else None

    def search(
        self, conflicts: int | None, *assumed: str, usual_first: bool = False, turn: int = _FIRST_TURN
    ) -> tuple[Model | None, bool]:
        """A model, or None; and whether that is decided within so many conflicts.

        Two heuristics take turns, longer and longer ones: what one is lost in, the other often sees at once.

        Args:
            conflicts: How many at most; None for `MOST`.
            assumed: As in `model`.
            usual_first: The solver's usual heuristic takes the first turn: the other one looks at many atoms for each choice,
                which is slow where there are many sums.
            turn: So many conflicts the first turn of each has.

        Raises:
            NotDecided: `MOST` conflicts were not enough.
        """
        solving: Any = self.control.configuration.solver
        usual, literals = str(solving.heuristic), _literals(assumed)
        left = MOST if conflicts is None else conflicts
        led = usual.startswith("domain")  # what the program itself says of where to begin comes first
        try:
            while left > 0:
                for heuristic in (
                    (usual, _OTHER_HEURISTIC) if led or usual_first else (_OTHER_HEURISTIC, usual)
                ):
                    solving.heuristic = heuristic
                    effort = max(0, min(turn, left))
                    left -= effort
                    found, exhausted = self._solve(literals, effort, first=True)
                    if found is not None or exhausted:
                        return found, True
                turn *= 4
        finally:
            solving.heuristic = usual
        if conflicts is None:
            raise NotDecided(too_hard())
        return None, False

    def knows(self, atom: str) -> bool:
        """Whether the program has such an atom: one that it does not have never holds, so that nothing is possible with it."""
        return clingo.parse_term(atom) in self.control.symbolic_atoms

    def model_within(self, conflicts: int, *assumed: str) -> Model | None:
        """As `model`, or None where more conflicts than this would have to be gone through."""
        return self._solve(_literals(assumed), conflicts, first=True)[0]

    def best(self, conflicts: int) -> tuple[Model | None, bool]:
        """The best model that so many conflicts lead to, and whether it was proved to be the best.

        There is always one, unless there is no model at all: the first one has `MOST` conflicts.

        Raises:
            NotDecided: Not even these were enough for a first one.
        """
        found, exhausted = self._solve((), conflicts)
        if found is None and not exhausted:
            options: Any = self.control.configuration.solve
            options.opt_mode = "ignore"
            found, exhausted = self._solve((), MOST, first=True)
            options.opt_mode = "opt"
            if found is None and not exhausted:
                raise NotDecided(too_hard())
        return found, exhausted

    def add(self, name: str, text: str) -> None:
        """Adds rules after the first solving, under a name of their own."""
        self.control.add(name, [], text)
        self.control.ground([(name, [])])

    def _solve(
        self, assumed: Sequence[tuple[clingo.Symbol, bool]], conflicts: int, first: bool = False
    ) -> tuple[Model | None, bool]:
        """The last model found (``first``: the first one), and whether the search has come to its end."""
        start = time.perf_counter()
        options: Any = self.control.configuration.solve
        options.solve_limit = str(conflicts)
        found: Model | None = None
        with self.control.solve(assumptions=assumed, yield_=True) as handle:
            for model in handle:
                found = list(model.symbols(atoms=True))
                if first:
                    break
            exhausted = False if first and found is not None else bool(handle.get().exhausted)
        options.solve_limit = str(MOST)
        self.solving += time.perf_counter() - start
        return found, exhausted


def too_hard(conflicts: int | None = None) -> str:
    """Why a question is not decided for which so many conflicts (by default `MOST`) were not enough."""
    return f"it takes more than {MOST if conflicts is None else conflicts:,} conflicts of the solver"


def _literals(assumed: Iterable[str]) -> list[tuple[clingo.Symbol, bool]]:
    """Atoms of ours as text, ``not`` before those that are not to hold, as assumptions."""
    return [(clingo.parse_term(a.removeprefix("not ")), not a.startswith("not ")) for a in assumed]
