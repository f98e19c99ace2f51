"""Programs ground over facts some of which are open. Their atoms become literals of a circuit.

Everything that follows from certain facts is computed while grounding. The few ground rules that remain are recorded, and
become functions of a circuit: one for many positions (:mod:`kaiser_logic.batch`), or one for the positions after unknown moves
(:mod:`kaiser_logic.unrolling`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Sequence
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

from .. import clingo
from ..lang.graph import components
from ..wraparound import refuse_wraparound
from . import symbols

Body: TypeAlias = tuple[int | None, Sequence[Any]]
"""The body of a ground rule: literals; or, with a bound, pairs of literal and weight."""


class Functions(Protocol):
    """A circuit: builds functions of literals, which are whole numbers."""

    @property
    def true(self) -> int:
        """The literal that always holds."""

    @property
    def false(self) -> int:
        """The literal that never holds."""

    def negate(self, literal: int) -> int:
        """The negation of a literal."""

    def conj(self, literals: Iterable[int]) -> int:
        """The conjunction of literals."""

    def disj(self, literals: Iterable[int]) -> int:
        """The disjunction of literals."""

    def at_least(self, bound: int, weighted: Iterable[tuple[int, int]]) -> int:
        """Whether the weights of the literals that hold reach a bound."""


C = TypeVar("C", bound=Functions)


class _Recorder(clingo.Observer):
    """Records the ground rules: for each head its bodies. Counts their literals."""

    def __init__(self, most: float) -> None:
        self.bodies: dict[int, list[Body]] = {}
        self.literals = 0
        self._most = most
        self._sums: dict[tuple[Any, ...], tuple[Any, ...]] = {}

    def rule(self, choice: bool, head: Sequence[int], body: Sequence[int]) -> None:
        self._add(choice, head, (None, tuple(body)), 1 + len(body))

    def weight_rule(self, choice: bool, head: Sequence[int], lower_bound: int, body: Sequence[tuple[int, int]]) -> None:
        pairs = tuple(map(tuple, body))
        known = pairs in self._sums  # a sum is compared with each of its values
        self._add(choice, head, (lower_bound, self._sums.setdefault(pairs, pairs)), 1 if known else 1 + len(pairs))

    def _add(self, choice: bool, head: Sequence[int], body: Body, literals: int) -> None:
        if choice or len(head) != 1:
            raise AssertionError("a ground rule without a head, or with a choice")
        self.bodies.setdefault(head[0], []).append(body)
        self.literals += literals
        if self.literals > self._most:
            raise MemoryError("the program is too large")


class OpenGrounding(ABC, Generic[C]):
    """A program ground over facts some of which are open.

    Attributes:
        circuit: The circuit of the literals.
        literals: The size of the ground rules that depend on open facts.
    """

    def __init__(
        self,
        circuit: C,
        rules: Iterable[clingo.Tree],
        given: Iterable[clingo.Symbol],
        possible: Collection[clingo.Symbol],
        most: float = float("inf"),
    ) -> None:
        """Grounds the program.

        Args:
            circuit: The circuit.
            rules: The rules.
            given: The facts that hold.
            possible: The facts that may hold.
            most: The largest size of the ground rules that depend on them.

        Raises:
            MemoryError, RuntimeError: The program is too large.
            NotDecided: A calculation may leave 32 bits.
        """
        self.circuit, self._recorder = circuit, _Recorder(most)
        externals = (clingo.external(*s) for s in sorted(set(map(symbols.signature, possible))))
        facts = (*given, *map(clingo.may_hold, possible))
        rules = list(rules)
        self._control = clingo.ground((*rules, *externals), facts, observer=self._recorder)
        refuse_wraparound(map(str, rules), self._control)
        self.literals = self._recorder.literals
        self._known: dict[int, int] = {}
        for fact in possible:
            atom = self._control.symbolic_atoms[fact]
            if atom is not None and not atom.is_fact:
                self._known[atom.literal] = self._input(fact)

    @abstractmethod
    def _input(self, fact: clingo.Symbol) -> int:
        """The literal of a fact that may hold."""

    @abstractmethod
    def _define_recursive(self, component: Sequence[int]) -> None:
        """Gives literals to atoms that refer to one another. All other atoms in their bodies have literals."""

    def _atoms(self, name: str, arity: int) -> Iterable[Any]:
        """The atoms of a predicate in the ground program."""
        return self._control.symbolic_atoms.by_signature(name, arity)

    def get(self, name: str, arity: int) -> dict[clingo.Symbol, int]:
        """The atoms of a predicate that can hold, each with its literal."""
        literals = {}
        for atom in self._atoms(name, arity):
            literal = self.circuit.true if atom.is_fact else self._literal(atom.literal)
            if literal != self.circuit.false:
                literals[atom.symbol] = literal
        return literals

    def _literal(self, root: int) -> int:
        """The literal of an atom, after those of all atoms on which it depends."""
        if root not in self._known:
            for component in components([root], self._atoms_needed):
                if len(component) > 1 or component[0] in self._atoms_needed(component[0]):
                    self._define_recursive(component)
                else:
                    self._known[component[0]] = self._literal_from_rules(component[0])
        return self._known[root]

    def _atoms_needed(self, atom: int) -> list[int]:
        """The atoms in the rules of an atom, except those that have a literal already."""
        known = self._known
        return [
            below
            for bound, body in self._bodies(atom)
            for one in body
            if (below := abs(one if bound is None else one[0])) not in known
        ]

    def _bodies(self, atom: int) -> Sequence[Body]:
        """The bodies of the rules of an atom."""
        return self._recorder.bodies.get(atom, ())

    def _literal_from_rules(self, atom: int) -> int:
        """The literal of an atom, from those of the atoms in its rules."""
        return self.circuit.disj([self._body(*body) for body in self._bodies(atom)])

    def _body(self, bound: int | None, body: Sequence[Any]) -> int:
        known, negated = self._known, self.circuit.negate
        if bound is None:
            return self.circuit.conj([known[a] if a > 0 else negated(known[-a]) for a in body])
        return self.circuit.at_least(bound, [(known[a] if a > 0 else negated(known[-a]), w) for a, w in body])
