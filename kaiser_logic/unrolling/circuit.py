"""Boolean functions of free choices, kept in one clingo control: what a search with unknowns reasons about.

A literal is a whole number other than 0, its negation the negative number. Equal functions are built once: `conj`
and its kin simplify and remember, so that what two steps of a game have in common costs nothing the second time.

    >>> circuit = Circuit()
    >>> a, b = circuit.choice(), circuit.choice()
    >>> circuit.conj([a, b]) == circuit.conj([b, TRUE, a])
    True
    >>> circuit.require(circuit.disj([a, b])); circuit.require(-a)
    >>> circuit.solve([a, b]) == {b}
    True
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any, Final, TypeAlias

import clingo

from ..errors import NotDecided

Literal: TypeAlias = int

TRUE: Final[Literal] = 1
FALSE: Final[Literal] = -1
FOREVER: Final = float("inf")
_PATIENCE: Final = 0.1
"""How long to wait for the solver before looking whether somebody has pressed Ctrl-C, in seconds."""


class Circuit:
    """Literals, the functions that define them, and a solver for them.

    Attributes:
        deadline: When solving gives up, on the clock `time.monotonic`.
        demands: How many literals have been required so far.
    """

    def __init__(self, deadline: float = FOREVER) -> None:
        """A circuit whose one literal is `TRUE`."""
        self.deadline = deadline
        self.demands = 0
        self._control = clingo.Control(["--warn=none"])
        self._backend: Any = None
        self._known: dict[Any, Literal] = {}
        self._fixed: dict[Literal, bool] = {}
        self._rule([self._atom()], [])

    def _open(self) -> Any:
        if self._backend is None:
            self._backend = self._control.backend()
            self._backend.__enter__()
        return self._backend

    def _close(self) -> None:
        if self._backend is not None:
            self._backend.__exit__(None, None, None)
            self._backend = None

    def _atom(self) -> Literal:
        atom: int = self._open().add_atom()
        return atom

    def _rule(self, head: Sequence[int], body: Sequence[int], *, choice: bool = False) -> None:
        self._open().add_rule(head, body, choice)

    # -- functions -------------------------------------------------------------------------------------------

    def choice(self) -> Literal:
        """A literal that is free."""
        atom = self._atom()
        self._rule([atom], [], choice=True)
        return atom

    def value(self, literal: Literal) -> Literal:
        """The literal, or `TRUE` or `FALSE` where it is fixed."""
        fixed = self._fixed.get(abs(literal))
        return literal if fixed is None else TRUE if fixed == (literal > 0) else FALSE

    def conj(self, literals: Iterable[Literal]) -> Literal:
        """Whether all of them hold."""
        wanted = {self.value(one) for one in literals} - {TRUE}
        if FALSE in wanted or any(-one in wanted for one in wanted):
            return FALSE
        if len(wanted) < 2:
            return wanted.pop() if wanted else TRUE
        key = ("&", frozenset(wanted))
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._atom()
            self._rule([found], sorted(wanted))
        return found

    def disj(self, literals: Iterable[Literal]) -> Literal:
        """Whether at least one of them holds."""
        wanted = {self.value(one) for one in literals} - {FALSE}
        if TRUE in wanted or any(-one in wanted for one in wanted):
            return TRUE
        if len(wanted) < 2:
            return wanted.pop() if wanted else FALSE
        key = ("|", frozenset(wanted))
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._atom()
            for one in sorted(wanted):
                self._rule([found], [one])
        return self.value(found)

    def at_least(self, bound: int, weighted: Iterable[tuple[Literal, int]]) -> Literal:
        """Whether the weights of those that hold sum up to the bound."""
        weights: dict[Literal, int] = {}
        for literal, weight in weighted:
            literal = self.value(literal)
            if weight < 0:  # w·x is w + (-w)·(not x)
                literal, weight, bound = -literal, -weight, bound - weight
            if literal == TRUE:
                bound -= weight
            elif literal != FALSE and weight:
                weights[literal] = weights.get(literal, 0) + weight
        if bound <= 0:
            return TRUE
        if sum(weights.values()) < bound:
            return FALSE
        if all(weight >= bound for weight in weights.values()):
            return self.disj(weights)
        key = (bound, frozenset(weights.items()))
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._atom()
            self._open().add_weight_rule([found], bound, sorted(weights.items()))
        return self.value(found)

    def recursive(self) -> Literal:
        """A literal to be defined by `define`: for functions that refer to themselves."""
        return self._atom()

    def define(self, literal: Literal, bodies: Iterable[Literal]) -> None:
        """Lets a literal of `recursive` follow from each of the bodies, and from nothing else."""
        for body in bodies:
            if body != FALSE:
                self._rule([literal], [body])

    # -- constraints -----------------------------------------------------------------------------------------

    def require(self, literal: Literal) -> None:
        """Demands that the literal holds from now on."""
        literal = self.value(literal)
        if literal == TRUE:
            return
        self.demands += 1
        self._rule([], [-literal])
        if literal != FALSE:
            self._fixed[abs(literal)] = literal > 0

    def require_at_most_one(self, literals: Collection[Literal]) -> None:
        """Demands that no two of the literals hold."""
        self.require(-self.at_least(2, [(one, 1) for one in literals]))

    # -- solving ---------------------------------------------------------------------------------------------

    def check_time(self) -> None:
        """NotDecided, if the deadline has passed."""
        if time.monotonic() >= self.deadline:
            raise NotDecided("the time was not enough")

    def solve(
        self, asked: Iterable[Literal] = (), assumptions: Iterable[Literal] = ()
    ) -> set[Literal] | None:
        """Which of the literals asked for hold in some model; None where there is no model.

        Raises:
            NotDecided: The deadline has passed.
        """
        for model in self._models(1, assumptions):
            return {one for one in asked if model.is_true(one)}
        return None

    def fixed(
        self, literals: Iterable[Literal], assumptions: Sequence[Literal] = (), seconds: float = FOREVER
    ) -> dict[Literal, Literal] | None:
        """Those of the literals that have one value in all models, with that value; None where there is no model.

        After so many seconds, as soon as there is a model at all, it gives up: none are known then.

        Raises:
            NotDecided: The deadline has passed.
        """
        end = time.monotonic() + seconds
        open = {abs(one) for one in map(self.value, literals)} - {TRUE}
        never, always = set(open), set(open)  # seen neither true nor false so far
        found = False
        for model in self._models(0, assumptions):
            found = True
            true = {one for one in never | always if model.is_true(one)}
            never -= true
            always &= true
            if time.monotonic() > end:
                return {}
            model.context.add_clause([*never, *(-one for one in always)])
        return dict.fromkeys(never, FALSE) | dict.fromkeys(always, TRUE) if found else None

    def narrow(self, literals: Iterable[Literal], seconds: float = FOREVER) -> bool:
        """Fixes those of the literals that have one value in all models; False where there is no model.

        Raises:
            NotDecided: The deadline has passed.
        """
        fixed = self.fixed(literals, (), seconds)
        for literal, value in (fixed or {}).items():
            self.require(literal if value == TRUE else -literal)
        return fixed is not None

    def _models(self, count: int, assumptions: Iterable[Literal]) -> Iterator[clingo.Model]:
        self._close()
        self._control.configuration.solve.models = count  # type: ignore[union-attr]
        with self._control.solve(list(assumptions), yield_=True, async_=True) as handle:
            while True:
                handle.resume()
                while not handle.wait(min(_PATIENCE, max(0.0, self.deadline - time.monotonic()))):
                    self.check_time()
                model = handle.model()
                if model is None:
                    return
                yield model
