"""Which parts of a circuit belong to which part of a program: what is run once, and what again and again.

Rank 0 is what needs no loop, rank 1 the bodies of the loops that need no other ones, rank 2 what needs these loops, and so
on. Loops of one rank are run together, until nothing changes in any of them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from .bits import Circuit


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


@dataclass(frozen=True)
class Loops:
    """The loops of a program.

    Attributes:
        ranks: For each value that a loop has the rank of the loop.
        pairs: For each rank the values that its loops have, each with the one that takes its place.
    """

    ranks: Mapping[int, int]
    pairs: Mapping[int, Sequence[tuple[int, int]]]

    @classmethod
    def of(
        cls, loops: Sequence[Mapping[int, int]], values: Sequence[Sequence[tuple[int, int]]], circuit: Circuit
    ) -> Loops:
        """Of a circuit's loops, each with its values: what it has, and what takes its place."""
        rank: dict[int, int] = {}
        ranks: dict[int, int] = {}
        pairs: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for loop, its in zip(loops, values, strict=True):
            below = [rank.get(s >> 1, 0) for s in _states(circuit, loop)]
            found = max(below, default=-1) + 2 if any(below) else 1
            for state, (value, new) in zip(loop, its, strict=True):
                rank[state >> 1] = ranks[value] = found
                pairs[found].append((value, new))
        return cls(ranks, pairs)

    def at(self, rank: int) -> Sequence[tuple[int, int]]:
        """What the loops of a rank have, each value with the one that takes its place."""
        return self.pairs.get(rank, ())

    @property
    def read(self) -> list[int]:
        """The values that take the place of others."""
        return [new for its in self.pairs.values() for _, new in its]


def _states(circuit: Circuit, loop: Mapping[int, int]) -> list[int]:
    """The values of other loops that a loop reads."""
    order, pending, seen = list[int](), [x >> 1 for x in loop.values()], set[int]()
    while pending:
        n = pending.pop()
        if n in seen:
            continue
        seen.add(n)
        node = circuit.nodes[n]
        if node is not None:
            pending += [x >> 1 for x in node[1]]
        elif 2 * n in circuit.loop_of and 2 * n not in loop:
            order.append(2 * n)
    return order


def parted(
    gates: Sequence[tuple[int, int, int]], offset: int, wanted: Iterable[int], loops: Loops
) -> Iterator[tuple[int, list[int]]]:
    """The gates that are wanted, by rank, and of each rank in order.

    Args:
        gates: Kind and the two values that each reads; each gate's own value is its number and ``offset``.
        offset: See there.
        wanted: The values that are wanted.
        loops: Values that are no gates.
    """
    use = _used(gates, offset, wanted)
    inside = _bodies(gates, offset, loops)
    rank_of = dict(loops.ranks)
    found: dict[int, list[int]] = {rank: [] for rank in (0, *loops.pairs)}
    for i, (_, a, b) in enumerate(gates):
        rank = max(rank_of.get(a, 0), rank_of.get(b, 0))
        if rank % 2 and offset + i not in inside:
            rank += 1
        rank_of[offset + i] = rank
        if use[i]:
            found.setdefault(rank, []).append(i)
    for rank in sorted(found):
        yield rank, found[rank]


def _used(gates: Sequence[tuple[int, int, int]], offset: int, wanted: Iterable[int]) -> list[bool]:
    """Which gates are needed for the values that are wanted."""
    use = [False] * len(gates)
    for value in wanted:
        if value >= offset:
            use[value - offset] = True
    for i in range(len(gates) - 1, -1, -1):
        if use[i]:
            for value in gates[i][1:]:
                if value >= offset:
                    use[value - offset] = True
    return use


def _bodies(gates: Sequence[tuple[int, int, int]], offset: int, loops: Loops) -> set[int]:
    """The gates' values that are found out anew in each round of a loop."""
    rank_of = dict(loops.ranks)
    for i, (_, a, b) in enumerate(gates):
        rank_of[offset + i] = max(rank_of.get(a, 0), rank_of.get(b, 0))
    inside = set[int]()
    for rank, pairs in loops.pairs.items():
        pending = [new for _, new in pairs]
        while pending:
            value = pending.pop()
            if value >= offset and value not in inside and rank_of[value] == rank:
                inside.add(value)
                pending += gates[value - offset][1:]
    return inside
