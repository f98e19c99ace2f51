"""Measures and sums: what counts has a limit, and every other sum a bound."""

from __future__ import annotations

from collections.abc import Iterator

from ..errors import Finding
from ..lang.algebra import variables
from ..lang.terms import Aggregate
from ..rules.contract.survey import Survey
from ..rules.pattern import outermost
from ..rules.places import nearest
from ..rules.predicates import CANDIDATE, COUNTS, DECISION, DUE
from .effects import affected


def measures(survey: Survey) -> Iterator[Finding]:
    """The kind ``measure``: ``counts(L,X,N)`` and ``limit(L,Least,Most)`` or ``range`` name the same measures.

    >>> # limit(stnoes,12,12).     counts(stones,heap,N) :- heap(N).
    """
    limits = [*survey.arguments(("limit", 3), 0, heads=True), *survey.arguments(("range", 3), 0, heads=True)]
    counts = list(survey.arguments(COUNTS, 0, heads=True))
    limited, counted = ({outermost(t) for _, t in found} for found in (limits, counts))
    names = sorted({s[0] for s in limited | counted if s})
    for found, others, lacks in (
        (counts, limited, "no limit(L,Least,Most)"),
        (limits, counted, "no counts(L,X,N)"),
    ):
        for use, term in found:
            named = outermost(term)
            if named and named not in others and None not in others:
                hint = nearest(named[0], (n for n in names if n != named[0]))
                yield survey.at(
                    use.rule, "measure", f"{lacks} names the measure '{named[0]}'{hint}", named[0]
                )


def bounds(survey: Survey) -> Iterator[Finding]:
    """The kind ``bound``: a sum over what a position says, and that is no measure, has a bound.

    >>> # votes(V) :- V = #sum{ N,R : voted(R,N) }.     with bound(votes,B), V <= B it has one
    """
    given = survey.book.fluents - {("seat", 2), DECISION, DUE}
    changing = affected((r for r in survey.rules if CANDIDATE not in (h.signature for h in r.heads)), given)
    for rule in survey.rules:
        name = rule.assigned_sum if "#sum" in rule.text else None
        if name is None or rule in survey.drawing or changing.isdisjoint(a.signature for a in rule.inner):
            continue
        if not any(name in variables(x) for x in rule.value.body if not isinstance(x, Aggregate)):
            message = f"nothing bounds {name}: say bound(Name,B) and {name} <= B, or make a measure of it"
            yield survey.at(rule, "bound", message, name)
