"""Circuits as programs of gates, made smaller by an AIG library: what is kept, checked and run.

A circuit becomes an and-inverter graph, which `aigverse <https://github.com/marcelwa/aigverse>`_ rewrites; whether the
result is equivalent is checked once, by clingo, and where that is not proved the graph stays as it was.
A program is a list of conjunctions of two literals, which :mod:`.kernel` runs.

Where a circuit has loops it is cut there: the values of loops are inputs of the graph, and what takes their place are
outputs. What depends on loops has a rank, and is run again and again until nothing changes: see :class:`.bits.Circuit`.
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
from .bits import Circuit

_ROUNDS: Final = 2
"""So often a graph is rewritten, as long as it becomes smaller."""
_TOGETHER: Final = 100
"""So many outputs are proved to be equivalent at a time."""
_CONFLICTS: Final = 20_000
"""So much effort is made to prove it."""
_LARGEST: Final = 200_000
"""Larger graphs are not rewritten."""

Numbers = npt.NDArray[np.int32]
"""Whole numbers of 32 bits, in one or more dimensions."""


class Damaged(Exception):
    """What should be a bucket is none."""


def table_of(rows: Sequence[Sequence[int]], width: int) -> Numbers:
    """Rows of this width as an array."""
    return np.array(rows, np.int32).reshape(len(rows), width)


def numbers_of(values: Sequence[int]) -> Numbers:
    """Whole numbers as an array."""
    return np.array(values, np.int32)


def padded(rows: Sequence[Sequence[int]]) -> Numbers:
    """Rows of unequal length, filled with -1."""
    width = max(map(len, rows), default=0) or 1
    return table_of([[*row, *[-1] * (width - len(row))] for row in rows], width)


def within(values: Any, low: int, high: int) -> None:
    """Damaged unless all of them lie from ``low`` to before ``high``."""
    demand(not values.size or bool(values.min() >= low and values.max() < high))


def demand(fine: bool) -> None:
    """Damaged unless this holds."""
    if not fine:
        raise Damaged


@dataclass(frozen=True)
class Gates:
    """A program of gates.

    Value 0 is false; then come the inputs, the values of loops, and the gates. A literal is twice a value's number, or one
    more for its negation.

    Attributes:
        gates: A row for each: the two literals that both hold where it does. They are of values before it.
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

    @property
    def values(self) -> int:
        """How many values there are."""
        return 1 + self.inputs + len(self.states) + len(self.gates)

    def check(self, inputs: int, outputs: int) -> None:
        """Looks at every index: there are so many inputs, and outputs besides that for "unknown".

        Raises:
            Damaged: One of them points elsewhere.
        """
        demand(0 <= self.inputs == inputs and self.values <= 10_000_000)
        demand(self.gates.shape[1:] == (2,) and self.states.shape[1:] == (2,) and len(self.ends) > 0)
        demand(self.outputs.shape == (outputs + 1,))
        within(self.outputs, 0, 2 * self.values)
        within(self.states[:, 0], 1, len(self.ends))
        within(self.states[:, 1], 0, 2 * self.values)
        demand(int(self.ends[0]) >= 0 and bool((np.diff(self.ends) >= 0).all()))
        demand(int(self.ends[-1]) == len(self.gates))
        before = np.arange(self.values - len(self.gates), self.values)[:, None]
        demand(bool((self.gates >= 0).all() and (self.gates < 2 * before).all()))


def lowered(circuit: Circuit, outputs: Sequence[int], places: Mapping[int, int], first: int) -> Gates:
    """The program that computes some literals.

    Args:
        circuit: The circuit.
        outputs: The literals.
        places: The places of the inputs, from 0, by their literals.
        first: How many inputs there are.
    """
    order, loops = needed(circuit, outputs)
    states = [state for loop in loops for state in loop]
    graph, wanted = _graph(circuit, order, outputs, places, first, loops)
    for signal in wanted:
        graph.create_po(signal)
    return _arranged(rewritten(graph), first, _ranks(circuit, loops), len(states))


def rewritten(graph: Any) -> Any:
    """An equivalent graph that is smaller, if one is found."""
    from aigverse import algorithms

    if not 0 < graph.num_gates <= _LARGEST:
        return graph
    best = algorithms.cleanup_dangling(graph)
    for _ in range(_ROUNDS):
        found: Any = algorithms.aig_cut_rewriting(best)
        found = algorithms.sop_refactoring(found)
        found = algorithms.aig_resubstitution(found)
        found = algorithms.cleanup_dangling(found)
        if found.num_gates > 0.98 * best.num_gates:
            break
        best = found
    return best if best is not graph and equivalent(graph, best) else graph


def equivalent(first: Any, second: Any) -> bool:
    """Whether two graphs are proved to say the same, output by output, whatever their inputs are.

    The proof is clingo's: the library's own checker needs minutes for what it has itself rewritten.
    """
    solver = clingo.control(f"--solve-limit={_CONFLICTS},umax")
    atoms: dict[tuple[int, ...], int] = {}
    with solver.backend() as backend:
        inputs = [backend.add_atom() for _ in first.pis()]
        backend.add_rule(inputs, [], True)
        false = backend.add_atom()

        def encoded(graph: Any) -> list[int]:
            known = {0: false, **dict(zip(graph.pis(), inputs, strict=True))}
            for n in graph.gates():
                body = tuple(
                    sorted(-known[s.index] if s.complement else known[s.index] for s in graph.fanins(n))
                )
                if body not in atoms:
                    atoms[body] = backend.add_atom()
                    backend.add_rule([atoms[body]], body)
                known[n] = atoms[body]
            return [-known[s.index] if s.complement else known[s.index] for s in graph.pos()]

        pairs = {(a, b) for a, b in zip(encoded(first), encoded(second), strict=True) if a != b}
    ordered = sorted(pairs, key=lambda pair: (max(map(abs, pair)), pair))
    for at in range(0, len(ordered), _TOGETHER):
        with solver.backend() as backend:
            differ = backend.add_atom()
            for a, b in ordered[at : at + _TOGETHER]:
                backend.add_rule([differ], [a, -b])
                backend.add_rule([differ], [-a, b])
        if not solver.solve(assumptions=[differ]).unsatisfiable:
            return False
        with solver.backend() as backend:
            backend.add_rule([], [differ])
    return True


def needed(circuit: Circuit, outputs: Iterable[int]) -> tuple[list[int], list[Mapping[int, int]]]:
    """The nodes that outputs need, each after those that it needs, and the loops, likewise."""
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


def _graph(
    circuit: Circuit,
    order: Sequence[int],
    outputs: Sequence[int],
    places: Mapping[int, int],
    first: int,
    loops: Sequence[Mapping[int, int]],
) -> tuple[Any, list[Any]]:
    """An and-inverter graph of nodes, and what is asked of it: the outputs, and what takes the place of loops' values."""
    from aigverse.networks import Aig

    graph = Aig()
    given = [graph.create_pi() for _ in range(first + sum(map(len, loops)))]
    false = graph.get_constant(False)
    signals = {0: false, **{literal >> 1: given[place] for literal, place in places.items()}}
    depth: dict[int, int] = defaultdict(int)
    signals |= {
        state >> 1: its for state, its in zip((s for loop in loops for s in loop), given[first:], strict=True)
    }
    fan: Counter[int] = Counter()
    for n in order:
        node = circuit.nodes[n]
        if node is not None:
            fan.update(node[1])

    def signal(literal: int) -> Any:
        return ~signals[literal >> 1] if literal & 1 else signals[literal >> 1]

    for n in order:
        node = circuit.nodes[n]
        if node is None:
            continue
        exclusive, literals = node
        if exclusive:
            signals[n] = graph.create_xor(*map(signal, literals))
            depth[n] = 2 + max(depth[x >> 1] for x in literals)
            continue
        waiting = [(depth[x >> 1], -fan[x], x, signal(x)) for x in literals]
        heapify(waiting)
        while len(waiting) > 1:  # those that are known first are joined first: the graph stays flat
            a, b = heappop(waiting), heappop(waiting)
            heappush(waiting, (1 + max(a[0], b[0]), 0, max(a[2], b[2]), graph.create_and(a[3], b[3])))
        depth[n], _, _, signals[n] = waiting[0]
    return graph, [*map(signal, outputs), *(signal(x) for loop in loops for x in loop.values())]


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


def _arranged(graph: Any, inputs: int, ranks: Sequence[int], states: int) -> Gates:
    """A graph as a program: its gates by rank and level, so that neighbours seldom wait for each other."""
    pis = graph.pis()
    height: dict[int, tuple[int, int]] = {0: (0, 0), **dict.fromkeys(pis[:inputs], (0, 0))}
    height |= {pi: (rank, 0) for pi, rank in zip(pis[inputs:], ranks, strict=True)}
    reads = {n: graph.fanins(n) for n in graph.gates()}
    for n, its in reads.items():
        rank, level = max(height[s.index] for s in its)
        height[n] = rank, level + 1
    number = {0: 0, **{pi: n for n, pi in enumerate(pis, 1)}}
    order = sorted(reads, key=height.__getitem__)
    number |= {n: k for k, n in enumerate(order, 1 + len(pis))}

    def literal(s: Any) -> int:
        return 2 * number[s.index] + int(s.complement)

    sizes = Counter(height[n][0] for n in order)
    found = [literal(s) for s in graph.pos()]
    outputs, new = (found[:-states], found[-states:]) if states else (found, [])
    return Gates(
        table_of([tuple(map(literal, reads[n])) for n in order], 2),
        numbers_of(list(accumulate(sizes[rank] for rank in range(1 + max(ranks, default=0))))),
        table_of(list(zip(ranks, new, strict=True)), 2),
        numbers_of(outputs),
        inputs,
    )
