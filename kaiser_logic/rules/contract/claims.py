"""What a rulebook claims about its moves and positions, beside its rules: programs of their own, on top of all others."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from ...errors import Finding
from ..pattern import outermost
from ..places import called, nearest
from ..predicates import CANDIDATE, DOES, MORE, SUBMITTED, THEN, WRONG
from ..rulebook import RuleDoc
from .survey import Survey
from .words import CLAIMED, SAID

QUERIES: Final = ("never", "some")
"""How a heading asks about positions: in none the query holds, or in some."""
_DONE: Final = frozenset({DOES, CANDIDATE, SUBMITTED, ("made", 2)})


def said_apart(survey: Survey) -> Iterator[Finding]:
    """The kind ``head``: claims say nothing that the rules say, so that no verdict about the rules depends on them.

    >>> # claims.lp:  left(R,Q) :- seat(R,2), seat(Q,1).     where the rules say left/2
    """
    own = survey.shared.union(SAID)
    theirs = {rule.text for rule in survey.claims}
    for rule in survey.claims:
        for head in rule.heads:
            s = head.signature
            if s in CLAIMED:
                continue
            if s in own or any(use.rule.text not in theirs for use in survey.derived.get(s, ())):
                message = f"{called(s)} is said by the rules: a claim says it under another name"
                yield survey.at(rule, "head", message, s[0])


def claimed(survey: Survey) -> Iterator[Finding]:
    """The kinds ``undocumented`` and ``heading``: each claim has a heading, each heading a claim.

    >>> # wrong(pays,R) :- ...     without a line %! claim pays -- ...
    """
    defined: set[str] = set()
    for rule in survey.claims:
        for head in rule.heads:
            if head.signature != WRONG:
                continue
            kind, text = head.args[0][:2]
            if kind != "c" or not text[:1].islower():
                message = "the first argument of wrong/2 is the id of a claim, a plain name"
                yield survey.at(rule, "undocumented", message, "wrong")
            elif text not in survey.claimed:
                message = (
                    f"{text} has no documentation, %! claim {text} -- ...{nearest(text, survey.claimed)}"
                )
                yield survey.at(rule, "undocumented", message, text)
            defined.add(str(text))
    for id, doc in survey.claimed.items():
        queries = [q for q in QUERIES if q in doc.sources]
        if doc.kind != "claim":
            yield _at(survey, doc, f"{id} stands among the claims: its heading is to be %! claim")
        elif len(queries) + (id in defined) != 1:
            wanted = "a rule wrong(ID,Witness), or one line 'never' or 'some' with a query"
            yield _at(survey, doc, f"{id} claims nothing, or twice: it has either {wanted}")
        else:
            for name in sorted(set(doc.sources) - set(QUERIES)):
                yield _at(survey, doc, f"a claim has no '{name}'{nearest(name, QUERIES)}")


def read_after(survey: Survey) -> Iterator[Finding]:
    """The kinds ``fluent`` and ``counter``: what is asked of the position after a move can be there.

    >>> # wrong(pays,R) :- does(R,take(K)), not then(haep(_)).     wrong(pays,R) :- more(heap(N),K), heap(N).
    """
    if not survey.claims:
        return
    after = [(use, term) for use, term in survey.arguments(THEN, 0, heads=False)]
    yield from survey.strange(after, survey.book.fluents, "fluent", "fluent")
    counters = frozenset((name, arity - 1) for name, arity in survey.book.counters)
    changed = [(use, term) for use, term in survey.arguments(MORE, 0, heads=False)]
    yield from survey.strange(changed, counters, "counter", "counter")
    for use, term in (*after, *changed):
        if outermost(term) is None:
            message = f"what {use.atom.name}/{len(use.atom.args)} asks for is to be named, not a variable"
            yield survey.at(use.rule, "fluent", message, use.atom.name)


def done(survey: Survey) -> Iterator[Finding]:
    """The kind ``negation``: what is done is asked for by itself, not under ``not`` or in a sum.

    >>> # wrong(kept,R) :- more(taken(R),_), not does(R,take(_)).     where takes(R) :- does(R,take(_)) helps
    """
    for rule in survey.claims:
        for atom in (*rule.negative, *rule.inner):
            if atom.signature in _DONE:
                message = (
                    f"{called(atom.signature)} under 'not' or in a sum: say first, in a rule, who does what"
                )
                yield survey.at(rule, "negation", message, atom.name)


def _at(survey: Survey, doc: RuleDoc, message: str) -> Finding:
    return Finding(str(survey.folder / Path(doc.file).name), doc.line, 1, "heading", message)
