"""The conditions of sentences: rules' bodies, over predicates that somebody says."""

from __future__ import annotations

from collections.abc import Iterator

from ..errors import Finding
from ..lang.terms import Refused
from ..rules.contract.documented import in_doc
from ..rules.contract.names import readable
from ..rules.contract.survey import Survey
from ..rules.places import called, nearest
from ..rules.predicates import of_engine
from ..rules.reader import asking


def conditions(survey: Survey) -> Iterator[Finding]:
    """The kind ``why``: what stands after ``:-`` in a sentence can be read as a body.

    >>> # %!   why       the heap holds only {N} :- haep(N)
    """
    known = readable(survey)
    for doc in survey.book.docs.values():
        for _, condition in doc.reasons if not of_engine(doc) else ():
            try:
                rules = [asking(condition)] if condition else []
            except Refused as refused:
                message = f"this condition cannot be read: {refused.message}"
                yield in_doc(survey, doc, "why", message, condition.split()[0])
                continue
            for signature in sorted({s for rule in rules for s in rule.uses} - known):
                hint = nearest(signature[0], (n for n, _ in known))
                message = f"nothing says {called(signature)}, and it is no fluent{hint}"
                yield in_doc(survey, doc, "why", message, signature[0])
