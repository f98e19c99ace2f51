"""The order in which a body's literals are looked at: tests first, then what is bound most, ranges late, aggregates last."""

from __future__ import annotations

from collections.abc import Iterable, Set
from typing import Final

from ...lang.algebra import variables
from ...lang.modes import solves
from ...lang.terms import Aggregate, Atom, Compare, Fun, Literal, Op, Range, Var
from ...rules import predicates
from .relations import is_added
from .writer import Writer

FIRST: Final = {
    predicates.SUBMITTED[0],
    predicates.DUE[0],
    predicates.DECISION[0],
    "does",
    "made",
    "turn",
    "candidate",
}
"""What there is little of: it is looked at first."""


def score(
    writer: Writer, literal: Literal, names: Set[str], shared: Set[str], body: Iterable[Literal] = ()
) -> float | None:
    """How soon a literal with these variables is to be looked at; None where it cannot be yet.

    ``body``: what else is to be looked at.
    """
    if isinstance(literal, Compare):
        return _compared(writer, literal)
    if isinstance(literal, Aggregate):
        outer = {name for name in variables(literal.elements) if name in shared}
        guarded = all(op == "=" or writer.known(term) for op, term in literal.guards)
        return -5 if outer <= writer.bound and guarded else None
    assert isinstance(literal, Atom)
    if literal.sign:
        return 80 if names <= writer.bound else None
    count = sum(map(writer.known, literal.args))
    if count == len(literal.args):
        return 95
    partly = sum(
        1 for t in literal.args if type(t) is Fun and not writer.known(t)
    )  # its name tells rows apart
    soon = is_added(literal.name) and not any(_hides(other, literal, names) for other in body)
    first = 50 * soon + 5 * (literal.name in FIRST)
    return (10 * count + partly) / len(literal.args) + first


def _hides(other: Literal, literal: Atom, names: Set[str]) -> bool:
    """Whether another atom has a literal's variables only inside a term that they do not make known.

    No index finds the rows of ``q(f(A,X))`` by ``X``: where ``p'(X)`` comes first, all rows of ``q`` are gone through for each
    of its own. The other way round each row of ``q`` finds those of ``p'`` by an index.
    """
    if other is literal or not isinstance(other, Atom) or other.sign:
        return False
    if any(isinstance(term, Var) and term.name in names for term in other.args):
        return False
    inside = [set(variables(term)) for term in other.args if isinstance(term, Fun)]
    return any(used & names and not used <= names for used in inside)


def _compared(writer: Writer, literal: Compare) -> float | None:
    """The same of a comparison: a test, a value for a variable, or a choice from a range."""
    known, left, right = writer.known, literal.left, literal.right
    if isinstance(right, Range):
        if not (known(right.low) and known(right.high)):
            return None
        return 100 if known(left) else 4
    if isinstance(right, Op):
        if known(right.left) and known(right.right):
            if known(left):
                return 100
            return 90 if isinstance(left, Var) and left.name not in writer.last else 1
        return 90 if known(left) and solves(right, known) is not None else None
    if known(left) and known(right):
        return 100
    return 90 if literal.op == "=" and (known(left) or known(right)) else None
