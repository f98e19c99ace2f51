"""Dependencies between predicates, and strongly connected components."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol, TypeVar

from .algebra import atoms
from .terms import Rule, Signature


class Headed(Protocol):
    """What has heads: a rule, with its place or without."""

    @property
    def heads(self) -> Sequence[Any]:
        """The atoms of its head."""


T = TypeVar("T", bound=Hashable)
R = TypeVar("R", bound=Headed)


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
    all_components = components(nodes, following)
    return [nodes for nodes in all_components if len(nodes) > 1 or nodes[0] in following(nodes[0])]


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


def least_model(clauses: Iterable[tuple[T, Collection[T]]]) -> set[T]:
    """What follows from propositional clauses, each with a head and a body: the time is linear in their length.

    >>> sorted(least_model([("p", ()), ("q", ("p", "p")), ("r", ("q", "s"))]))
    ['p', 'q']
    """
    heads: list[T] = []
    missing: list[int] = []
    readers: dict[T, list[int]] = {}
    pending: list[T] = []
    for i, (head, body) in enumerate(clauses):
        heads.append(head)
        missing.append(len(nodes := set(body)))
        for node in nodes:
            readers.setdefault(node, []).append(i)
        if not nodes:
            pending.append(head)
    model: set[T] = set()
    while pending:
        node = pending.pop()
        if node not in model:
            model.add(node)
            for i in readers.get(node, ()):
                missing[i] -= 1
                if not missing[i]:
                    pending.append(heads[i])
    return model


def dependents(reads: Mapping[Signature, Collection[Signature]], changed: Iterable[Signature]) -> set[Signature]:
    """The predicates that depend on these, and these themselves; ``reads``: what the rules of each predicate read.

    >>> sorted(dependents({("p", 0): {("q", 0)}, ("r", 0): {("p", 0)}, ("s", 0): ()}, [("q", 0)]))
    [('p', 0), ('q', 0), ('r', 0)]
    """
    return least_model([*((s, ()) for s in changed), *((s, (other,)) for s, read in reads.items() for other in read)])


def derivable(rules: Iterable[R], defined: Collection[Signature], needs: Callable[[R], Iterable[Signature]]) -> list[R]:
    """The rules that can fire if no other rules define the predicates in ``defined``; ``needs``: what a rule needs."""
    rules, defined = list(rules), set(defined)
    deriving: dict[Signature, list[int]] = {signature: [] for signature in defined}
    clauses: list[tuple[Signature | int, Collection[Signature | int]]] = []
    for i, rule in enumerate(rules):
        clauses += ((i, (signature,)) for signature in defined.intersection(needs(rule)))
        for head in rule.heads:
            if head.signature in deriving:
                deriving[head.signature].append(i)
    empty = least_model([*clauses, *deriving.items()])
    return [rule for i, rule in enumerate(rules) if i not in empty]


def conditional(
    rules: Iterable[R], causes: Collection[Signature], needs: Callable[[R], Iterable[Signature]]
) -> set[Signature]:
    """The causes, and the predicates that hold only if one of them holds: all their rules need one, perhaps indirectly.

    They are the predicates that are not in the least set of those that can hold without a cause. So a predicate that is
    recursive, and begins with a cause, is among them. ``needs``: what a rule needs.
    """
    rules, causes = list(rules), set(causes)
    derived = {head.signature for rule in rules for head in rule.heads} - causes
    clauses: list[tuple[Signature, Collection[Signature]]] = []
    for rule in rules:
        needed = {*needs(rule)}
        if needed.isdisjoint(causes):
            clauses += ((head.signature, needed & derived) for head in rule.heads)
    return derived - least_model(clauses) | causes
