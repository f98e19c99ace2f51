"""Predicates that nobody says, that have another number of arguments, or that are not the rulebook's to say."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ...errors import Finding
from ..pattern import Signature, outermost
from ..places import called, nearest
from .survey import Survey
from .words import AFTER, CLAIMED, DRAWN, EXTENDED, GIVEN, RENAMED, RESERVED, SAID

_ACTION: Final[Signature] = ("action", 2)
_SORTS: Final[tuple[Signature, ...]] = (("number", 1), ("fluent", 1), ("board_fact", 1))
_SORTED: Final = frozenset({("fluent", 1), _ACTION, ("board_fact", 1), ("board_broken", 2)})
"""What is said of all things there can be, never listed at once."""


def renamed(survey: Survey) -> Iterator[Finding]:
    """The kind ``renamed``: words that the contract once had, with those that it has now.

    >>> # question(R,pass) :- decision(R,take).     add(next(pass_on)) :- made(_,take).
    """
    for signature, now in RENAMED.items():
        rules = [use.rule for use in (*survey.derived.get(signature, ()), *survey.read.get(signature, ()))]
        for changing in (("add", 1), ("del", 1), ("init", 1)):
            terms = survey.arguments(changing, 0, heads=True)
            rules += [use.rule for use, term in terms if outermost(term) == signature]
        for rule in dict.fromkeys(rules):
            message = f"{called(signature)} has another name now: write {now}"
            yield survey.at(rule, "renamed", message, signature[0])


def undefined(survey: Survey) -> Iterator[Finding]:
    """The kinds ``undefined`` and ``arity``, in bodies.

    >>> # holds(R) :- taken(R,N), plaeyr(R).     holds(R) :- taken(R).
    """
    known = readable(survey)
    for signature in survey.read.keys() - known - RENAMED.keys():
        arities = sorted(k for n, k in known if n == signature[0])
        if arities:
            what, hint = "arity", f"; it has {' or '.join(map(str, arities))} arguments"
        else:
            what, hint = "undefined", nearest(signature[0], (n for n, _ in known))
        for use in survey.read[signature]:
            message = f"nothing says {called(signature)}, and it is no fluent{hint}"
            yield survey.at(use.rule, what, message, signature[0])


def elsewhere(survey: Survey) -> Iterator[Finding]:
    """The kind ``undefined``: what is listed for sorts alone, read where nothing of it is known and nothing follows.

    >>> # many(N) :- number(N), N > 9.     fluent(pot(N)) :- many(N).     kind(A) :- action(take,A).
    """
    ours = set(survey.rules) - set(survey.drawing)
    for signature in (*_SORTS, _ACTION):
        for rule in dict.fromkeys(use.rule for use in survey.read[signature]):
            heads = {head.signature for head in rule.heads}
            if rule not in ours or heads <= _SORTED:
                continue
            if signature == _ACTION and not heads & survey.book.static:
                continue
            name = called(signature)
            message = f"{name} is known to rules for fluent, action and a board's facts alone; here nothing follows from it"
            yield survey.at(rule, "undefined", message, signature[0])


def readable(survey: Survey) -> set[Signature]:
    """What a rule may read."""
    after = AFTER if survey.claims else ()
    return {*survey.derived, *survey.book.fluents, *survey.shared, *GIVEN, *SAID, *after, ("party", 2)}


def wrong_heads(survey: Survey) -> Iterator[Finding]:
    """The kinds ``head`` and ``arity``, in heads.

    >>> # heap(12).     submitted(R,pass) :- player(R).     left(R,R) :- seat(R,1).     add(phase(over),now) :- made(_,take).
    """
    ours = SAID | survey.wanted | (DRAWN if survey.drawing else frozenset())
    ours |= CLAIMED if survey.claims else frozenset()
    given = GIVEN | (survey.shared - SAID - EXTENDED) | (AFTER if survey.claims else frozenset())
    arities: dict[str, list[int]] = {}
    for name, arity in sorted(ours):
        arities.setdefault(name, []).append(arity)
    for signature, uses in survey.derived.items():
        if signature in survey.book.fluents:
            message = (
                f"{called(signature)} is a fluent: it comes and goes by init, add, del, gain, lose and shift"
            )
            what = "head"
        elif signature in given:
            what, message = "head", f"{called(signature)} is said by the engine, not by a rulebook"
        elif signature[0] in arities and signature not in ours and signature not in survey.read:
            numbers = " or ".join(map(str, arities[signature[0]]))
            what, message = "arity", f"'{signature[0]}' has {numbers} arguments, not {signature[1]}"
        else:
            continue
        for use in uses:
            yield survey.at(use.rule, what, message, signature[0])


def reserved(survey: Survey) -> Iterator[Finding]:
    """The kind ``head``: names that encodings have for what is their own.

    >>> # most(R,N) :- taken(R,N).     heap__m1(N) :- heap(N).     fluent(free(R)) :- player(R).
    """
    for signature in {*survey.derived, *survey.read, *survey.book.fluents}:
        name = signature[0]
        if signature not in RESERVED and "__" not in name and not name.startswith("_"):
            continue
        message = f"proofs have {called(signature)} for what is their own: it needs another name here"
        rules = [use.rule for use in (*survey.derived.get(signature, ()), *survey.read.get(signature, ()))]
        declared = survey.arguments(("fluent", 1), 0, heads=True)
        rules += [use.rule for use, term in declared if outermost(term) == signature]
        for rule in dict.fromkeys(rules):
            yield survey.at(rule, "head", message, name)
