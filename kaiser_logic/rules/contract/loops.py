"""Loops among the rules: through a negation or a sum nothing follows, and counting up without an end never stops."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from ...errors import Finding
from ...lang.graph import cycles
from ..pattern import Signature, rename, unify_all
from ..places import called
from ..predicates import of_engine
from ..rule import Rule
from .survey import Survey
from .words import ENGINE_READS


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
    for component in map(set, cycles(reads, lambda head: reads.get(head, ()))):
        inside = [r for r in survey.book.rules if any(h.signature in component for h in r.heads)]
        if any(_stops(rule, component) for rule in inside) or _through_engine(component):
            yield from _in_rules(survey, inside, component)


def _stops(rule: Rule, component: set[Signature]) -> bool:
    """Whether the rule reads one of these through a negation or within a sum."""
    return any(a.signature in component for a in (*rule.negative, *rule.inner))


def _through_engine(component: set[Signature]) -> bool:
    return any(not more and {head, body} <= component for head, body, more in ENGINE_READS)


def _in_rules(survey: Survey, rules: list[Rule], component: set[Signature]) -> Iterator[Finding]:
    """The loops among single rules, by what their atoms can be: predicates with other arguments do not meet."""
    if _through_engine(component):
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
        found = [
            c for c in map(set, cycles(graph, graph.__getitem__)) if any(i in c and j in c for i, j in stops)
        ]
        guilty = [rules[i] for c in found for i in sorted(c)]
    own = [r for r in guilty if not of_engine(r)]
    if own:
        names = ", ".join(
            sorted({called(h.signature) for r in own for h in r.heads} & set(map(called, component)))
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
