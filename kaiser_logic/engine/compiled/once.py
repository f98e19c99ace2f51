"""Aggregates without duplicate tuples: each solution of a condition gives another tuple, so no set is needed."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import combinations

from ...lang.algebra import variables
from ...lang.modes import bound_by
from ...lang.terms import Aggregate, Atom, Compare, Element, Int, Literal, Name, Range, Term, Text


def all_once(elements: Sequence[Element], bound: Collection[str]) -> bool:
    """Whether no two ways to meet the conditions give the same tuple.

    Args:
        elements: Those of an aggregate, in normal form.
        bound: The variables that have a value outside of it.
    """
    if not all(_once(element, bound) for element in elements):
        return False
    return all(_differ(one.terms, other.terms) for one, other in combinations(elements, 2))


def _once(element: Element, bound: Collection[str]) -> bool:
    """Whether all that the condition binds can be read off the tuple."""
    known = {*bound, *variables(element.terms)}
    followed = [x for x in element.condition if isinstance(x, Compare) and not isinstance(x.right, Range)]
    known = bound_by(followed, known)
    return all(_single(literal, known) for literal in element.condition)


def _single(literal: Literal, known: set[str]) -> bool:
    """Whether a literal holds in one way at most, when these variables are known."""
    if isinstance(literal, Atom) and literal.sign:
        return True
    return not isinstance(literal, Aggregate) and known.issuperset(variables(literal))


def _differ(one: Sequence[Term], other: Sequence[Term]) -> bool:
    """Whether two tuples are never the same: they are not equally long, or name two constants at one place."""
    return len(one) != len(other) or any(
        type(a) in _SINGLE and type(b) in _SINGLE and a != b for a, b in zip(one, other, strict=True)
    )


_SINGLE = (Int, Name, Text)
