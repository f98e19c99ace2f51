"""Aggregates whose tuples need not be compared: each way to meet a condition gives another one."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import combinations
from typing import TypeAlias

from .ranges import ranged
from .trees import Comparison, Literal, Predicate, Tree, variables

Element: TypeAlias = tuple[Sequence[Tree], Sequence[Literal]]
"""The terms of a tuple, and the condition under which it is there; without pools."""


def all_once(elements: Sequence[Element], bound: Collection[str]) -> bool:
    """Whether no two ways to meet the conditions give the same tuple.

    Args:
        elements: Those of an aggregate.
        bound: The variables that have a value outside of it.
    """
    if not all(_once(terms, condition, set(bound)) for terms, condition in elements):
        return False
    return all(_differ(one, other) for (one, _), (other, _) in combinations(elements, 2))


def _once(terms: Sequence[Tree], condition: Sequence[Literal], bound: set[str]) -> bool:
    """Whether all that the condition binds can be read off the tuple."""
    known = bound.union(*(_read_off(term) for term in terms))
    return all(_single(literal, known) for literal in condition)


def _read_off(term: Tree) -> set[str]:
    """The variables whose values follow from a term's."""
    if term[0] == "var":
        return {term[1]}
    if term[0] == "fun":
        return set().union(*map(_read_off, term[2]))
    if term[0] == "op" and term[1] in ("+", "-"):  # one of both is a number as it is written
        left, right = term[2:]
        return _read_off(right if left[0] == "num" else left) if "num" in (left[0], right[0]) else set()
    return set()


def _single(literal: Literal, known: set[str]) -> bool:
    """Whether a literal holds in one way at most, when these variables are known."""
    if isinstance(literal, Predicate):
        return bool(literal.sign) or all(_plain(term, known) for term in literal.args)
    if isinstance(literal, Comparison):
        sides = (literal.left, *(term for _, term in literal.guards))
        return known.issuperset(variables(sides)) and not any(map(ranged, sides))
    return False


def _plain(term: Tree, known: set[str]) -> bool:
    """Whether a term, matched in a row, leaves nothing open when these variables are known."""
    if term[0] == "fun":
        return all(_plain(part, known) for part in term[2])
    return term[0] in ("num", "const", "str") or (term[0] == "var" and term[1] in known)


def _differ(one: Sequence[Tree], other: Sequence[Tree]) -> bool:
    """Whether two tuples are never the same: they are not equally long, or name two constants at one place."""
    single = ("num", "const", "str")
    return len(one) != len(other) or any(
        a[0] in single and b[0] in single and a != b for a, b in zip(one, other, strict=True)
    )
