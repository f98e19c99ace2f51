"""Dependencies between predicates, and strongly connected components."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol, TypeAlias, TypeVar

from .algebra import atoms
from .terms import Rule, Signature


class Headed(Protocol):
    """What has heads: a rule, with its place or without."""

    @property
    def heads(self) -> Sequence[Any]:
        """The atoms of its head."""


T = TypeVar("T", bound=Hashable)
R = TypeVar("R", bound=Headed)

Dependencies: TypeAlias = dict[Signature, dict[Signature, bool]]
"""Maps each derived predicate to the predicates that its rules read; True if through ``not``, a condition or an aggregate."""


def components(nodes: Iterable[T], following: Callable[[T], Iterable[T]]) -> Iterator[list[T]]:
    """Yields the strongly connected components reachable from some nodes, each after its successors (Tarjan).

    >>> graph = {1: [2], 2: [1, 3], 3: [], 4: [4]}
    >>> list(components(graph, graph.__getitem__))
    [[3], [1, 2], [4]]
    """
    order: dict[T, int] = {}
    lowest: dict[T, int] = {}
    open_: dict[T, None] = {}
    for root in nodes:
        if root in order:
            continue
        order[root] = lowest[root] = len(order)
        open_[root] = None
        path = [(root, iter(following(root)))]
        while path:
            node, others = path[-1]
            for other in others:
                if other not in order:
                    order[other] = lowest[other] = len(order)
                    open_[other] = None
                    path.append((other, iter(following(other))))
                    break
                if other in open_:
                    lowest[node] = min(lowest[node], order[other])
            else:
                path.pop()
                if path:
                    above = path[-1][0]
                    lowest[above] = min(lowest[above], lowest[node])
                if lowest[node] == order[node]:
                    component: list[T] = []
                    while not component or component[-1] != node:
                        component.append(open_.popitem()[0])
                    component.reverse()
                    yield component


def cycles(nodes: Iterable[T], following: Callable[[T], Iterable[T]]) -> list[list[T]]:
    """The strongly connected components that have a cycle.

    >>> graph = {1: [2], 2: [1, 3], 3: [], 4: [4]}
    >>> cycles(graph, graph.__getitem__)
    [[1, 2], [4]]
    """
    found = components(nodes, following)
    return [nodes for nodes in found if len(nodes) > 1 or nodes[0] in following(nodes[0])]


def dependencies(rules: Iterable[Rule]) -> Dependencies:
    """Maps each predicate to the predicates that its rules read.

    >>> from .reader import read
    >>> dependencies(read("p :- q, not r. q :- #count { X : s(X) } > 1."))[("p", 0)]
    {('q', 0): False, ('r', 0): True}
    """
    found: Dependencies = {}
    for rule in rules:
        for head in rule.heads:
            reads = found.setdefault(head.signature, {})
            for atom, inner in atoms(rule.body):
                stops = inner or atom.sign > 0
                reads[atom.signature] = reads.get(atom.signature, False) or stops
    return found


def cone(rules: Iterable[Rule], wanted: Iterable[Signature]) -> list[Rule]:
    """The rules on which some predicates depend, in their order."""
    deriving: dict[Signature, list[Rule]] = {}
    rules = list(rules)
    for rule in rules:
        for head in rule.heads:
            deriving.setdefault(head.signature, []).append(rule)
    seen: set[Signature] = set()
    pending = list(wanted)
    while pending:
        signature = pending.pop()
        if signature not in seen:
            seen.add(signature)
            pending += (a.signature for rule in deriving.get(signature, ()) for a, _ in atoms(rule.body))
    return [rule for rule in rules if any(head.signature in seen for head in rule.heads)]


def dependents(
    reads: Mapping[Signature, Collection[Signature]], changed: Iterable[Signature]
) -> set[Signature]:
    """The predicates that depend on these, and these themselves; ``reads``: what the rules of each predicate read.

    >>> sorted(dependents({("p", 0): {("q", 0)}, ("r", 0): {("p", 0)}, ("s", 0): ()}, [("q", 0)]))
    [('p', 0), ('q', 0), ('r', 0)]
    """
    found = set(changed)
    while new := {s for s, read in reads.items() if s not in found and not found.isdisjoint(read)}:
        found |= new
    return found


def derivable(
    rules: Iterable[R], defined: Collection[Signature], needs: Callable[[R], Iterable[Signature]]
) -> list[R]:
    """The rules that can fire if no other rules define the predicates in ``defined``; ``needs``: what a rule needs."""
    left = list(rules)
    while True:
        missing = set(defined).difference(head.signature for rule in left for head in rule.heads)
        kept = [rule for rule in left if missing.isdisjoint(needs(rule))]
        if len(kept) == len(left):
            return kept
        left = kept
