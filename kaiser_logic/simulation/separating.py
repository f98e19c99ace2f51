"""What a circuit says of some inputs, taken apart from what it says of all others.

What is legal with a structure is a function of the position and of the structure's parts. There are many structures for
each position, so whatever depends on the position alone is found out once for it, by the other circuit, and is an input here:
not only its values, but also each conjunction of several of them that is read as one. A conjunction that a whole output
is subject to, its *guard*, is not even that: whoever runs the circuit joins it afterwards.

>>> circuit = Circuit()
>>> a, b, c, d = map(circuit.input, "abcd")
>>> either = circuit.disj([circuit.conj([a, b, d]), circuit.conj([a, c, d])])
>>> found = apart(circuit, [d], [circuit.conj([either, b]), 1])
>>> found.guards == [circuit.conj([a, b]), 1], found.beside, found.circuit.inputs[d] == found.outputs[0]
(True, [], True)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from .bits import FALSE, TRUE, Circuit
from .factoring import with_brackets
from .opening import Unsupported

_SPARED: Final = 6
"""A conjunction becomes an input where it spares so many gates: to copy an input costs as much as some of these."""


@dataclass(frozen=True)
class Apart:
    """What depends on some inputs, as a circuit of its own.

    Attributes:
        circuit: It; these inputs have their literals in the other circuit as names.
        beside: Its other inputs, each with its literal in the other circuit.
        outputs: What is asked for, but for its guards.
        guards: For each a literal of the other circuit: what is asked for is the output and this.
    """

    circuit: Circuit
    beside: list[tuple[int, int]]
    outputs: list[int]
    guards: list[int]


def apart(circuit: Circuit, inputs: Iterable[int], outputs: Sequence[int]) -> Apart:
    """Takes a circuit apart.

    Args:
        circuit: The circuit, which grows by what is said of the other inputs together.
        inputs: The literals of some inputs.
        outputs: What is asked for; the last one gets no guard.

    Raises:
        Unsupported: A loop depends on these inputs.
    """
    own = {literal >> 1 for literal in inputs}
    cut, needed = _cut(circuit, own, outputs)
    short = Circuit()
    literals = {n: short.input(n) for n in sorted(own | cut)}
    new = {0: FALSE, **literals}
    with_brackets(circuit, needed, new, short)
    separation = _Separation(circuit, short, {literals[n] >> 1: n for n in cut}, own)
    return separation.made([new[x >> 1] ^ (x & 1) for x in outputs])


def _cut(circuit: Circuit, own: set[int], outputs: Sequence[int]) -> tuple[set[int], list[int]]:
    """The nodes where what does not depend on the inputs ends, and those that do, each after those that it needs."""
    reading = circuit.reading(2 * n for n in own)
    cut: set[int] = set()
    seen: set[int] = {0}
    waiting = [x >> 1 for x in outputs]
    while waiting:
        n = waiting.pop()
        if n in seen:
            continue
        seen.add(n)
        node = circuit.nodes[n]
        if n not in reading:
            cut.add(n)
        elif node is not None:
            waiting += [x >> 1 for x in node[1]]
        elif n not in own:
            raise Unsupported("what is legal with a structure is found out in a loop")
    return cut, sorted(seen - cut - own - {0})


def _below(circuit: Circuit, roots: Iterable[int]) -> list[int]:
    """The nodes that literals need, in order."""
    seen: set[int] = {0}
    waiting = [x >> 1 for x in roots]
    while waiting:
        n = waiting.pop()
        node = circuit.nodes[n]
        if n not in seen:
            seen.add(n)
            waiting += [] if node is None else [x >> 1 for x in node[1]]
    return sorted(seen)


# -- what is said of the others -----------------------------------------------------------------------------------------------


class _Separation:
    """A circuit while what depends on other inputs alone is taken out of it."""

    def __init__(self, whole: Circuit, short: Circuit, cut: dict[int, int], own: set[int]) -> None:
        """``cut``: inputs of the short circuit that are nodes of the whole one."""
        self._whole, self._short = whole, short
        self._found = Circuit()
        self._beside: dict[int, int] = {}
        self._outside = {FALSE: FALSE, **{n: 2 * node for n, node in cut.items()}}
        self._inside = {short.inputs[n] >> 1: self._found.input(2 * n) for n in sorted(own)}

    def made(self, roots: Sequence[int]) -> Apart:
        """All of it."""
        nodes, guarded = self._short.nodes, {x for x in roots[:-1] if not x & 1}
        alive = _below(self._short, roots)
        read = {x >> 1 for n in alive if (node := nodes[n]) is not None for x in node[1]}
        read |= {x >> 1 for x in roots if x not in guarded} | {x >> 1 for x in roots[-1:]}
        self._outsides(alive)
        outer = {
            n: self._whole.conj(self._outer(x) for x in self._others(n)) for n in alive if self._is_split(n)
        }
        spared: Counter[int] = Counter()
        for n, one in outer.items():
            spared[one] += len(self._others(n)) - 1 if n in read else 0
        outputs: dict[int, tuple[int, int]] = {}
        for n in alive:
            node = nodes[n]
            if node is None or n in self._outside:
                continue
            if node[0]:
                first, second = node[1]
                self._inside[n] = self._found.xor(self._inner(first), self._inner(second))
                continue
            inner = [self._inner(x) for x in node[1] if x >> 1 not in self._outside]
            if 2 * n in guarded:
                outputs[2 * n] = self._found.conj(inner), outer.get(n, TRUE)
            if n in read and n in outer and spared[outer[n]] >= _SPARED:
                self._inside[n] = self._found.conj([*inner, self._input(outer[n])])
            elif n in read:
                self._inside[n] = self._found.conj([*inner, *map(self._inner, self._others(n))])
        found = [outputs[x] if x in outputs else self._plain(x) for x in roots[:-1]]
        found += [(self._inner(x), TRUE) for x in roots[-1:]]
        beside = [(literal, outer) for outer, literal in self._beside.items()]
        return Apart(self._found, beside, [x for x, _ in found], [x for _, x in found])

    def _outsides(self, alive: Iterable[int]) -> None:
        """Finds out which nodes depend on other inputs alone."""
        for n in alive:
            node = self._short.nodes[n]
            if node is not None and all(x >> 1 in self._outside for x in node[1]):
                parts = [self._outer(x) for x in node[1]]
                self._outside[n] = self._whole.xor(*parts) if node[0] else self._whole.conj(parts)

    def _others(self, n: int) -> list[int]:
        """What of a node depends on other inputs alone."""
        node = self._short.nodes[n]
        return [] if node is None else [x for x in node[1] if x >> 1 in self._outside]

    def _is_split(self, n: int) -> bool:
        """Whether a node is a conjunction, some of which depends on other inputs alone."""
        node = self._short.nodes[n]
        return node is not None and not node[0] and n not in self._outside and bool(self._others(n))

    def _plain(self, root: int) -> tuple[int, int]:
        """What is asked for, and its guard, where it is no conjunction."""
        return (TRUE, self._outer(root)) if root >> 1 in self._outside else (self._inner(root), TRUE)

    def _outer(self, literal: int) -> int:
        return self._outside[literal >> 1] ^ (literal & 1)

    def _inner(self, literal: int) -> int:
        """A literal of the short circuit in the new one."""
        if literal >> 1 in self._outside:
            return self._input(self._outer(literal))
        return self._inside[literal >> 1] ^ (literal & 1)

    def _input(self, outer: int) -> int:
        """The input for a literal of the whole circuit."""
        if outer in (FALSE, TRUE):
            return outer
        even = outer & ~1
        if even not in self._beside:
            self._beside[even] = self._found.input(("beside", even))
        return self._beside[even] ^ (outer & 1)
