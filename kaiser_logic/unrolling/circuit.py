"""Boolean functions of free choices, in one clingo control.

A literal is a whole number other than 0, its negation the negative number. Equal functions are built once: `conj`
and its kin simplify and remember, so that what two steps of a game have in common costs nothing the second time.

    >>> circuit = Circuit()
    >>> a, b = circuit.choice(), circuit.choice()
    >>> circuit.conj([a, b]) == circuit.conj([b, TRUE, a])
    True
    >>> circuit.require(circuit.disj([a, b])); circuit.require(-a)
    >>> circuit.solve([a, b]) == {b}
    True

What a circuit does is counted as *work*, never measured: the same demands take the same work on every machine, and so
whatever is limited by work ends the same way each time. Only the deadline looks at the clock, and it ends everything
with `NotDecided`.
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
"""Work is counted in literals built. A conflict is as much as several; a model gives so many atoms a value in that time."""
_MOST_CONFLICTS: Final = 2**31
"""More than ever come about in one call of the solver."""


class Circuit:
    """Literals, the functions that define them, and a solver for them.

    Attributes:
        deadline: When everything gives up, on the clock `time.monotonic` (seconds).
        effort: The work at which everything gives up, in the unit of `work`.
        work: What has been done so far, in literals built and as much of other things as takes about as long; where
            the effort has no limit, without the conflicts of questions that were answered.
        demands: How many literals have been required so far.
    """

    def __init__(self, deadline: float = FOREVER, effort: float = FOREVER) -> None:
        """A circuit whose one literal is `TRUE`."""
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
        """Counts work that somebody has done for this circuit, in the unit of `work`."""
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
        """Whether the weights of the literals that hold sum up to the bound."""
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
            self.work += 1 + len(weights)
            self._open().add_weight_rule([found], bound, sorted(weights.items()))
        return self.value(found)

    def recursive(self) -> Literal:
        """A literal to be defined by `define`: for functions that refer to themselves."""
        return self._atom()

    def define(self, literal: Literal, bodies: Iterable[Literal]) -> None:
        """Defines a literal of `recursive` by its bodies: it holds exactly if one of them does."""
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

    def check_limits(self) -> None:
        """NotDecided, if the deadline has passed or the effort is used up."""
        if time.monotonic() >= self.deadline:
            raise NotDecided("the time was not enough")
        if self.work >= self.effort:
            raise NotDecided("the effort was not enough")

    def solve(
        self, asked: Iterable[Literal] = (), assumptions: Iterable[Literal] = ()
    ) -> set[Literal] | None:
        """The given literals that hold in some model; None if there is no model.

        Raises:
            NotDecided: The deadline has passed, or the effort is used up.
        """
        for model in self._models(1, assumptions):
            return {one for one in asked if model.is_true(one)}
        return None

    def fixed(
        self, literals: Iterable[Literal], assumptions: Sequence[Literal] = (), effort: float = FOREVER
    ) -> dict[Literal, Literal] | None:
        """The literals that have one value in all models, with that value; None if there is no model.

        After so much work (in the unit of `work`), as soon as there is a model at all, it gives up: none are known then.

        Raises:
            NotDecided: The deadline has passed, or the circuit's own effort is used up.
        """
        end = self.work + effort
        open = {abs(one) for one in map(self.value, literals)} - {TRUE}
        never, always = set(open), set(open)  # seen neither true nor false so far
        found = False
        try:
            for model in self._models(0, assumptions, effort):
                found = True
                true = {one for one in never | always if model.is_true(one)}
                never -= true
                always &= true
                if self.work > end:
                    return {}
                model.context.add_clause([*never, *(-one for one in always)])
        except _BudgetSpent:
            return {} if found or self.solve((), assumptions) is not None else None
        return dict.fromkeys(sorted(never), FALSE) | dict.fromkeys(sorted(always), TRUE) if found else None

    def narrow(self, literals: Iterable[Literal], effort: float = FOREVER) -> bool:
        """Fixes those of the literals that have one value in all models; False if there is no model.

        Gives up after so much work, as `fixed` does.

        Raises:
            NotDecided: The deadline has passed, or the circuit's own effort is used up.
        """
        fixed = self.fixed(literals, (), effort)
        for literal, value in (fixed or {}).items():
            self.require(literal if value == TRUE else -literal)
        return fixed is not None

    def _models(
        self, count: int, assumptions: Iterable[Literal], effort: float = FOREVER
    ) -> Iterator[clingo.Model]:
        """The models, at most so many (0: all); _BudgetSpent after so much work in conflicts."""
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
                            raise NotDecided("the time was not enough")
                    model = handle.model()
                    if model is None:
                        given_up = bool(handle.get().unknown) or not handle.get().exhausted
                        break
                    self.work += 1 + self._atoms // _ATOMS_A_UNIT
                    yield model
        finally:
            if (
                not running
            ):  # Ctrl-C fell between the start and the handle: nobody else can end what was started
                self._control.interrupt()
            elif self.effort < FOREVER:  # to read the statistics takes as long as many a call of the solver
                self.work += _A_CONFLICT * int(self._control.statistics["solving"]["solvers"]["conflicts"])
        if given_up:
            self.work += 0 if self.effort < FOREVER else int(_A_CONFLICT * conflicts)
            raise _BudgetSpent if own else NotDecided("the effort was not enough")


class _BudgetSpent(Exception):
    """The solver has stopped because it has had as many conflicts as one call may have."""
