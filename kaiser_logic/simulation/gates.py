"""A circuit as a program: gates of two inputs in an order, each with the place where its value goes.

Values lie in slots. Inputs keep theirs; the other slots are used again as soon as nobody reads them any more. The gates
are ordered so that many of one kind follow each other, which spares whoever runs them the asking. Where the circuit has
loops a part of the program is run again and again until nothing changes: see :class:`.bits.Circuit`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from .bits import Circuit
from .segments import Loops, needed, parted

AND: Final = 0
AND_NOT: Final = 1
NOR: Final = 2
XOR: Final = 3
KEEP: Final = 4
"""No gate: a loop's value becomes the one read; whether it was another one is noted."""
AGAIN: Final = 5
"""No gate: goes back by so many rows if something was another one, but no more often than the second number says."""
KINDS: Final = 6
CONSTANT: Final = -1
"""In place of a slot: the output is always the same."""

Gate: TypeAlias = tuple[int, int, int]
"""Kind and the two values that it reads."""
Value: TypeAlias = tuple[int, int]
"""A value, which is below 0 for a constant, and whether it is negated (of a constant: what it is)."""
Row: TypeAlias = tuple[int, int, int, int]
"""Kind, value made, values read; of `AGAIN` the last two are numbers."""


@dataclass(frozen=True)
class Code:
    """A program of gates.

    Attributes:
        gates: Kind, slot of the value, slots of the two values read.
        outputs: For each output its slot, or `CONSTANT`, and whether it is negated (1) there.
        slots: How many there are.
    """

    gates: list[tuple[int, int, int, int]]
    outputs: list[tuple[int, int]]
    slots: int


def lowered(circuit: Circuit, outputs: Sequence[int], places: Mapping[int, int], first: int) -> Code:
    """The program that computes some literals.

    Args:
        circuit: The circuit.
        outputs: The literals.
        places: The slots of the inputs, by their literals.
        first: The first slot that is free.
    """
    order, loops = needed(circuit, outputs)
    states = [state for loop in loops for state in loop]
    fixed = [*places, *states]
    builder = _Builder(circuit, {literal >> 1: n for n, literal in enumerate(fixed)})
    builder.build(order)
    results = [builder.value(x) for x in outputs]
    known = {state: len(places) + n for n, state in enumerate(states)}
    pairs = [[(known[s], builder.plain(x)) for s, x in loop.items()] for loop in loops]
    builder.forget()
    rows, bodies = _arranged(builder, results, Loops.of(loops, pairs, circuit))
    slots = [*places.values(), *range(first, first + len(states))]
    return _allocated(rows, bodies, results, slots, first + len(states))


class _Builder:
    """Gates of two inputs out of conjunctions of many; pairs that several conjunctions share are built once."""

    def __init__(self, circuit: Circuit, inputs: dict[int, int]) -> None:
        """``inputs``: the values of the nodes that are given."""
        self.offset = len(inputs)
        self.gates: list[Gate] = []
        self._nodes = circuit.nodes
        self._known: dict[Gate, int] = {}
        self._values: dict[int, Value] = {n: (value, 0) for n, value in inputs.items()}

    def build(self, order: Sequence[int]) -> None:
        """Makes gates of nodes, each of which comes after those that it needs."""
        fan: Counter[int] = Counter()
        for n in order:
            node = self._nodes[n]
            if node is not None:
                fan.update(node[1])
        for n in order:
            node = self._nodes[n]
            if node is None:
                continue
            exclusive, literals = node
            ordered = literals if exclusive else sorted(literals, key=lambda x: (-fan[x], x))
            parts = [self.value(x) for x in ordered]
            value = parts[0]
            for part in parts[1:]:
                value = self._xor(value, part) if exclusive else self._and(value, part)
            self._values[n] = value

    def value(self, literal: int) -> Value:
        """The value of a literal."""
        if literal <= 1:
            return CONSTANT, literal
        value, negated = self._values[literal >> 1]
        return value, negated ^ (literal & 1)

    def plain(self, literal: int) -> int:
        """The value of a literal, as a gate if it is negated or constant; there must be an input."""
        value, negated = self.value(literal)
        if value == CONSTANT:
            value = self._gate(XOR, 0, 0)
        return self._gate(NOR, value, value) if negated else value

    def forget(self) -> None:
        """Gives back the memory of what is only needed while gates are made."""
        self._known.clear()
        self._values.clear()

    def _gate(self, kind: int, a: int, b: int) -> int:
        gate = (kind, b, a) if kind != AND_NOT and b < a else (kind, a, b)
        found = self._known.get(gate)
        if found is None:
            found = self._known[gate] = self.offset + len(self.gates)
            self.gates.append(gate)
        return found

    def _and(self, x: Value, y: Value) -> Value:
        (a, not_a), (b, not_b) = x, y
        if not_a and not_b:
            return self._gate(NOR, a, b), 0
        if not_b:
            return self._gate(AND_NOT, a, b), 0
        return (self._gate(AND_NOT, b, a) if not_a else self._gate(AND, a, b)), 0

    def _xor(self, x: Value, y: Value) -> Value:
        return self._gate(XOR, x[0], y[0]), x[1] ^ y[1]


def _arranged(
    builder: _Builder, results: Sequence[Value], loops: Loops
) -> tuple[list[Row], list[tuple[int, int]]]:
    """The rows of a program, and which of them are run again and again: from and to before which row."""
    rows: list[Row] = []
    bodies: list[tuple[int, int]] = []
    wanted = [*(v for v, _ in results), *loops.read]
    for rank, gates in parted(builder.gates, builder.offset, wanted, loops):
        inside = loops.at(rank)
        rows += [(XOR, state, state, state) for state, _ in inside]
        begin = len(rows)
        rows += _scheduled(builder.gates, gates, builder.offset)
        if inside:
            rows += [(KEEP, state, new, new) for state, new in inside]
            rows.append((AGAIN, inside[0][0], len(rows) - begin, len(inside) + 2))
            bodies.append((begin, len(rows)))
    return rows, bodies


def _scheduled(gates: Sequence[Gate], which: Sequence[int], offset: int) -> list[Row]:
    """Some gates in long runs of one kind: of what is ready, what is of the same kind comes first."""
    here = set(which)
    users: dict[int, list[int]] = defaultdict(list)
    missing = dict.fromkeys(which, 0)
    ready: list[list[int]] = [[] for _ in range(KINDS)]
    for i in which:
        for value in {gates[i][1], gates[i][2]}:
            if value - offset in here:
                users[value - offset].append(i)
                missing[i] += 1
    for i in reversed(which):
        if not missing[i]:
            ready[gates[i][0]].append(i)
    rows: list[Row] = []
    while any(ready):
        queue = max(ready, key=len)
        while queue:
            i = queue.pop()
            rows.append((gates[i][0], offset + i, *gates[i][1:]))
            for user in users[i]:
                missing[user] -= 1
                if not missing[user]:
                    ready[gates[user][0]].append(user)
    return rows


def _allocated(
    rows: Sequence[Row], bodies: Sequence[tuple[int, int]], outputs: list[Value], fixed: list[int], first: int
) -> Code:
    """The rows with slots: that of a value is free again after its last reader, or after the loop that it is in."""
    slot = dict(enumerate(fixed))
    expiring: dict[int, list[int]] = defaultdict(list)
    for value, i in _last_reader(rows, bodies, outputs).items():
        if value >= len(fixed):
            expiring[i].append(value)
    free: list[int] = []
    slots = first
    found: list[tuple[int, int, int, int]] = []
    for i, (kind, made, a, b) in enumerate(rows):
        sources = (a, b) if kind == AGAIN else (slot[a], slot[b])
        free += [slot[value] for value in expiring[i]]
        if made not in slot and free:
            slot[made] = free.pop()
        elif made not in slot:
            slot[made], slots = slots, slots + 1
        found.append((kind, slot[made], *sources))
    results = [(slot[value] if value >= 0 else CONSTANT, negated) for value, negated in outputs]
    return Code(found, results, slots)


def _last_reader(
    rows: Sequence[Row], bodies: Sequence[tuple[int, int]], outputs: list[Value]
) -> dict[int, int]:
    """For each value the last row that reads it; where a loop reads what it has not made, the loop's end."""
    last: dict[int, int] = {}
    for i, (kind, _, a, b) in enumerate(rows):
        if kind != AGAIN:
            last[a] = last[b] = i
    for begin, end in bodies:
        made = {row[1] for row in rows[begin:end]}
        for row in rows[begin : end - 1]:
            last |= {value: max(last[value], end - 1) for value in row[2:] if value not in made}
    last |= {value: len(rows) for value, _ in outputs}
    return last
