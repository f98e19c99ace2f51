"""What proofs take from the rules' form alone: what holds of the whole game, and what invariants are called."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from ...errors import Finding
from ..pattern import Signature
from ..places import called
from ..predicates import BROKEN, of_engine
from ..rulebook import RuleDoc
from .survey import Survey
from .words import GIVEN, INVARIANTS, LASTING, PICKED

_SETS: Final[Signature] = ("set", 1)
"""Which sets there are is said of those in question: the vocabulary reads it all the same, as each reading gives its own."""


def lasting(survey: Survey) -> Iterator[Finding]:
    """The kind ``lasting``: what holds of the whole game follows from no position, no action and no step.

    >>> # limit(hand,0,2) :- took(red).     step(refill) :- heap(0).     waived(one_taker) :- phase(over).
    """
    book = survey.book
    moving = (survey.derived.keys() | survey.shared | book.fluents | GIVEN) - book.static - {_SETS}
    for signature in sorted(LASTING | (PICKED & survey.wanted)):
        for use in survey.derived.get(signature, ()):
            for other in sorted(use.rule.uses & moving)[:1]:
                message = f"{called(signature)} holds of the whole game, but {called(other)} of some positions or moves"
                yield survey.at(use.rule, "lasting", message, signature[0])


def invariants(survey: Survey) -> Iterator[Finding]:
    """The kind ``invariant``: it is called by a plain name, since by that it is looked for; and not as one of the engine's.

    >>> # broken(I,x) :- about(I), heap(7).     broken(full(R),x) :- taken(R,7).     %! invariant limit -- ...
    """
    for use in survey.derived.get(BROKEN, ()):
        kind, text = use.atom.args[0][:2]
        if kind != "c" or not text[:1].islower():
            message = "the first argument of broken/2 is what an invariant is called, a plain name"
            yield survey.at(use.rule, "invariant", message, BROKEN[0])
        elif text in INVARIANTS:
            yield survey.at(use.rule, "invariant", _taken(text), text)
    headings = [d for d in survey.book.docs.values() if d.kind == "invariant"]
    for doc in (*headings, *survey.claimed.values()):
        if doc.id in INVARIANTS and not of_engine(doc):
            yield _heading(survey, doc)


def _taken(id: str) -> str:
    return f"the engine proves something of its own that is called {id}: another name is needed"


def _heading(survey: Survey, doc: RuleDoc) -> Finding:
    return Finding(str(survey.folder / Path(doc.file).name), doc.line, 1, "invariant", _taken(doc.id))
