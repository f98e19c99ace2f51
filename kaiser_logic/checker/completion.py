"""The completion of a ground program, as clauses.

Only clingo reads and grounds the text. This module receives each ground rule (the intermediate format aspif) and writes
Clark's completion of the program: an atom holds exactly if the body of one of its rules holds. Every stable model is a
model of the completion. So if the clauses have no model, the program has no answer set, whether it is tight or not.

A body of several literals gets an atom of its own, which clauses define in both directions, and so does a sum with a lower
bound. A sum becomes a binary decision diagram. ``sum(i,k)`` says that the literals from the i-th on have at least the sum
k. It holds if ``sum(i+1,k)`` holds, or if the i-th literal and ``sum(i+1,k-weight)`` hold (Eén and Sörensson 2006). Equal
parts are written once. Of atoms of which at most one holds, such as the values of a counter, all are asked at once: the
diagram is narrower, and right in each answer set.

>>> made = ProgramClauses("{a; b}. c :- a, b. d(1) :- 1 <= #sum { 1,x : a; 1,y : b }.")
>>> made.clauses[:3]
[(-3, 4), (-6, 1), (-6, 2)]
>>> made.literals("d", 1)
[(Function('d', [Number(1)], True), 4)]
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias

from .. import clingo
from .text import NotCovered, ground_exactly

Clause: TypeAlias = tuple[int, ...]
_Rule: TypeAlias = tuple[bool, Sequence[int], Sequence[int]]
_Sum: TypeAlias = tuple[bool, Sequence[int], int, Sequence[tuple[int, int]]]

TRUE: Final = 1 << 60
"""An atom that always holds. It occurs in no clause."""


MOST: Final = 3_000_000
"""The largest number of rules of a ground program."""


class TooManyRules(NotCovered):
    """The ground program has more rules than allowed; ``sizes``: for each predicate how many."""

    def __init__(self, sizes: Counter[tuple[str, int]]) -> None:
        super().__init__(f"the ground program has {sizes.total():,} rules")
        self.sizes = sizes


class _Ground(clingo.Observer):
    """The ground program that clingo reports; ``odd``: something in it that cannot be completed, or empty."""

    def __init__(self) -> None:
        self.odd = ""
        self.rules: list[_Rule] = []
        self.sums: list[_Sum] = []

    def rule(self, choice: bool, head: Sequence[int], body: Sequence[int]) -> None:
        self.rules.append((choice, head, body))

    def weight_rule(
        self, choice: bool, head: Sequence[int], lower_bound: int, body: Sequence[tuple[int, int]]
    ) -> None:
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
        self,
        text: str,
        facts: Iterable[clingo.Symbol] = (),
        most: int = MOST,
        alike: Callable[[clingo.Symbol], object] = lambda _: None,
    ) -> None:
        """The completion of a program with facts, which clingo grounds, if it has at most so many rules.

        Args:
            text: The program.
            facts: The facts.
            most: How many rules the ground program may have.
            alike: The group of an atom; None if it has none. In each answer set at most one atom of a group holds.

        Raises:
            NotCovered: The program cannot be grounded, or contains something that cannot be completed.
        """
        ground = _Ground()
        self._control = ground_exactly(text, facts, ground)
        if ground.odd:
            raise NotCovered(f"the program has {ground.odd}")
        self.rules, self.sums, self.atoms = ground.rules, ground.sums, self._control.symbolic_atoms
        if len(self.rules) > most:
            name = {a.literal: (a.symbol.name, len(a.symbol.arguments)) for a in self.atoms}
            raise TooManyRules(Counter(name.get(x, ("", 0)) for _, head, _ in self.rules for x in head))
        self.clauses: list[Clause] = []
        self._last = max((a.literal for a in self._control.symbolic_atoms if not a.is_fact), default=0)
        for _, head, body in ground.rules:
            self._last = max([self._last, *head, *map(abs, body)])
        for _, head, _, pairs in ground.sums:
            self._last = max([self._last, *head, *(abs(x) for x, _ in pairs)])
        atoms = self._last
        self._bodies: dict[Clause, int] = {}
        self._sums: dict[tuple[int, int], int] = {}
        self._tails: dict[tuple[int, tuple[tuple[int, int], ...], int], int] = {}
        self._parts: list[_Part] = [_Part((), 0, 0, 0, 0)]
        self._groups = {
            a.literal: group for a in self.atoms if not a.is_fact and (group := alike(a.symbol)) is not None
        }
        supports: dict[int, list[int]] = defaultdict(list)
        for choice, head, body in ground.rules:
            self._rule(choice, head, self._conjunction(body), supports)
        for choice, head, low, pairs in ground.sums:
            self._rule(choice, head, self._sum(low, pairs), supports)
        for atom in range(1, atoms + 1):
            bodies = supports.get(atom, [])
            if TRUE not in bodies:
                self._add((-atom, *bodies))
        del self._bodies, self._sums, self._tails, self._parts, self._groups

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
        if TRUE in found or any(-x in found for x in found):
            return
        self.clauses.append(tuple(sorted(found - {-TRUE})))

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
        # the sum that keeps a group below 2 must not presuppose that
        limiting = low == 2 and len({self._groups.get(x, 0) for x, _ in pairs}) == 1
        known = {} if limiting else self._groups
        tail = 0
        for cases, none in _blocks(pairs, known):
            key = tail, cases, none
            if key not in self._tails:
                self._tails[key] = len(self._parts)
                rest, sums = self._parts[tail], [none, *(n for _, n in cases)]
                self._parts.append(_Part(cases, none, tail, rest.least + min(sums), rest.most + max(sums)))
            tail = self._tails[key]
        return self._at_least(tail, low)

    def _at_least(self, part: int, low: int) -> int:
        """A literal that holds exactly if the blocks of a part, and of its tails, have at least the sum ``low``."""
        asked = [(part, low)]
        while asked:
            one, least = asked[-1]
            if self._literal_of(one, least) is not None:
                asked.pop()
                continue
            cases, none, tail = self._parts[one][:3]
            needed = dict.fromkeys(least - n for n in (none, *(n for _, n in cases)))
            missing = [(tail, k) for k in needed if self._literal_of(tail, k) is None]
            if missing:
                asked += missing
                continue
            asked.pop()
            tails = {k: self._literal_of(tail, k) or TRUE for k in needed}
            self._sums[one, least] = self._node(
                [(x, tails[least - n]) for x, n in cases], tails, least - none
            )
        found = self._literal_of(part, low)
        assert found is not None
        return found

    def _literal_of(self, part: int, low: int) -> int | None:
        """The literal for a part and a sum; None if it has not been built yet."""
        if low <= self._parts[part].least:
            return TRUE
        return -TRUE if low > self._parts[part].most else self._sums.get((part, low))

    def _node(self, cases: Sequence[tuple[int, int]], tails: Mapping[int, int], none: int) -> int:
        """A literal that holds exactly if the tail of the case that holds does; ``none``: the sum that is left if none does."""
        otherwise = tails[none]
        if all(tail == otherwise for _, tail in cases):
            return otherwise
        if len(cases) == 1 and {cases[0][1], otherwise} == {TRUE, -TRUE}:
            return cases[0][0] if cases[0][1] == TRUE else -cases[0][0]
        new = self._new()
        atoms = [atom for atom, _ in cases]
        for atom, tail in cases:
            self._add((-atom, -tail, new))
            self._add((-atom, -new, tail))
        self._add((*atoms, -otherwise, new))
        self._add((*atoms, -new, otherwise))
        # these two follow, and help: the sum is at least that of the smallest case, and at most that of the largest
        self._add((-tails[max(tails)], new))
        self._add((-new, tails[min(tails)]))
        return new


class _Part(NamedTuple):
    """A block of a sum and what follows it: its cases, what counts if none holds, its tail, the least and the largest sum."""

    cases: tuple[tuple[int, int], ...]
    none: int
    tail: int
    least: int
    most: int


def _blocks(
    pairs: Sequence[tuple[int, int]], known: Mapping[int, object]
) -> list[tuple[tuple[tuple[int, int], ...], int]]:
    """The literals of a sum in blocks of which at most one atom holds: what counts for each that holds, and if none does."""
    blocks: dict[object, list[tuple[int, int]]] = defaultdict(list)
    for literal, weight in pairs:
        blocks[known.get(abs(literal), -abs(literal))].append((literal, weight))
    found = []
    for members in blocks.values():
        none = sum(weight for literal, weight in members if literal < 0)
        more: dict[int, int] = defaultdict(int)
        for literal, weight in members:
            more[abs(literal)] += weight if literal > 0 else -weight
        found.append((tuple((atom, none + n) for atom, n in sorted(more.items())), none))
    # the diagram begins with the largest weight, which comes last
    return sorted(found, key=lambda b: (max(abs(n - b[1]) for _, n in b[0]), b))
