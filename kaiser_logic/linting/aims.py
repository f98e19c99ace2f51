"""Actions that no effect reads: whoever chooses one has only passed the decision on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ..errors import Finding
from ..lang.terms import Signature, Term, Var
from ..lang.unification import functor
from ..rules.contract.survey import Survey, Use
from ..rules.predicates import DOES, SUBMITTED

_DONE: Final = (DOES, SUBMITTED)


def aimless(survey: Survey) -> Iterator[Finding]:
    """The kind ``aimless``: an action with arguments is read by a rule that is about what is done.

    One without arguments, such as ``pass``, may do nothing but end a decision.

    >>> # action(turn,load(H,N)) :- harbour(H), amount(N).     where no rule reads does(R,load(H,N))
    """
    read: set[Signature | None] = set()
    for signature in _DONE:
        for use, term in survey.arguments(signature, 1, heads=False):
            read |= _beside(survey, use, term) if isinstance(term, Var) else {functor(term)}
    if None in read:
        return  # a rule reads whatever is done
    for use, term in survey.arguments(("action", 2), 1, heads=True):
        named = functor(term)
        if named is not None and named[1] and named not in read:
            message = f"no rule reads does(R,{named[0]}(...)): the action changes nothing, and its arguments mean nothing"
            yield survey.at(use.rule, "aimless", message, named[0])


def _beside(survey: Survey, use: Use, variable: Term) -> set[Signature | None]:
    """The actions that a rule about any action is about, by what else it says of it; with None where it may be any."""
    found: set[Signature | None] = set()
    for atom in use.rule.positive:
        if atom.signature in _DONE or variable not in atom.args:
            continue
        place = atom.args.index(variable)
        heads = [functor(term) for _, term in survey.arguments(atom.signature, place, heads=True)]
        if heads and None not in heads:
            found |= set(heads)
            return found
    return {None}
