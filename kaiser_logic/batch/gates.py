"""Circuits as programs of gates: what is kept, checked and run.

A circuit becomes conjunctions of two literals, each once, which :mod:`.kernel` runs.

Where a circuit has loops it is cut there: the values of loops are inputs of the program, and what takes their place are
outputs. What depends on loops has a rank, and is run again and again until nothing changes: see :class:`.bits.Circuit`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from itertools import accumulate
from typing import Any

import numpy as np
import numpy.typing as npt

from .bits import Circuit

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


def padded(rows: Sequence[Sequence[int]]) -> Numbers:
    """Rows of unequal length as an array, filled up with -1."""
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

    Values lie in slots. Slot 0 is false; then come the inputs and the values of loops. A literal is twice a slot's number, or
    one more for the negation of what is in it.

    Attributes:
        gates: A row for each: the slot it is for, where something may have been that nobody reads any more, and the two
            literals that both hold where it does.
        slots: How many slots there are.
        ends: How many gates there are up to each rank, from 0.
        states: A row for each value of a loop: its rank, and the literal that takes its place.
        outputs: The literals asked for; the last one says that the circuit does not know.
        inputs: How many inputs there are.
    """

    gates: Numbers
    ends: Numbers
    states: Numbers
    outputs: Numbers
    inputs: int
    slots: int

    def check(self, inputs: int, outputs: int) -> None:
        """Checks every index, for a program of so many inputs, and of so many outputs before the one for "unknown".

        Raises:
            InvalidData: One of them points elsewhere.
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


def lower(circuit: Circuit, outputs: Sequence[int], places: Mapping[int, int], first: int) -> Gates:
    """The program of gates that computes some literals of a circuit.

    Args:
        circuit: The circuit.
        outputs: The literals.
        places: The places of the inputs, from 0, by their literals.
        first: How many inputs there are.
    """
    order, loops = _needed(circuit, outputs)
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
            exclusive, its = node
            literals[n] = (graph.either if exclusive else graph.all)([literal(x) for x in its])
    wanted = [literal(x) for x in outputs]
    new = [literal(x) for loop in loops for x in loop.values()]
    return graph.schedule(wanted, list(zip(ranks, new, strict=True)), first)


class _Graph:
    """Conjunctions of two literals, each kept once (structural hashing).

    Its values and literals are those of `Gates`, the gates in the order in which they were joined.
    """

    def __init__(self, ranks: Sequence[int]) -> None:
        """``ranks``: those of the given values: false, inputs and values of loops."""
        self._heights = [(rank, 0) for rank in ranks]
        self._gates: list[tuple[int, int]] = []
        self._known: dict[tuple[int, int], int] = {}

    def both(self, a: int, b: int) -> int:
        """The conjunction of two literals."""
        a, b = min(a, b), max(a, b)
        if a <= 1:
            return b if a else 0
        if a ^ b <= 1:
            return a if a == b else 0
        found = self._known.get((a, b))
        if found is None:
            found = self._known[a, b] = 2 * len(self._heights)
            rank, level = max(self._heights[a >> 1], self._heights[b >> 1])
            self._heights.append((rank, level + 1))
            self._gates.append((a, b))
        return found

    def all(self, literals: Iterable[int]) -> int:
        """The conjunction of literals: those that are known first are joined first, so that the graph stays flat."""
        waiting = [(self._heights[x >> 1], x) for x in literals]
        heapify(waiting)
        while len(waiting) > 1:
            found = self.both(heappop(waiting)[1], heappop(waiting)[1])
            heappush(waiting, (self._heights[found >> 1], found))
        return waiting[0][1]

    def either(self, literals: Sequence[int]) -> int:
        """Whether exactly one of two literals holds."""
        a, b = literals
        return self.both(self.both(a, b) ^ 1, self.both(a ^ 1, b ^ 1) ^ 1)

    def schedule(self, outputs: Sequence[int], states: Sequence[tuple[int, int]], inputs: int) -> Gates:
        """The gates that the outputs and the loops need, by rank; a slot is used again when its value has been read."""
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
                    # The gates of a rank are run again and again: what they read of others stays until they are done.
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


def _needed(circuit: Circuit, outputs: Iterable[int]) -> tuple[list[int], list[Mapping[int, int]]]:
    """The nodes that outputs depend on, each after those it depends on, and the loops among them, likewise."""
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


def _ranks(circuit: Circuit, loops: Sequence[Mapping[int, int]]) -> list[int]:
    """For each value of each loop its rank: one more than those of the other loops that it reads."""
    rank: dict[int, int] = {}
    found: list[int] = []
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
        found += [below + 1] * len(loop)
    return found
