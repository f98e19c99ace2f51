"""Boolean functions of free choices, in one clingo control.

A literal is a whole number other than 0; its negation is the negative number. `conj`, `disj` and `at_least` simplify, and
build equal functions only once. So functions that several steps of a game have in common are built only once.

    >>> circuit = Circuit()
    >>> a, b = circuit.choice(), circuit.choice()
    >>> circuit.conj([a, b]) == circuit.conj([b, TRUE, a])
    True
    >>> circuit.require(circuit.disj([a, b])); circuit.require(-a)
    >>> circuit.solve([a, b]) == {b}
    True

The *work* of a circuit is counted, not measured by the clock. The same calls take the same work on every machine, so a limit
of work always has the same effect. Only the deadline depends on the clock; it ends everything with `NotDecided`.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any, Final, TypeAlias

from .. import clingo
from ..errors import NotDecided

Literal: TypeAlias = int

TRUE: Final[Literal] = 1
FALSE: Final[Literal] = -1
FOREVER: Final = float("inf")
_INTERRUPTIBLE: Final = 0.1
"""The time in seconds to wait for the solver before checking for Ctrl-C."""
_A_CONFLICT: Final = 5
_ATOMS_A_UNIT: Final = 100
"""Work is counted in literals built. A conflict counts as several literals. A model counts as one literal for so many atoms."""
_MOST_CONFLICTS: Final = 2**31
"""The largest limit of conflicts for one call of the solver, which is never reached."""


class Circuit:
    """Literals, the functions that define them, and a solver for them.

    Attributes:
        deadline: The time at which every method gives up, on the clock `time.monotonic` (seconds).
        effort: The work at which every method gives up, in the unit of `work`.
        work: The work done so far, in literals built; other work counts as the literals that are built in about that time.
            Without a limit of effort, the conflicts of successful calls of the solver are not counted.
        demands: The number of literals required so far.
    """

    true: Final = TRUE
    false: Final = FALSE

    def __init__(self, deadline: float = FOREVER, effort: float = FOREVER) -> None:
        """A circuit whose only literal is `TRUE`."""
        self.deadline = deadline
        self.effort = effort
        self.demands = 0
        self.work = 0
        self._atoms = 0
        self._control = clingo.control()
        self._backend: Any = None
        self._known: dict[Any, Literal] = {}
        self._fixed: dict[Literal, bool] = {}
        self._rule([self._atom()], [])

    def count(self, literals: int) -> None:
        """Adds work that was done outside of this circuit, in the unit of `work`."""
        self.work += literals

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
        self._atoms += 1
        atom: int = self._open().add_atom()
        return atom

    def _rule(self, head: Sequence[int], body: Sequence[int], *, choice: bool = False) -> None:
        self.work += 1 + len(body)
        self._open().add_rule(head, body, choice)

    # -- functions -------------------------------------------------------------------------------------------

    def choice(self) -> Literal:
        """A new literal that is free."""
        atom = self._atom()
        self._rule([atom], [], choice=True)
        return atom

    def value(self, literal: Literal) -> Literal:
        """`TRUE` or `FALSE` if the literal is fixed; otherwise the literal itself."""
        fixed = self._fixed.get(abs(literal))
        return literal if fixed is None else TRUE if fixed == (literal > 0) else FALSE

    def negate(self, literal: Literal) -> Literal:
        """The negation of a literal."""
        return -literal

    def conj(self, literals: Iterable[Literal]) -> Literal:
        """The literal that all of these literals hold."""
        wanted = {self.value(one) for one in literals} - {TRUE}
        if FALSE in wanted or any(-one in wanted for one in wanted):
            return FALSE
        if len(wanted) < 2:
            return wanted.pop() if wanted else TRUE
        key = ("&", frozenset(wanted))
        literal = self._known.get(key)
        if literal is None:
            literal = self._known[key] = self._atom()
            self._rule([literal], sorted(wanted))
        return literal

    def disj(self, literals: Iterable[Literal]) -> Literal:
        """The literal that at least one of these literals holds."""
        wanted = {self.value(one) for one in literals} - {FALSE}
        if TRUE in wanted or any(-one in wanted for one in wanted):
            return TRUE
        if len(wanted) < 2:
            return wanted.pop() if wanted else FALSE
        key = ("|", frozenset(wanted))
        literal = self._known.get(key)
        if literal is None:
            literal = self._known[key] = self._atom()
            for one in sorted(wanted):
                self._rule([literal], [one])
        return self.value(literal)

    def at_least(self, bound: int, weighted: Iterable[tuple[Literal, int]]) -> Literal:
        """The literal that the weights of the literals that hold have at least a sum of ``bound``."""
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
        result = self._known.get(key)
        if result is None:
            result = self._known[key] = self._atom()
            self.work += 1 + len(weights)
            self._open().add_weight_rule([result], bound, sorted(weights.items()))
        return self.value(result)

    def recursive(self) -> Literal:
        """A new literal for `define`. It allows functions that refer to one another."""
        return self._atom()

    def define(self, literal: Literal, bodies: Iterable[Literal]) -> None:
        """Defines a literal of `recursive`: it holds exactly if one of the bodies holds."""
        for body in bodies:
            if body != FALSE:
                self._rule([literal], [body])

    # -- constraints -----------------------------------------------------------------------------------------

    def require(self, literal: Literal) -> None:
        """Requires that the literal holds from now on."""
        literal = self.value(literal)
        if literal == TRUE:
            return
        self.demands += 1
        self._rule([], [-literal])
        if literal != FALSE:
            self._fixed[abs(literal)] = literal > 0

    def require_at_most_one(self, literals: Collection[Literal]) -> None:
        """Requires that at most one of the literals holds."""
        self.require(-self.at_least(2, [(one, 1) for one in literals]))

    # -- solving ---------------------------------------------------------------------------------------------

    def check_limits(self) -> None:
        """Raises NotDecided if the deadline has passed or the effort is used up."""
        if time.monotonic() >= self.deadline:
            raise NotDecided("the time was too short")
        if self.work >= self.effort:
            raise NotDecided("the limit of work was reached")

    def solve(self, asked: Iterable[Literal] = (), assumptions: Iterable[Literal] = ()) -> set[Literal] | None:
        """The literals among ``asked`` that hold in some model; None if there is no model of the assumptions.

        Raises:
            NotDecided: The deadline has passed, or the effort is used up.
        """
        for model in self._models(1, assumptions):
            return {one for one in asked if model.is_true(one)}
        return None

    def fixed_literals(
        self, literals: Iterable[Literal], assumptions: Sequence[Literal] = (), effort: float = FOREVER
    ) -> dict[Literal, Literal] | None:
        """The literals that have the same value in all models, with that value; None if there is no model.

        Args:
            literals: The literals.
            assumptions: Literals that hold in the models.
            effort: A limit of work, in the unit of `work`. If it is exceeded and there is a model, the result is empty.

        Raises:
            NotDecided: The deadline has passed, or the circuit's own effort is used up.
        """
        end = self.work + effort
        open = {abs(one) for one in map(self.value, literals)} - {TRUE}
        never, always = (
            set(open),
            set(open),
        )  # the literals that were never true, or always true, in the models so far
        has_model = False
        try:
            for model in self._models(0, assumptions, effort):
                has_model = True
                true = {one for one in never | always if model.is_true(one)}
                never -= true
                always &= true
                if self.work > end:
                    return {}
                model.context.add_clause([*never, *(-one for one in always)])
        except _BudgetSpent:
            return {} if has_model or self.solve((), assumptions) is not None else None
        return dict.fromkeys(sorted(never), FALSE) | dict.fromkeys(sorted(always), TRUE) if has_model else None

    def narrow(self, literals: Iterable[Literal], effort: float = FOREVER) -> bool:
        """Fixes the literals that have the same value in all models; False if there is no model.

        ``effort`` limits the work as in `fixed_literals`.

        Raises:
            NotDecided: The deadline has passed, or the circuit's own effort is used up.
        """
        fixed = self.fixed_literals(literals, (), effort)
        for literal, value in (fixed or {}).items():
            self.require(literal if value == TRUE else -literal)
        return fixed is not None

    def _models(self, count: int, assumptions: Iterable[Literal], effort: float = FOREVER) -> Iterator[clingo.Model]:
        """At most ``count`` models (0: all); _BudgetSpent if the conflicts exceed ``effort``."""
        self.check_limits()
        self._close()
        own = effort < self.effort - self.work
        conflicts = min(min(effort, self.effort - self.work) / _A_CONFLICT, _MOST_CONFLICTS)
        configuration: Any = self._control.configuration.solve
        configuration.models = count
        configuration.solve_limit = str(max(1, int(conflicts)))
        running = False
        try:
            with self._control.solve(list(assumptions), yield_=True, async_=True) as handle:
                running = True
                while True:
                    handle.resume()
                    while not handle.wait(min(_INTERRUPTIBLE, max(0.0, self.deadline - time.monotonic()))):
                        if time.monotonic() >= self.deadline:
                            raise NotDecided("the time was too short")
                    model = handle.model()
                    if model is None:
                        given_up = bool(handle.get().unknown) or not handle.get().exhausted
                        break
                    self.work += 1 + self._atoms // _ATOMS_A_UNIT
                    yield model
        finally:
            if not running:  # Ctrl-C came between the start of the solver and the handle, which would have ended it
                self._control.interrupt()
            elif self.effort < FOREVER:  # reading the statistics can take as long as a call of the solver
                self.work += _A_CONFLICT * int(self._control.statistics["solving"]["solvers"]["conflicts"])
        if given_up:
            self.work += 0 if self.effort < FOREVER else int(_A_CONFLICT * conflicts)
            raise _BudgetSpent if own else NotDecided("the limit of work was reached")


class _BudgetSpent(Exception):
    """The solver has stopped because the call has reached its limit of conflicts."""
