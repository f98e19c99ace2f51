"""A program over an open position and a transition, in which the position and what is done in it are fixed by assumptions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from random import Random
from typing import Any

import clingo

from ..engine import symbols
from ..engine.sets import parts
from ..evaluation.evaluator import Evaluator
from ..rules.fresh import argument
from ..rules.pattern import substitute, unify
from ..rules.rulebook import ActionKind
from ..symbolic import names
from ..symbolic.encoding import Encoding
from ..symbolic.solver import Model, Solver
from ..transform.action_splitting import numbered
from .deciding import kind_of
from .fixed import Differs, FixedProgram
from .sample import Actions, Facts


class ActedProgram(FixedProgram):
    """A program with a transition in which somebody acts, or a step happens."""

    def __init__(
        self,
        evaluator: Evaluator,
        kinds: Sequence[ActionKind],
        encoding: Encoding,
        number: int,
        solver: Solver,
    ) -> None:
        """Of an encoding.

        Args:
            evaluator: Of the rules as written.
            kinds: Those of the actions, if any.
            encoding: The encoding.
            number: That of the transition.
            solver: What the encoding was grounded to.
        """
        super().__init__(evaluator, encoding, solver)
        self._kinds, self._number = kinds, number
        self._acts = self.literals([(names.does(number), 2), (names.argument(number), 4)])
        self._chosen = self.literals([("chosen", 3)])

    def chosen_in(self, model: clingo.Model) -> list[clingo.Symbol]:
        """What a model has chosen: a position, and what is done in it."""
        known = (self.free, self._acts, self._chosen)
        return [s for group in known for s, (lit, certain) in group.items() if certain or model.is_true(lit)]

    def models(self, assumed: Sequence[int], count: int, conflicts: int, random: Random) -> Iterator[Model]:
        """What so many models have chosen, each within so many conflicts and chosen at random.

        Args:
            assumed: The literals that hold.
            count: How many.
            conflicts: So many are spent on each of them.
            random: Chooses.
        """
        solving: Any = self._control.configuration
        before = str(solving.solver.rand_freq), str(solving.solver.seed)
        solving.solver.rand_freq = 0.1
        solving.solve.solve_limit = str(conflicts)
        try:
            for _ in range(count):
                solving.solver.seed = random.randrange(10**6)
                with self._control.solve(assumptions=list(assumed), yield_=True) as handle:
                    found = next((self.chosen_in(model) for model in handle), None)
                if found is None:
                    return
                yield found
        finally:
            solving.solve.solve_limit = "umax"
            solving.solver.rand_freq, solving.solver.seed = before

    @cached_property
    def _slots(self) -> Mapping[tuple[clingo.Symbol, ...], Sequence[clingo.Symbol]]:
        """The atoms that give an argument a value, by who acts, the kind of action, and the argument's place."""
        found: dict[tuple[clingo.Symbol, ...], list[clingo.Symbol]] = {}
        for s in self._acts:
            if s.name == names.argument(self._number):
                found.setdefault(tuple(s.arguments[:3]), []).append(s)
        return found

    def values(self, role: str, kind: int, place: int) -> list[clingo.Symbol]:
        """The values of an argument that a role can choose; none where it is a set."""
        slot = symbols.constant(role), clingo.Number(kind), clingo.Number(place)
        found = self._slots.get(slot, ())
        return [] if any(map(_is_name, found)) else sorted(s.arguments[3] for s in found)

    def actions(self, facts: Facts, actions: Actions) -> Iterator[int]:
        """The assumptions that fix who does what.

        Raises:
            Differs: The program does not know it.
        """
        wanted: set[clingo.Symbol] = set()
        chosen: set[clingo.Symbol] = set()
        t = self._number
        for role, action in actions:
            kind = kind_of(self._kinds, facts, role, action)
            if kind is None:
                raise Differs(f"it does not know {action}")
            who, index = symbols.constant(role), clingo.Number(kind.index)
            wanted.add(clingo.Function(names.does(t), [who, index]))
            pattern, _, count = numbered(kind)
            binding = unify(pattern, symbols.value_pattern(action), {})
            for k in range(count):
                value = symbols.ground(substitute(("v", argument(k)), binding or {}))
                place = who, index, clingo.Number(k)
                name = next(filter(_is_name, self._slots.get(place, ())), None)
                if name is not None:
                    chosen |= {clingo.Function("chosen", [name.arguments[3], c, n]) for c, n in parts(value)}
                wanted.add(name if name is not None else clingo.Function(names.argument(t), [*place, value]))
        for known, meant in ((self._acts, wanted), (self._chosen, chosen)):
            if not meant <= set(known):
                raise Differs(f"it does not know {min(meant - set(known))}")
            yield from (lit if s in meant else -lit for s, (lit, fact) in known.items() if not fact)


def _is_name(symbol: clingo.Symbol) -> bool:
    """Whether an argument's atom has the name of a set for its value."""
    value = symbol.arguments[3]
    return value.type is clingo.SymbolType.Function and value.name == "set_of"
