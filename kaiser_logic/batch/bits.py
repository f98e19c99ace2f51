"""Boolean functions of bits, with conjunctions, negations and exclusive ors; sums as adders of bit planes.

A literal is twice a node's number, or one more for its negation; node 0 is false, so that literal 0 is false and 1 is
true. Equal functions are built once, and what is obvious is simplified.

    >>> circuit = CircuitBuilder()
    >>> a, b = circuit.input("a"), circuit.input("b")
    >>> circuit.conj([a, b, TRUE]) == circuit.conj([b, a])
    True
    >>> circuit.conj([a, a ^ 1])
    0

A *loop* has values that begin as false and are replaced by functions of them, again and again, until nothing changes: the
least fixpoint where the functions are monotone. So what hangs together with what is as large as the board, not as its
square times the longest way.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Hashable, Iterable, Iterator
from typing import Final, TypeAlias

FALSE: Final = 0
TRUE: Final = 1
_FLAT: Final = 12
"""The largest number of parts of a conjunction that is flattened into another one."""

Node: TypeAlias = tuple[bool, tuple[int, ...]]
"""The kind of a node, exclusive or (of two) or conjunction, and its literals."""
Group: TypeAlias = tuple[Hashable, Hashable]
"""For inputs of which at most one holds: their common key, and the key of this one."""


class TooLarge(Exception):
    """A circuit has more nodes than it may have."""


class Unsupported(Exception):
    """There can be no circuit for a question; the text says why."""


class CircuitBuilder:
    """A circuit while it is built.

    Attributes:
        nodes: The definition of each node; None for an input, and for false.
        inputs: The literals of the inputs by their names.
        groups: The group of each input that belongs to one.
        loops: For each loop its values, each with the literal that replaces it.
        loop_of: The number of the loop that a literal is a value of.
    """

    true: Final = TRUE
    false: Final = FALSE

    def __init__(self, most: int = 4_000_000) -> None:
        """A circuit without inputs, of at most so many nodes."""
        self.nodes: list[Node | None] = [None]
        self.inputs: dict[Hashable, int] = {}
        self.groups: dict[int, Group] = {}
        self.loops: list[dict[int, int]] = []
        self.loop_of: dict[int, int] = {}
        self._known: dict[Node, int] = {}
        self._sums: dict[tuple[tuple[int, int], ...], list[int]] = {}
        self._most = most

    def input(self, name: Hashable, group: Group | None = None) -> int:
        """The literal of an input; always the same for the same name."""
        literal = self.inputs.get(name)
        if literal is None:
            literal = self.inputs[name] = 2 * len(self.nodes)
            self.nodes.append(None)
            if group is not None:
                self.groups[literal] = group
        return literal

    def values(self, number: int) -> list[int]:
        """New literals for the values of a loop, which `repeat` then defines."""
        literals = [2 * n for n in range(len(self.nodes), len(self.nodes) + number)]
        self.nodes += [None] * number
        return literals

    def repeat(self, loop: dict[int, int]) -> None:
        """Adds a loop: for each of its values the literal that replaces it, which is a monotone function of the values."""
        self.loop_of |= dict.fromkeys(loop, len(self.loops))
        self.loops.append(loop)

    def reading(self, inputs: Iterable[int]) -> set[int]:
        """The nodes that depend on these inputs, which are given as literals."""
        readers = {literal >> 1 for literal in inputs}
        grows = bool(readers)
        while grows:
            for n in range(min(readers), len(self.nodes)):
                node = self.nodes[n]
                if node is not None and any(x >> 1 in readers for x in node[1]):
                    readers.add(n)
            reached = (s for loop in self.loops if any(x >> 1 in readers for x in loop.values()) for s in loop)
            new = {s >> 1 for s in reached} - readers
            readers |= new
            grows = bool(new)
        return readers

    def _node(self, node: Node) -> int:
        index = self._known.get(node)
        if index is None:
            index = self._known[node] = len(self.nodes)
            self.nodes.append(node)
            if index > self._most:
                raise TooLarge
        return 2 * index

    def negate(self, literal: int) -> int:
        """The negation of a literal."""
        return literal ^ 1

    def conj(self, literals: Iterable[int]) -> int:
        """The literal of the conjunction."""
        parts: set[int] = set()
        if not self._flatten(literals, parts) or not self._propagate(parts):
            return FALSE
        if not parts:
            return TRUE
        if len(parts) == 1:
            return next(iter(parts))
        return self._node((False, tuple(sorted(parts))))

    def _flatten(self, literals: Iterable[int], parts: set[int]) -> bool:
        """Adds literals, and the parts of small conjunctions; False if they contradict each other."""
        nodes = self.nodes
        pending = list(literals)
        while pending:
            literal = pending.pop()
            if literal == TRUE or literal in parts:
                continue
            if literal == FALSE or literal ^ 1 in parts:
                return False
            if not literal & 1:
                node = nodes[literal >> 1]
                if node is not None and not node[0] and len(node[1]) <= _FLAT:
                    pending.extend(node[1])
                    continue
            parts.add(literal)
        return True

    def _propagate(self, parts: set[int]) -> bool:
        """Simplifies negated conjunctions among the parts by the other parts; False if they contradict each other."""
        nodes = self.nodes
        changed = True
        while changed:
            changed = False
            for literal in [p for p in parts if p & 1]:
                node = nodes[literal >> 1]
                if node is None or node[0] or literal not in parts:
                    continue
                rest = -1
                for part in node[1]:
                    if part ^ 1 in parts:
                        parts.discard(literal)
                        break
                    if part not in parts:
                        if rest >= 0:
                            break
                        rest = part
                else:
                    if rest < 0:
                        return False
                    parts.discard(literal)
                    changed = True
                    if not self._flatten([rest ^ 1], parts):
                        return False
        return True

    def disj(self, literals: Iterable[int]) -> int:
        """The literal of the disjunction."""
        return self.conj([literal ^ 1 for literal in literals]) ^ 1

    def xor(self, a: int, b: int) -> int:
        """The literal of the exclusive or."""
        flip = (a & 1) ^ (b & 1)
        a, b = a & ~1, b & ~1
        if a == b:
            return flip
        if not a or not b:
            return (a | b) ^ flip
        return self._node((True, (min(a, b), max(a, b)))) ^ flip

    # -- sums --------------------------------------------------------------------------------------------------------------

    def total(self, weighted: Iterable[tuple[int, int]]) -> list[int]:
        """The bit planes of the sum of the weights (above 0) of the literals that hold, lowest first."""
        key = tuple(sorted(weighted))
        planes = self._sums.get(key)
        if planes is None:
            planes = self._sums[key] = self._total(key)
        return planes

    def _total(self, weighted: tuple[tuple[int, int], ...]) -> list[int]:
        columns: dict[int, list[int]] = defaultdict(list)
        constant = sum(weight for literal, weight in weighted if literal == TRUE)
        rest, parts = self._exclusive([pair for pair in weighted if pair[0] not in (TRUE, FALSE)])
        for literal, weight in rest:
            for i in _places(weight):
                columns[i].append(literal)
        for part in parts:  # of these at most one is above 0
            for i in range(max(map(len, part))):
                plane = self.disj([planes[i] for planes in part if i < len(planes)])
                if plane:
                    columns[i].append(plane)
        for i in _places(constant):
            columns[i].append(TRUE)
        return self._add_planes(columns)

    def _exclusive(self, weighted: list[tuple[int, int]]) -> tuple[list[tuple[int, int]], list[list[list[int]]]]:
        """The sums of literals that exclude each other because each needs another input of a group: one for each of these inputs.

        Returns:
            The other literals, and for each of the groups the planes of these sums.
        """
        members: dict[Hashable, dict[int, list[tuple[int, int]]]] = defaultdict(lambda: defaultdict(list))
        for pair in weighted:
            for name, one in self._inputs_needed(pair[0]).items():
                members[name][one].append(pair)
        sums: list[list[list[int]]] = []
        left = set(weighted)
        sizes = {name: (sum(map(len, partners.values())), -n) for n, (name, partners) in enumerate(members.items())}
        for name in sorted(sizes, key=sizes.__getitem__, reverse=True):
            partners = {one: [p for p in pairs if p in left] for one, pairs in members[name].items()}
            own = [tuple(pairs) for pairs in partners.values() if pairs]
            if len(own) > 1:
                sums.append([self.total(pairs) for pairs in own])
                left -= {pair for pairs in own for pair in pairs}
        return [pair for pair in weighted if pair in left], sums

    def _inputs_needed(self, literal: int) -> dict[Hashable, int]:
        """Inputs without which a literal does not hold, as far as that is obvious: one of each group."""
        node = None if literal & 1 else self.nodes[literal >> 1]
        parts = (literal,) if node is None else () if node[0] else node[1]
        return {self.groups[part][0]: part for part in parts if part in self.groups}

    def _add_planes(self, columns: dict[int, list[int]]) -> list[int]:
        """The bit planes of a sum, lowest first; ``columns``: for each power of two the bits of this weight; changed in place."""
        planes: list[int] = []
        i = 0
        while i <= max(columns, default=-1):
            column = deque(columns.get(i, ()))
            carried = columns.setdefault(i + 1, []) if len(column) > 1 else []
            while len(column) > 1:
                a, b = column.popleft(), column.popleft()
                half = self.xor(a, b)
                if column:
                    c = column.popleft()
                    carry = self.disj([self.conj([a, b]), self.conj([half, c])])
                    column.append(self.xor(half, c))
                else:
                    carry = self.conj([a, b])
                    column.append(half)
                if carry:
                    carried.append(carry)
            planes.append(column[0] if column else FALSE)
            i += 1
        return planes

    def _add_numbers(self, a: list[int], b: list[int]) -> list[int]:
        """The planes of the sum of two numbers in planes."""
        width = max(len(a), len(b))
        return self._add_planes({i: [x[i] for x in (a, b) if i < len(x) and x[i]] for i in range(width)})

    def at_least(self, bound: int, weighted: Iterable[tuple[int, int]]) -> int:
        """The literal that says whether the weights of the literals that hold reach the bound."""
        pairs = list(weighted)
        planes = self.total([pair for pair in pairs if pair[1] > 0])
        less = self.total([(literal, -weight) for literal, weight in pairs if weight < 0])
        if less:  # in binary of so many places the negation of m is the largest number less m
            bound += (1 << len(less)) - 1
            planes = self._add_numbers(planes, [plane ^ 1 for plane in less])
        if bound <= 0:
            return TRUE
        if bound >> len(planes):
            return FALSE
        greater: list[int] = []
        equal = TRUE
        for i in range(len(planes) - 1, -1, -1):
            if bound >> i & 1:
                equal = self.conj([equal, planes[i]])
            else:
                greater.append(self.conj([equal, planes[i]]))
                equal = self.conj([equal, planes[i] ^ 1])
        return self.disj([*greater, equal])

    def several(self, literals: Iterable[int]) -> int:
        """The literal that says whether more than one of these holds."""
        some, two = FALSE, []
        for literal in literals:
            two.append(self.conj([some, literal]))
            some = self.disj([some, literal])
        return self.disj(two)


def _places(number: int) -> Iterator[int]:
    """The places of the ones of a number in binary."""
    return (i for i in range(number.bit_length()) if number >> i & 1)
