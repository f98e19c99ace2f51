"""Causes: a change follows from an action or a step, a violation is of an action that is in question."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from ..errors import Finding
from ..rules.contract.survey import Survey
from ..rules.pattern import Signature
from ..rules.predicates import CANDIDATE, DOES, DUE, EFFECTS, MADE, SUBMITTED, VIOLATES
from ..rules.rule import Rule
from ..transform.collecting import collecting

_CAUSES: Final = frozenset({DOES, MADE, DUE})
_SHARED: Final = (("enter", 1), ("score", 3))
"""Of the engine's files: what becomes a change."""


def effects(survey: Survey) -> Iterator[Finding]:
    """The kind ``effect``: what changes a position follows from ``does``, ``made`` or ``due``.

    >>> # add(phase(over)) :- heap(0).
    """
    caused = following(survey.rules, _CAUSES)
    wanted = [*EFFECTS, *(s for s in _SHARED if s in survey.wanted)]
    for signature in wanted:
        for use in survey.derived.get(signature, ()):
            if not _reads(use.rule, caused):
                message = (
                    "this follows from no action or step (does, made, next): it would happen at every change"
                )
                yield survey.at(use.rule, "effect", message)


def judging(survey: Survey) -> Iterator[Finding]:
    """The kind ``judging``: a violation follows from ``candidate(R,A)``, and from nothing that is only known afterwards.

    >>> # violates(R,take(K),"take.enough") :- player(R), amount(K), not holds_at_least(K).
    >>> # violates(R,take(K),"take.enough") :- does(R,take(K)), not holds_at_least(K).
    """
    questioned = following(survey.rules, frozenset({CANDIDATE}))
    afterwards = affected(survey.rules, frozenset({DOES, MADE, SUBMITTED}))
    for use in survey.derived.get(VIOLATES, ()):
        if use.rule.uses & afterwards:
            message = "a violation reads what is only known when the action is done (does, made): use candidate(R,A)"
            yield survey.at(use.rule, "judging", message, "does", "made", "submitted")
        elif not _reads(use.rule, questioned):
            yield survey.at(
                use.rule, "judging", "a violation follows from candidate(R,A), directly or through others"
            )


def collected(survey: Survey) -> Iterator[Finding]:
    """The kind ``collecting``: a violation reads what another action in question may say.

    >>> # asked(K) :- candidate(_,take(K)).     violates(R,take(K),"most") :- candidate(R,take(K)), asked(J), J > K.
    """
    for rule, atom in collecting(survey.book.rules):
        message = (
            f"{atom.name}/{len(atom.args)} may be so by another action in question: where an action is judged"
            " it alone is in question, where the legal ones are listed all are"
        )
        yield survey.at(rule, "collecting", message, atom.name)


def following(rules: Iterable[Rule], causes: frozenset[Signature]) -> frozenset[Signature]:
    """The predicates all of whose rules have one of the causes in their body, directly or through others."""
    found = set(causes)
    by_head: dict[Signature, list[Rule]] = {}
    for rule in rules:
        for head in rule.heads:
            by_head.setdefault(head.signature, []).append(rule)
    grows = True
    while grows:
        new = {s for s, rules in by_head.items() if s not in found and all(_reads(r, found) for r in rules)}
        found |= new
        grows = bool(new)
    return frozenset(found)


def affected(rules: Iterable[Rule], causes: frozenset[Signature]) -> frozenset[Signature]:
    """The predicates some of whose rules read one of the causes, under whatever sign, directly or through others."""
    found = set(causes)
    rules = list(rules)
    grows = True
    while grows:
        new = {h.signature for r in rules if r.uses & found for h in r.heads} - found
        found |= new
        grows = bool(new)
    return frozenset(found)


def _reads(rule: Rule, found: Iterable[Signature]) -> bool:
    """Whether the body needs one of these predicates."""
    known = set(found)
    return any(atom.signature in known for atom in (*rule.positive, *rule.inner))
