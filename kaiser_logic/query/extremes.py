"""Rewrites comparisons of minima and maxima so that neither has to be computed.

``max{X : a} < max{Y : b}`` says that some Y of b has no X of a that is as large. Read so both may be of nothing: the
largest of nothing is below everything, the smallest above it, and neither needs a value.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..lang.terms import COMPLEMENTS, FLIPPED, Var
from .formula import (
    Aggregate,
    Compared,
    Expression,
    Part,
    Some,
    Together,
    Without,
    names,
    replaced,
)


def is_extreme(expression: Expression) -> bool:
    """Whether it is the largest or the smallest of something."""
    return isinstance(expression, Aggregate) and expression.function in ("min", "max")


def against(
    left: Aggregate, sign: str, right: Aggregate, bound: frozenset[str], fresh: Iterator[str]
) -> tuple[Part, ...]:
    """The condition under which one extreme compares in this way with another.

    Args:
        left: The one.
        sign: How they compare.
        right: The other.
        bound: The variables that have a value around both.
        fresh: Names that nothing has.
    """
    own = {n: Var(next(fresh)) for n in sorted(names(right) - bound)}
    other = replaced(right, own)
    if sign == "=":
        return _ordered(left, "<=", other), _ordered(left, ">=", other)
    if sign == "!=":
        return (Without(Together((_ordered(left, "<=", other), _ordered(left, ">=", other)))),)
    return (_ordered(left, sign, other),)


def _ordered(left: Aggregate, sign: str, right: Aggregate) -> Part:
    """The formula that the left one is smaller, or larger, than the right one."""
    if sign in (">", ">="):
        return _ordered(right, FLIPPED[sign], left)
    one, other = left.terms[0], right.terms[0]
    if (left.function, right.function) == ("min", "max"):  # something here is smaller than something there
        return Some(Together((left.formula, right.formula, Compared(one, sign, other))))
    if (left.function, right.function) == ("max", "min"):  # nothing here is not smaller than something there
        return Without(Together((left.formula, right.formula, Compared(one, COMPLEMENTS[sign], other))))
    strict = sign == "<"
    # The largest: something there is above all that is here; or all that is here is not above all that is there.
    inner, outer = (left, right) if strict is (left.function == "max") else (right, left)
    apart = COMPLEMENTS[sign] if strict else sign
    denied = Without(Together((inner.formula, Compared(one, apart, other))))
    valued = Compared(outer.terms[0], "=", outer.terms[0])  # words cannot be calculated with
    return (Some if strict else Without)(Together((outer.formula, valued, denied)))
