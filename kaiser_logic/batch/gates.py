"""Circuits as programs of gates, which are stored, checked and run.

A program ground over facts that may or may not hold is read into a circuit. A circuit is converted to conjunctions of two
literals, each only once, which :mod:`.kernel` runs.

A circuit with loops is cut there: the values of loops are inputs of the program, and their replacements are outputs. Gates that
depend on loops have a rank, and run again until nothing changes: see :class:`.bits.CircuitBuilder`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from itertools import accumulate
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from .. import clingo
from ..engine import symbols
from ..engine.grounding import EngineProgram
from ..engine.open_grounding import OpenGrounding
from ..lang.terms import Aggregate, Atom, Compare, Range, Signature, Var
from ..lang.terms import Rule as Value
from ..lang.unification import unify
from ..rules.rule import PlacedRule
from ..solving.program import print_line
from .bits import FALSE, CircuitBuilder, Group, Unsupported

Numbers = npt.NDArray[np.int32]
"""Whole numbers of 32 bits, in one or more dimensions."""


class InvalidData(Exception):
    """Data that should be transition circuits are not."""


def table_of(rows: Sequence[Sequence[int]], width: int) -> Numbers:
    """Rows of ``width`` numbers as an array."""
    return np.array(rows, np.int32).reshape(len(rows), width)


def numbers_of(values: Sequence[int]) -> Numbers:
    """Whole numbers as an array."""
    return np.array(values, np.int32)


def pad(rows: Sequence[Sequence[int]]) -> Numbers:
    """Rows of unequal length as an array, padded with -1."""
    width = max(map(len, rows), default=0) or 1
    return table_of([[*row, *[-1] * (width - len(row))] for row in rows], width)


def require_range(values: Any, low: int, high: int) -> None:
    """Raises InvalidData unless all values lie from ``low`` to before ``high``."""
    require(not values.size or bool(values.min() >= low and values.max() < high))


def require(fine: bool) -> None:
    """Raises InvalidData unless the condition holds."""
    if not fine:
        raise InvalidData


@dataclass(frozen=True)
class Gates:
    """A program of gates.

    Values are in slots. Slot 0 is false; then come the inputs and the values of loops. A literal is twice a slot's number, or
    one more for the negation of its value.

    Attributes:
        gates: A row for each gate: its slot, which may replace a value that is no longer needed, and the two literals of
            its conjunction.
        slots: The number of slots.
        ends: The number of gates up to each rank, from 0.
        states: A row for each value of a loop: its rank, and the literal that replaces it.
        outputs: The output literals; the last one says that the circuit does not decide.
        inputs: The number of inputs.
    """

    gates: Numbers
    ends: Numbers
    states: Numbers
    outputs: Numbers
    inputs: int
    slots: int

    def check(self, inputs: int, outputs: int) -> None:
        """Checks every index, for a number of inputs, and for a number of outputs before the one for "unknown".

        Raises:
            InvalidData: An index is out of range.
        """
        require(0 <= self.inputs == inputs and inputs + len(self.states) < self.slots <= 10_000_000)
        require(self.gates.shape[1:] == (3,) and self.states.shape[1:] == (2,) and len(self.ends) > 0)
        require(self.outputs.shape == (outputs + 1,))
        require_range(self.outputs, 0, 2 * self.slots)
        require_range(self.states[:, 0], 1, len(self.ends))
        require_range(self.states[:, 1], 0, 2 * self.slots)
        require(int(self.ends[0]) >= 0 and bool((np.diff(self.ends) >= 0).all()))
        require(int(self.ends[-1]) == len(self.gates))
        require_range(self.gates[:, 0], 1, self.slots)
        require_range(self.gates[:, 1:], 0, 2 * self.slots)


def lower(circuit: CircuitBuilder, outputs: Sequence[int], places: Mapping[int, int], first: int) -> Gates:
    """The program of gates that computes some literals of a circuit.

    Args:
        circuit: The circuit.
        outputs: The literals.
        places: The places of the inputs, from 0, by their literals.
        first: The number of inputs.
    """
    order, loops = _nodes_needed(circuit, outputs)
    ranks = _ranks(circuit, loops)
    graph = _Graph([0] * (1 + first) + ranks)
    states = [state for loop in loops for state in loop]
    literals = {0: 0, **{literal >> 1: 2 + 2 * place for literal, place in places.items()}}
    literals |= {state >> 1: 2 * n for n, state in enumerate(states, 1 + first)}

    def literal(x: int) -> int:
        return literals[x >> 1] ^ (x & 1)

    for n in order:
        node = circuit.nodes[n]
        if node is not None:
            exclusive, operands = node
            literals[n] = (graph.either if exclusive else graph.all)([literal(x) for x in operands])
    wanted = [literal(x) for x in outputs]
    new = [literal(x) for loop in loops for x in loop.values()]
    return graph.schedule(wanted, list(zip(ranks, new, strict=True)), first)


class _Graph:
    """Conjunctions of two literals, each stored once (structural hashing).

    Its values and literals are those of `Gates`, and its gates are in the order in which they were made.
    """

    def __init__(self, ranks: Sequence[int]) -> None:
        """``ranks``: the ranks of the given values: false, inputs and values of loops."""
        self._heights = [(rank, 0) for rank in ranks]
        self._gates: list[tuple[int, int]] = []
        self._known: dict[tuple[int, int], int] = {}

    def conjunction(self, a: int, b: int) -> int:
        """The conjunction of two literals."""
        a, b = min(a, b), max(a, b)
        if a <= 1:
            return b if a else 0
        if a ^ b <= 1:
            return a if a == b else 0
        literal = self._known.get((a, b))
        if literal is None:
            literal = self._known[a, b] = 2 * len(self._heights)
            rank, level = max(self._heights[a >> 1], self._heights[b >> 1])
            self._heights.append((rank, level + 1))
            self._gates.append((a, b))
        return literal

    def all(self, literals: Iterable[int]) -> int:
        """The conjunction of literals. Those of low rank are joined first, so that the graph stays flat."""
        waiting = [(self._heights[x >> 1], x) for x in literals]
        heapify(waiting)
        while len(waiting) > 1:
            joint = self.conjunction(heappop(waiting)[1], heappop(waiting)[1])
            heappush(waiting, (self._heights[joint >> 1], joint))
        return waiting[0][1]

    def either(self, literals: Sequence[int]) -> int:
        """Whether exactly one of two literals holds."""
        a, b = literals
        return self.conjunction(self.conjunction(a, b) ^ 1, self.conjunction(a ^ 1, b ^ 1) ^ 1)

    def schedule(self, outputs: Sequence[int], states: Sequence[tuple[int, int]], inputs: int) -> Gates:
        """The gates that the outputs and the loops need, by rank. A slot is used again when its value is no longer needed."""
        given = len(self._heights) - len(self._gates)
        kept = {0, *(x >> 1 for x in outputs), *(x >> 1 for _, x in states)}
        needed = set(kept)
        for n in range(len(self._heights) - 1, given - 1, -1):
            if n in needed:
                needed.update(x >> 1 for x in self._gates[n - given])
        order = sorted((n for n in needed if n >= given), key=lambda n: (self._heights[n][0], n))
        readers = Counter(x >> 1 for n in order for x in self._gates[n - given])
        slot = {n: n for n in range(given)}
        free: list[int] = []
        rows: list[tuple[int, int, int]] = []
        slots = given

        def literal(x: int) -> int:
            return 2 * slot[x >> 1] + (x & 1)

        rank, waiting = 0, list[int]()
        for n in order:
            if self._heights[n][0] > rank:
                rank = self._heights[n][0]
                free += waiting
                waiting.clear()
            a, b = self._gates[n - given]
            read = literal(a), literal(b)
            for x in (a >> 1, b >> 1):
                readers[x] -= 1
                if not readers[x] and x not in kept and not inputs < x < given:
                    # The gates of a rank run several times, so the values that they read stay in their slots until then.
                    (free if self._heights[x][0] == rank else waiting).append(slot[x])
            slot[n] = free.pop() if free else slots
            slots += slot[n] == slots
            rows.append((slot[n], *read))
        sizes = Counter(self._heights[n][0] for n in order)
        ranks = range(1 + max((rank for rank, _ in states), default=0))
        return Gates(
            table_of(rows, 3),
            numbers_of(list(accumulate(sizes[rank] for rank in ranks))),
            table_of([(rank, literal(x)) for rank, x in states], 2),
            numbers_of([*map(literal, outputs)]),
            inputs,
            slots,
        )


def _nodes_needed(circuit: CircuitBuilder, outputs: Iterable[int]) -> tuple[list[int], list[Mapping[int, int]]]:
    """The nodes on which the outputs depend, each after the nodes on which it depends, and their loops likewise."""
    nodes = circuit.nodes
    seen, order, loops = {0}, list[int](), set[int]()
    roots = [x >> 1 for x in outputs]
    while roots:
        for root in roots:
            pending = [(root, False)]
            while pending:
                n, done = pending.pop()
                if done:
                    order.append(n)
                elif n not in seen:
                    seen.add(n)
                    pending.append((n, True))
                    node = nodes[n]
                    if node is not None:
                        pending.extend((x >> 1, False) for x in reversed(node[1]) if x >> 1 not in seen)
        new = {circuit.loop_of[2 * n] for n in order if 2 * n in circuit.loop_of} - loops
        loops |= new
        roots = [x >> 1 for k in sorted(new) for x in circuit.loops[k].values()]
    return order, [circuit.loops[k] for k in sorted(loops)]


def _ranks(circuit: CircuitBuilder, loops: Sequence[Mapping[int, int]]) -> list[int]:
    """For each value of each loop its rank: one more than those of the other loops that it reads."""
    rank: dict[int, int] = {}
    ranks: list[int] = []
    for loop in loops:
        pending, seen, below = [x >> 1 for x in loop.values()], set[int](), 0
        while pending:
            n = pending.pop()
            if n in seen:
                continue
            seen.add(n)
            node = circuit.nodes[n]
            if node is not None:
                pending += [x >> 1 for x in node[1]]
            elif 2 * n in circuit.loop_of and 2 * n not in loop:
                below = max(below, rank.get(n, 0))
        rank |= {state >> 1: below + 1 for state in loop}
        ranks += [below + 1] * len(loop)
    return ranks


_TOTAL: Final[Signature] = ("total", 2)
_MOST_LITERALS: Final = 3_000_000
"""The largest size of a ground program."""
_UNROLLED: Final = 12
"""The largest number of mutually dependent atoms that is unrolled; more become a loop of the circuit."""


class GroundCircuit(OpenGrounding[CircuitBuilder]):
    """A program ground over an open position; its atoms as literals of a circuit."""

    def __init__(
        self,
        circuit: CircuitBuilder,
        program: EngineProgram,
        rules: Iterable[PlacedRule | Value],
        given: Iterable[clingo.Symbol],
        possible: Mapping[clingo.Symbol, Group | None],
    ) -> None:
        """Grounds the program.

        Args:
            circuit: The circuit to which the atoms are added.
            program: The program that the rules belong to.
            rules: Its rules, as values if they have been rewritten.
            given: Facts that hold.
            possible: Facts that may hold, with their groups.

        Raises:
            Unsupported: It is too large.
        """
        self._groups = {s: group for s, group in possible.items() if symbols.signature(s) in program.inputs}
        known = [s for s in given if symbols.signature(s) in program.inputs]
        rules = list(rules)
        values = (rule.value if isinstance(rule, PlacedRule) else rule for rule in rules)
        self._totals = [value for value in values if _TOTAL in {head.signature for head in value.heads}]
        nodes = [node for rule in rules for node in _nodes(rule)]
        try:
            super().__init__(circuit, nodes, (*program.static, *known), self._groups, _MOST_LITERALS)
        except (RuntimeError, MemoryError) as error:
            raise Unsupported(str(error)) from None

    def _input(self, fact: clingo.Symbol) -> int:
        return self.circuit.input(fact, self._groups[fact])

    def beyond_limits(self) -> int:
        """Whether the total of some measure of the program is outside of its limits.

        Without limits the sums would have a value for each subset of their elements. In positions of a sound rulebook the
        literal never holds.
        """
        measured: dict[clingo.Symbol, list[int]] = {
            atom.symbol.arguments[0]: []
            for rule in self._totals
            for bounds in rule.body
            if isinstance(bounds, Atom) and bounds.name in ("limit", "range")
            for atom in self._atoms(*bounds.signature)
            if unify(bounds.args[0], symbols.term_of(atom.symbol.arguments[0]), {}) is not None
        }
        for symbol, literal in self.get(*_TOTAL).items():
            measured[symbol.arguments[0]].append(literal)
        return self.circuit.disj([self.circuit.disj(counters) ^ 1 for counters in measured.values()])

    def _define_recursive(self, component: Sequence[int]) -> None:
        inside = set(component)
        for atom in component:
            for bound, body in self._bodies(atom):
                if bound is not None or any(-one in inside for one in body):
                    raise Unsupported("a sum or a negation within a recursion")
        if len(component) > _UNROLLED:
            self._known.update(zip(component, self.circuit.values(len(component)), strict=True))
            self.circuit.repeat({self._known[atom]: self._gather(atom, inside) for atom in component})
            return
        values = dict.fromkeys(component, FALSE)
        for _ in component:  # from below: after as many rounds as atoms nothing new can follow
            self._known.update(values)
            new = {atom: self._literal_from_rules(atom) for atom in component}
            if new == values:
                break
            values = new
        self._known.update(values)

    def _gather(self, atom: int, inside: set[int]) -> int:
        """An atom's literal, as a function of the values of its component: bodies are grouped by the values that they read.

        The other parts of the bodies are often the same for many components, and are then built once.
        """
        known = self._known
        bodies: dict[int, list[int]] = defaultdict(list)
        for _, body in self._bodies(atom):
            within = self.circuit.conj([known[one] for one in body if one in inside])
            rest = [known[abs(one)] ^ (one < 0) for one in body if one not in inside]
            bodies[within].append(self.circuit.conj(rest))
        conj, disj = self.circuit.conj, self.circuit.disj
        return disj([conj([within, disj(rests)]) for within, rests in bodies.items()])


def _nodes(rule: PlacedRule | Value) -> Iterable[clingo.Tree]:
    """The syntax trees of a rule; those of a total state its range."""
    if isinstance(rule, PlacedRule) and _TOTAL not in {head.signature for head in rule.heads}:
        return (clingo.tree(rule.text),)
    value = rule.value if isinstance(rule, PlacedRule) else rule
    return clingo.trees(print_line(_rule_with_range(value) or value))


def _rule_with_range(rule: Value) -> Value | None:
    """The rule for a total with its range; None for any other rule.

    >>> from kaiser_logic.lang.reader import read_rule
    >>> print_line(_rule_with_range(read_rule("total(gold,N_) :- limit(gold,_,_), N_ = #sum { W,X : counts(gold,X,W) }.")))
    'total(gold,N_) :- limit(gold,Least_,Most_); N_ = (Least_..Most_); N_ = #sum { W,X: counts(gold,X,W) }.'
    """
    least, most = Var("Least_"), Var("Most_")
    match rule:
        case Value(
            Atom("total", (_, Var("N_") as number)),
            (
                Atom("limit" | "range" as kind, (measure, Var("_"), Var("_")), 0),
                Aggregate("#sum") as total,
                *rest,
            ),
        ) if total.guards == (("=", number),) and not total.sign:
            bounds = Atom(kind, (measure, least, most)), Compare(number, "=", Range(least, most))
            return Value(rule.head, (*bounds, total, *rest))
        case _:
            return None
