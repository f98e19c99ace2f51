"""The order in which a body's literals are looked at: tests first, then what is bound most, ranges late, aggregates last."""

from __future__ import annotations

from collections.abc import Set
from functools import partial
from typing import Final

from ...rules import predicates
from .trees import Aggregate, Comparison, Conditional, Literal, Predicate, Tree, Truth, variables
from .values import Unsupported
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


def score(writer: Writer, literal: Literal, names: Set[str], shared: Set[str]) -> float | None:
    """How soon a literal with these variables is to be looked at; None where it cannot be yet."""
    known = writer.known
    bound = writer.bound
    if isinstance(literal, Truth):
        return 100
    if isinstance(literal, (Aggregate, Conditional)):
        inside = literal.elements if isinstance(literal, Aggregate) else (literal.literal, literal.condition)
        outer = set(variables(inside)) & shared
        guarded = isinstance(literal, Aggregate) and not all(
            known(t) or (sign == "=" and not literal.sign) for sign, t in literal.guards
        )
        return -5 if outer <= bound and not guarded else None
    if isinstance(literal, Comparison):
        sides = [literal.left, *(t for _, t in literal.guards)]
        if all(map(partial(has_value, writer), sides)) and sides[0][0] != "range":
            return 100
        single = len(literal.guards) == 1 and literal.guards[0][0] == "=" and not literal.sign
        ways = zip(sides, reversed(sides), strict=True)
        if not single or not any(has_value(writer, a) and matchable(writer, b) for a, b in ways):
            return None
        return 4 if any(t[0] == "range" for t in sides) else 90
    if not isinstance(literal, Predicate):  # a pool that must hold under a condition
        raise Unsupported(str(literal))
    if literal.sign:
        return 80 if names <= bound else None
    count = sum(map(known, literal.args))
    if count == len(literal.args):
        return 95
    if not all(map(partial(matchable, writer), literal.args)):
        return None
    partly = sum(1 for t in literal.args if t[0] == "fun" and not known(t))  # its name alone tells rows apart
    return (10 * count + partly) / len(literal.args) + 5 * (literal.name in FIRST)


def has_value(writer: Writer, term: Tree) -> bool:
    """Whether a term gives values: it has one, or is a range between two."""
    return all(map(writer.known, term[1:])) if term[0] == "range" else writer.known(term)


def matchable(writer: Writer, term: Tree) -> bool:
    """Whether a value can be matched against a term here."""
    if term[0] == "op" and not writer.known(term):
        left, right = (writer.known(t) for t in term[2:])
        sides = {left: term[2], right: term[3]}
        return left != right and term[1] in ("+", "-") and sides[False][0] == "var"
    if term[0] == "range":
        return all(map(writer.known, term[1:]))
    return all(map(partial(matchable, writer), term[2])) if term[0] == "fun" else True
