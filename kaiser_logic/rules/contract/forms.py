"""What a rulebook may not contain at all: whatever is no rule with one atom, or a pool of them, as its head."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from clingo import ast

from ...errors import Finding
from .survey import Survey

_STRING: Final = re.compile(r'"(?:[^"\\]|\\.)*"')
_PRIMED: Final = re.compile(r"\w+'[\w']*")
_NEGATED: Final = re.compile(r"(?:^|[;:,] |:- |not )-_*[a-z]")
_THEORY: Final = re.compile(r"(?:[;:] |:- |not )&[a-z]")
_HEADS: Final = {
    ast.ASTType.Aggregate: "a choice is no rule: a rulebook says what holds, not what may hold",
    ast.ASTType.HeadAggregate: "a choice is no rule: a rulebook says what holds, not what may hold",
    ast.ASTType.Disjunction: "one of several heads is a choice: a rulebook says what holds, not what may hold",
}


def forms(survey: Survey) -> Iterator[Finding]:
    """The kinds ``choice``, ``constraint``, ``negation`` and ``script``.

    >>> # {taken(R)} :- player(R).     :- heap(N), N > 12.     -closed(E) :- full(E).     n(@size()).
    """
    for rule in survey.rules:
        text = rule.text
        if "'" in text and (primed := _PRIMED.search(_STRING.sub('""', text))):
            yield survey.at(
                rule, "syntax", f"the name {primed[0]} has a prime, which no record can say", primed[0]
            )
        if not rule.heads:
            kind = rule.node.head.ast_type
            if kind in _HEADS:
                yield survey.at(rule, "choice", _HEADS[kind])
            elif text.startswith("-"):
                yield survey.at(
                    rule, "negation", "a rule's head has no sign: give what is not so a name of its own"
                )
            elif text.startswith("#false"):
                message = "a rule without a head forbids positions: say broken(Invariant,Witness) instead"
                yield survey.at(rule, "constraint", message)
            else:
                yield survey.at(rule, "choice", "the head of a rule is an atom")
        elif " -" in text and _NEGATED.search(_STRING.sub('""', text)):
            yield survey.at(rule, "negation", "there is only 'not', no sign '-' before a predicate")
        if "@" in text and "@" in _STRING.sub("", text):
            yield survey.at(rule, "script", "a rulebook calls no functions of a script", "@")
        if "&" in text and _THEORY.search(text):
            yield survey.at(rule, "script", "a rulebook has no theory atoms", "&")
