"""Long questions: each in a child process of its own, with a limit of memory and a deadline.

Grounding cannot be interrupted and clingo does not give memory back, so whatever may grow large is asked in a process
that can be stopped. Children are forked: they inherit the rules as they are. Nothing of them stays behind when the
caller is interrupted.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

import clingo

Model: TypeAlias = list[clingo.Symbol]
SPARSE = ("--sign-def=neg",)
"""For positions that are to be found: what need not be there is left out."""


class Ground:
    """A program grounded once and solved under assumptions; for use in a child."""

    def __init__(self, text: str, facts: Iterable[clingo.Symbol], options: Sequence[str] = ()) -> None:
        """Grounds the program of ours over the facts."""
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
        """The atoms of a model in which these propositions hold, or None where there is none."""
        start = time.perf_counter()
        literals = [(clingo.Function(a.removeprefix("not ")), not a.startswith("not ")) for a in assumed]
        found: Model | None = None
        with self.control.solve(assumptions=literals, yield_=True) as handle:
            for model in handle:
                found = list(model.symbols(atoms=True))
                break
        self.solving += time.perf_counter() - start
        return found

    def decide(self, conflicts: int | None = None) -> bool | None:
        """Whether there is a model; None where more conflicts than this would have to be gone through."""
        start = time.perf_counter()
        limit: Any = self.control.configuration.solve
        limit.solve_limit = "umax" if conflicts is None else str(conflicts)
        answer = self.control.solve().satisfiable
        limit.solve_limit = "umax"
        self.solving += time.perf_counter() - start
        return answer

    def best(self, seconds: float = 10.0) -> tuple[Model | None, bool]:
        """The best model found within a time, and whether it was proved to be the best (or that there is none)."""
        end = time.monotonic() + seconds
        found: Model | None = None
        with self.control.solve(yield_=True, async_=True) as handle:
            while True:
                handle.resume()
                if not handle.wait(max(0.0, end - time.monotonic()) if found is not None else None):
                    handle.cancel()
                    return found, False
                model = handle.model()
                if model is None:
                    return found, True
                found = list(model.symbols(atoms=True))

    def add(self, name: str, text: str) -> None:
        """Adds rules after the first solving."""
        self.control.add(name, [], text)
        self.control.ground([(name, [])])
