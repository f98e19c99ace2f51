"""A program grounded over facts of which some may or may not hold.

As in the evaluate reading everything that follows from what is certain is computed while grounding. The few rules
that remain are read off the grounder and become functions of a `Circuit`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from .. import clingo
from ..engine import symbols
from ..engine.grounding import Program
from ..lang.graph import components
from .circuit import FALSE, TRUE, Circuit, Literal

Open: TypeAlias = Mapping[clingo.Symbol, Literal]
"""What may hold, each with the literal that says whether it does."""


class _Recorder(clingo.Observer):
    """Notes the ground rules: for each head its bodies, each with a bound where it is a sum; and counts their literals."""

    def __init__(self) -> None:
        self.bodies: dict[int, list[tuple[int | None, Sequence[Any]]]] = {}
        self.literals = 0

    def rule(self, choice: bool, head: Sequence[int], body: Sequence[int]) -> None:
        self.literals += 1 + len(body)
        for atom in head:
            self.bodies.setdefault(atom, []).append((None, body))

    def weight_rule(
        self, choice: bool, head: Sequence[int], lower_bound: int, body: Sequence[tuple[int, int]]
    ) -> None:
        self.literals += 1 + len(body)
        for atom in head:
            self.bodies.setdefault(atom, []).append((lower_bound, body))


class ExternalGrounding:
    """A program grounded over facts that may or may not hold."""

    def __init__(self, circuit: Circuit, program: Program, facts: Open) -> None:
        """Grounds the program."""
        self._circuit = circuit
        self._recorder = _Recorder()
        relevant = {s: v for s, v in facts.items() if symbols.signature(s) in program.inputs}
        open = {s: v for s, v in relevant.items() if v != TRUE}
        signatures = sorted(set(map(symbols.signature, open)))
        nodes = (*(rule.node for rule in program.rules), *(clingo.external(*s) for s in signatures))
        given = (s if literal == TRUE else clingo.may_hold(s) for s, literal in relevant.items())
        self._control = clingo.ground(nodes, (*program.static, *given), observer=self._recorder)
        circuit.count(self._recorder.literals)
        circuit.check_limits()
        self._literals: dict[int, Literal] = {}
        for symbol, literal in open.items():
            atom = self._control.symbolic_atoms[symbol]
            if atom is not None:
                self._literals[atom.literal] = literal

    def get(self, name: str, arity: int) -> dict[clingo.Symbol, Literal]:
        """The atoms of a predicate that can hold, each with the literal that says whether it does."""
        found = {}
        for atom in self._control.symbolic_atoms.by_signature(name, arity):
            literal = TRUE if atom.is_fact else self._literal(atom.literal)
            if literal != FALSE:
                found[atom.symbol] = literal
        return found

    def _literal(self, atom: int) -> Literal:
        """The circuit's literal for an atom, built from what its rules refer to."""
        if atom not in self._literals:
            for component in components([atom], self._referred):
                self._define(component)
        return self._literals[atom]

    def _referred(self, atom: int) -> list[int]:
        """The atoms that an atom's rules refer to, without those that have a literal already."""
        return [
            below
            for bound, body in self._recorder.bodies.get(atom, ())
            for one in body
            if (below := abs(one if bound is None else one[0])) not in self._literals
        ]

    def _define(self, component: Sequence[int]) -> None:
        """Gives literals to atoms that refer to one another, and to nothing else that has none."""
        bodies = self._recorder.bodies
        if len(component) == 1 and component[0] not in self._referred(component[0]):
            (atom,) = component
            self._literals[atom] = self._circuit.disj([self._body(*body) for body in bodies.get(atom, ())])
            return
        for atom in component:
            self._literals[atom] = self._circuit.recursive()
        for atom in component:
            self._circuit.define(self._literals[atom], [self._body(*body) for body in bodies[atom]])

    def _body(self, bound: int | None, body: Sequence[Any]) -> Literal:
        def value(atom: int) -> Literal:
            literal = self._literals[abs(atom)]
            return literal if atom > 0 else -literal

        if bound is None:
            return self._circuit.conj([value(atom) for atom in body])
        return self._circuit.at_least(bound, [(value(atom), weight) for atom, weight in body])
