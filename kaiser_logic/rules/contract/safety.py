"""Unsafe variables: whether each variable of a rule is bound, as clingo demands; and what has no normal form."""

from __future__ import annotations

from collections.abc import Iterator

from ...errors import Finding
from ...lang.modes import unbound
from ...lang.terms import Refused
from .survey import Survey


def safety(survey: Survey) -> Iterator[Finding]:
    """The kind ``unsafe``: each variable is bound by a positive atom of the body.

    >>> # add(took(Q)) :- does(R,take(_)).
    """
    for rule in survey.rules:
        try:
            names = unbound(rule.value)
        except Refused as refused:
            yield survey.at(rule, "syntax", refused.message)
            continue
        for name in names:
            message = f"the variable {name} is bound by no positive atom of the body"
            if name == "_":
                message = "'_' stands where a variable must be bound: under 'not' with others, or in a head"
            yield survey.at(rule, "unsafe", message, name)
