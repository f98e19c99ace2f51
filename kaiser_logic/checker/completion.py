"""The completion of a ground program, as clauses.

Only clingo reads and grounds the text. This module receives each ground rule (the intermediate format aspif) and writes
Clark's completion of the program: an atom holds exactly if the body of one of its rules holds. Every stable model is a
model of the completion. So if the clauses have no model, the program has no answer set, whether it is tight or not. What
clingo leaves out of the ground program when it grounds is true or false in all answer sets: facts stand in no body, and an atom
that is not there never holds.

A body of several literals gets an atom of its own, which clauses define in both directions, and so does a sum with a lower
bound. A sum becomes a binary decision diagram. ``sum(i,k)`` says that the literals from the i-th on have at least the sum
k. It holds if ``sum(i+1,k)`` holds, or if the i-th literal and ``sum(i+1,k-weight)`` hold (Eén and Sörensson 2006). Equal
parts are written once.

>>> made = ProgramClauses("{a; b}. c :- a, b. d(1) :- 1 <= #sum { 1,x : a; 1,y : b }.")
>>> made.clauses[:3]
[(-3, 4), (-6, 1), (-6, 2)]
>>> made.literals("d", 1)
[(Function('d', [Number(1)], True), 4)]
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import Final, TypeAlias

from .. import clingo
from .text import NotCovered, ground_exactly

Clause: TypeAlias = tuple[int, ...]
_Rule: TypeAlias = tuple[bool, Sequence[int], Sequence[int]]
_Sum: TypeAlias = tuple[bool, Sequence[int], int, Sequence[tuple[int, int]]]

TRUE: Final = 1 << 60
"""An atom that always holds. It occurs in no clause."""


class _Ground(clingo.Observer):
    """The ground program that clingo reports; ``odd``: something in it that cannot be completed, or empty."""

    def __init__(self) -> None:
        self.odd = ""
        self.rules: list[_Rule] = []
        self.sums: list[_Sum] = []

    def rule(self, choice: bool, head: Sequence[int], body: Sequence[int]) -> None:
        self.rules.append((choice, head, body))

    def weight_rule(self, choice: bool, head: Sequence[int], lower_bound: int, body: Sequence[tuple[int, int]]) -> None:
        self.sums.append((choice, head, lower_bound, body))

    def external(self, atom: int, value: object) -> None:
        self.odd = "an external atom"

    def acyc_edge(self, node_u: int, node_v: int, condition: Sequence[int]) -> None:
        self.odd = "an edge"

    def theory_atom(self, atom_id_or_zero: int, term_id: int, elements: Sequence[int]) -> None:
        self.odd = "a theory"


class ProgramClauses:
    """The completion of a program.

    Attributes:
        clauses: The clauses. The literals of a clause are sorted and different.
        rules: The ground rules: whether it is a choice, the head, and the body.
        sums: The ground rules with a sum in the body: also its lower bound, and its literals with weights.
        atoms: The atoms with names.
    """

    def __init__(
        self, text: str, facts: Iterable[clingo.Symbol] = (), look: Callable[[ProgramClauses], None] = lambda _: None
    ) -> None:
        """The completion of a program with facts, which clingo grounds.

        Args:
            text: The program.
            facts: Facts that belong to it.
            look: Called with the ground program, before there are clauses; it may refuse the program.

        Raises:
            NotCovered: The program cannot be grounded, or contains something that cannot be completed.
        """
        ground = _Ground()
        self._control = ground_exactly(text, facts, ground)
        if ground.odd:
            raise NotCovered(f"the program has {ground.odd}")
        self.rules, self.sums, self.atoms = ground.rules, ground.sums, self._control.symbolic_atoms
        look(self)
        self.clauses: list[Clause] = []
        self._last = max((a.literal for a in self._control.symbolic_atoms if not a.is_fact), default=0)
        for _, head, body in ground.rules:
            self._last = max([self._last, *head, *map(abs, body)])
        for _, head, _, pairs in ground.sums:
            self._last = max([self._last, *head, *(abs(x) for x, _ in pairs)])
        atoms = self._last
        self._bodies: dict[Clause, int] = {}
        self._sums: dict[tuple[int, int], int] = {}
        self._tails: dict[tuple[int, int, int], int] = {}
        self._parts = [(0, 0, 0, 0)]
        supports: dict[int, list[int]] = defaultdict(list)
        for choice, head, body in ground.rules:
            self._rule(choice, head, self._conjunction(body), supports)
        for choice, head, low, pairs in ground.sums:
            self._rule(choice, head, self._sum(low, pairs), supports)
        for atom in range(1, atoms + 1):
            bodies = supports.get(atom, [])
            if TRUE not in bodies:
                self._add((-atom, *bodies))
        del self._bodies, self._sums, self._tails, self._parts

    def literals(self, name: str, arity: int) -> list[tuple[clingo.Symbol, int]]:
        """The atoms of a predicate that may hold, each with its literal; the literal of a fact is `TRUE`."""
        found = self._control.symbolic_atoms.by_signature(name, arity)
        return [(a.symbol, TRUE if a.is_fact else a.literal) for a in found]

    def _new(self) -> int:
        self._last += 1
        return self._last

    def _add(self, literals: Iterable[int]) -> None:
        """Adds a clause without literals that are always false; does nothing if the clause is always true."""
        found = set(literals)
        if TRUE in found or not found.isdisjoint([-x for x in found]):
            return
        found.discard(-TRUE)
        self.clauses.append(tuple(sorted(found)))

    def _rule(self, choice: bool, head: Sequence[int], body: int, supports: dict[int, list[int]]) -> None:
        if not choice:
            if len(head) > 1:
                raise NotCovered("the program has a disjunction")
            self._add((-body, *head))
        for atom in head:
            supports[atom].append(body)

    def _conjunction(self, body: Sequence[int]) -> int:
        """A literal that holds exactly if all literals of a body hold."""
        literals = tuple(sorted(set(body)))
        if not literals:
            return TRUE
        if len(literals) == 1:
            return literals[0]
        if literals not in self._bodies:
            self._bodies[literals] = new = self._new()
            for x in literals:
                self._add((-new, x))
            self._add((new, *(-x for x in literals)))
        return self._bodies[literals]

    def _sum(self, low: int, pairs: Sequence[tuple[int, int]]) -> int:
        """A literal that holds exactly if those that hold have at least the sum ``low``."""
        if any(weight < 0 for _, weight in pairs):
            raise NotCovered("the program has a negative weight")
        tail = 0  # the part without literals; each other one has a literal, its weight, a tail, and the largest sum
        for literal, weight in sorted(pairs, key=lambda pair: (pair[1], abs(pair[0]))):
            key = literal, weight, tail
            if key not in self._tails:
                self._tails[key] = len(self._parts)
                self._parts.append((*key, self._parts[tail][3] + weight))
            tail = self._tails[key]
        asked = [(tail, low)]
        while asked:
            part, least = asked[-1]
            literal, weight, rest, _ = self._parts[part]
            if self._at_least(part, least) is not None:
                asked.pop()
            elif (one := self._at_least(rest, least - weight)) is None:
                asked.append((rest, least - weight))
            elif (other := self._at_least(rest, least)) is None:
                asked.append((rest, least))
            else:
                self._sums[part, least] = self._choice(literal, one, other)
        made = self._at_least(tail, low)
        assert made is not None
        return made

    def _at_least(self, part: int, low: int) -> int | None:
        """The literal for a part and a sum; None if it has not been built yet."""
        if low <= 0:
            return TRUE
        return -TRUE if low > self._parts[part][3] else self._sums.get((part, low))

    def _choice(self, literal: int, one: int, other: int) -> int:
        """A literal that holds exactly if the first one does where a literal holds, and the other one elsewhere.

        The other one implies the first.
        """
        if one == other:
            return one
        if one == TRUE and other == -TRUE:
            return literal
        new = self._new()
        self._add((-literal, -one, new))
        self._add((-literal, -new, one))
        self._add((literal, -other, new))
        self._add((literal, -new, other))
        self._add((-other, new))  # these two follow, and help
        self._add((-new, one))
        return new
