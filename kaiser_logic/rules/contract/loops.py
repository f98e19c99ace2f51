"""Loops among the rules: through a negation or a sum nothing follows, and counting up without an end never stops."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping
from typing import TypeVar

from ...errors import Finding
from ..pattern import Signature, rename, unify_all
from ..places import called
from ..predicates import of_engine
from ..rule import Rule
from .survey import Survey
from .words import ENGINE_READS

T = TypeVar("T", bound=Hashable)


def loops(survey: Survey) -> Iterator[Finding]:
    """The kind ``loop``: what depends on itself through ``not`` or a sum follows from nothing.

    >>> # free(R) :- player(R), not busy(R).     busy(R) :- player(R), not free(R).
    """
    reads: dict[Signature, set[Signature]] = defaultdict(set)
    for rule in survey.book.rules:
        for head in rule.heads:
            reads[head.signature] |= rule.uses
    for head_signature, body, _ in ENGINE_READS:
        reads[head_signature].add(body)
    for together in components(reads):
        inside = [r for r in survey.book.rules if any(h.signature in together for h in r.heads)]
        if any(_stops(rule, together) for rule in inside) or _through_engine(together):
            yield from _in_rules(survey, inside, together)


def _stops(rule: Rule, together: set[Signature]) -> bool:
    """Whether the rule reads one of these through a negation or within a sum."""
    return any(a.signature in together for a in (*rule.negative, *rule.inner))


def _through_engine(together: set[Signature]) -> bool:
    return any(not more and {head, body} <= together for head, body, more in ENGINE_READS)


def _in_rules(survey: Survey, rules: list[Rule], together: set[Signature]) -> Iterator[Finding]:
    """The loops among single rules, by what their atoms can be: predicates with other arguments do not meet."""
    if _through_engine(together):
        guilty = rules
    else:
        graph: dict[int, set[int]] = {i: set() for i in range(len(rules))}
        stops: set[tuple[int, int]] = set()
        for i, rule in enumerate(rules):
            for atoms, stop in ((rule.positive, False), ((*rule.negative, *rule.inner), True)):
                for atom in atoms:
                    for j, other in enumerate(rules):
                        if any(
                            h.signature == atom.signature and _meet(atom.args, h.args) for h in other.heads
                        ):
                            graph[i].add(j)
                            stops |= {(i, j)} if stop else set()
        found = [c for c in components(graph) if any(i in c and j in c for i, j in stops)]
        guilty = [rules[i] for c in found for i in sorted(c)]
    own = [r for r in guilty if not of_engine(r)]
    if own:
        names = ", ".join(
            sorted({called(h.signature) for r in own for h in r.heads} & set(map(called, together)))
        )
        message = f"this is a loop through 'not' or a sum: {names}; nothing follows from it"
        yield survey.at(own[0], "loop", message)


def _meet(one: tuple[tuple[object, ...], ...], other: tuple[tuple[object, ...], ...]) -> bool:
    return unify_all(one, rename(other, "'"), {}) is not None


def endless(survey: Survey) -> Iterator[Finding]:
    """The kind ``endless``: a rule that makes a new number of its own last one, and never stops.

    >>> # size(N+1) :- size(N).
    """
    for rule in survey.rules:
        read = {a.signature for a in rule.positive}
        for head in rule.heads:
            grows = any(a[0] == "v" and a[1].startswith("_?") for a in head.args)
            if grows and read == {head.signature} and len(rule.cuts) == len(rule.positive):
                message = f"{called(head.signature)} has no end: nothing bounds what this rule makes of it"
                yield survey.at(rule, "endless", message)


def components(graph: Mapping[T, Iterable[T]]) -> list[set[T]]:
    """The strongly connected components in which something is reached from itself (Tarjan).

    >>> [sorted(c) for c in components({1: [2], 2: [1, 3], 3: [], 4: [4]})]
    [[1, 2], [4]]
    """
    index: dict[T, int] = {}
    low: dict[T, int] = {}
    stack: list[T] = []
    waiting: set[T] = set()
    found: list[set[T]] = []
    for root in graph:
        if root in index:
            continue
        index[root] = low[root] = len(index)
        stack.append(root)
        waiting.add(root)
        path = [(root, iter(graph.get(root, ())))]
        while path:
            node, following = path[-1]
            for other in following:
                if other not in index:
                    index[other] = low[other] = len(index)
                    stack.append(other)
                    waiting.add(other)
                    path.append((other, iter(graph.get(other, ()))))
                    break
                if other in waiting:
                    low[node] = min(low[node], index[other])
            else:
                path.pop()
                if path:
                    low[path[-1][0]] = min(low[path[-1][0]], low[node])
                if low[node] == index[node]:
                    at = stack.index(node)
                    together = set(stack[at:])
                    del stack[at:]
                    waiting -= together
                    if len(together) > 1 or node in graph.get(node, ()):
                        found.append(together)
    return found
