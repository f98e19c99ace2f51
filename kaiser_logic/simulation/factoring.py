"""Sums of products with brackets: ``a and (b or c)`` in the place of ``a and b or a and c``.

What most products share comes first, as long as two share anything; then the same within the brackets. Equal brackets are
built once. The rules of a rulebook are sums of products, one for each way to ground them, and what a condition reads is
written anew in each of them; so a circuit becomes a third to a half smaller.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from heapq import heapify, heappop, heappush
from typing import Final

from .bits import FALSE, TRUE, Circuit, Node

_DEEPEST: Final = 200
"""So many brackets lie within each other at most."""


def with_brackets(circuit: Circuit, order: Iterable[int], new: dict[int, int], found: Circuit) -> None:
    """Builds nodes anew in another circuit.

    Args:
        circuit: The circuit.
        order: The nodes, each after those that it needs.
        new: For those that are there already their literals; grows.
        found: The other circuit.
    """
    nodes = circuit.nodes
    given = set(new)
    for n in order:
        node = nodes[n]
        if n in new or node is None:
            continue
        exclusive, its = node
        if exclusive:
            new[n] = found.xor(*(new[x >> 1] ^ (x & 1) for x in its))
            continue
        below = [x for x in its if x & 1 and x >> 1 not in given and _is_product(nodes[x >> 1])]
        sums = set(below) if len(below) > 1 else set()
        plain = [new[x >> 1] ^ (x & 1) for x in its if x not in sums]
        products = [node[1] for x in below if x in sums and (node := nodes[x >> 1]) is not None]
        literals = [frozenset(new[y >> 1] ^ (y & 1) for y in product) for product in products]
        new[n] = found.conj([*plain, brackets(found, literals) ^ 1])


def _is_product(node: Node | None) -> bool:
    return node is not None and not node[0]


def brackets(circuit: Circuit, products: Iterable[frozenset[int]], depth: int = 0) -> int:
    """The disjunction of conjunctions of these literals.

    >>> circuit = Circuit()
    >>> a, b, c, d = map(circuit.input, "abcd")
    >>> found = brackets(circuit, [frozenset({a, b}), frozenset({a, c}), frozenset({d})])
    >>> found == circuit.disj([circuit.conj([a, circuit.disj([b, c])]), d])
    True
    """
    left = list(dict.fromkeys(products))
    if not left:
        return FALSE
    shared = frozenset.intersection(*left) if len(left) > 1 and depth < _DEEPEST else frozenset[int]()
    if shared:
        return circuit.conj([*shared, brackets(circuit, [its - shared for its in left], depth + 1)])
    if any(not its for its in left):
        return TRUE
    where: dict[int, list[int]] = defaultdict(list)
    for k, its in enumerate(left):
        for x in its:
            where[x].append(k)
    waiting = [(-len(its), x) for x, its in where.items() if len(its) > 1 and depth < _DEEPEST]
    heapify(waiting)
    parts: list[int] = []
    gone: set[int] = set()
    while waiting:
        times, x = heappop(waiting)
        here = [k for k in where[x] if k not in gone]
        if len(here) < -times:  # others have taken some: it has to wait
            if len(here) > 1:
                heappush(waiting, (-len(here), x))
            continue
        parts.append(circuit.conj([x, brackets(circuit, [left[k] - {x} for k in here], depth + 1)]))
        gone.update(here)
    parts += [circuit.conj(its) for k, its in enumerate(left) if k not in gone]
    return circuit.disj(parts)
