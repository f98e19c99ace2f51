"""Interprets a query in plain Python over the atoms that hold; nothing is ground.

The referee of :mod:`.program`: what the solver finds is looked at again in this way. Nothing is shared with it but the
parsed query; alternatives, variables of their own, sums are worked out anew here.

The order of terms is clingo's: numbers before words. The largest of nothing is below everything, the smallest above.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import Protocol

from .. import clingo
from ..errors import NotDecided
from ..lang.terms import Fun, Term, Var
from ..rules.rule import Atom
from .formula import (
    Aggregate,
    Calculated,
    Compared,
    Either,
    Expression,
    Fact,
    Formula,
    Some,
    Together,
    Value,
    Without,
    aggregates,
    direct,
    is_variable,
    names,
)
from .matching import Values, ground, holds, matched


class World(Protocol):
    """The atoms that hold in a position."""

    def instances(self, atom: Atom, known: Values) -> Iterable[Sequence[clingo.Symbol]]:
        """The arguments with which an atom's predicate holds; at least those that the atom can mean."""


@dataclass(frozen=True)
class Solution:
    """One way in which a query holds.

    Attributes:
        values: What its variables stand for.
        facts: The atoms that make it true, in the order of the query.
        sums: What its counts and sums are, as written by the user.
    """

    values: Values
    facts: tuple[tuple[str, tuple[clingo.Symbol, ...]], ...] = ()
    sums: tuple[tuple[str, clingo.Symbol], ...] = field(default=(), compare=False)


class _Undefined(Exception):
    """An expression has no value: it calculates with words, or is a maximum or minimum of an empty set."""


def solutions(formula: Formula, world: World, effort: float = inf) -> Iterator[Solution]:
    """All ways in which a query holds; one of them suffices.

    Args:
        formula: The query.
        world: What holds.
        effort: So many instances of atoms are looked at, at most.

    Raises:
        NotDecided: More would have to be looked at.
    """
    yield from _Meaning(world, effort).all([formula], Solution({}), frozenset())


class _Meaning:
    """A world, and what holds in it."""

    def __init__(self, world: World, effort: float) -> None:
        self._world = world
        self._left = effort

    def all(
        self, formulas: Sequence[Formula], so_far: Solution, named: frozenset[str], done: bool = False
    ) -> Iterator[Solution]:
        """The ways in which all formulas hold.

        Args:
            formulas: What is to hold.
            so_far: What is known already.
            named: The variables that facts and comparisons of these formulas name: none has a value of its own inside.
            done: Whether alternatives have been chosen.
        """
        for k, formula in enumerate(formulas):
            if isinstance(formula, Together):
                rest = [*formulas[:k], *formula.parts, *formulas[k + 1 :]]
                yield from self.all(rest, so_far, named)
                return
            if isinstance(formula, Either):
                for part in formula.parts:
                    yield from self.all([*formulas[:k], part, *formulas[k + 1 :]], so_far, named)
                return
        if not done:
            named = named.union(*(direct(f) for f in formulas))
        if not formulas:
            yield so_far
            return
        k = self._next(formulas, so_far.values, named)
        rest = [*formulas[:k], *formulas[k + 1 :]]
        for found in self._one(formulas[k], so_far):
            yield from self.all(rest, found, named, True)

    def _next(self, formulas: Sequence[Formula], known: Values, named: frozenset[str]) -> int:
        """The formula to evaluate next: tests as soon as possible, then facts, then sums and negations."""

        def rank(formula: Formula) -> int:
            if isinstance(formula, Fact):
                return 2 if formula.atom.name != "after" else 4
            if isinstance(formula, Compared):
                inside = set[str]().union(*(names(a) for a in aggregates(formula))) & named
                unknown = direct(formula) - known.keys()
                if aggregates(formula):
                    if inside - known.keys() or (unknown and not _assigns(formula, known)):
                        return 7
                    return 5
                if not unknown:
                    return 0
                return 3 if _assigns(formula, known) else 7
            return 6

        return min(range(len(formulas)), key=lambda k: rank(formulas[k]))

    def _one(self, formula: Formula, so_far: Solution) -> Iterator[Solution]:
        """The ways in which one formula holds."""
        known = so_far.values
        match formula:
            case Fact(atom):
                for args in self._world.instances(atom, known):
                    self._left -= 1
                    if self._left < 0:
                        raise NotDecided("too many instances of atoms to be looked at")
                    found = matched(atom.args, args, known)
                    if found is not None:
                        yield Solution(found, (*so_far.facts, (atom.name, tuple(args))), so_far.sums)
            case Compared():
                yield from self._compared(formula, so_far)
            case Without(inner):
                if next(self._inside(inner, known), None) is None:
                    yield so_far
            case Some(inner):
                if next(self._inside(inner, known), None) is not None:
                    yield so_far
            case _:
                raise TypeError(f"no literal: {formula!r}")

    def _inside(self, formula: Formula, known: Values) -> Iterator[Solution]:
        return self.all([formula], Solution(known), frozenset())

    # -- comparisons -----------------------------------------------------------------------------------------------------

    def _compared(self, formula: Compared, so_far: Solution) -> Iterator[Solution]:
        known = so_far.values
        left, sign, right = formula.left, formula.sign, formula.right
        sums: list[tuple[str, clingo.Symbol]] = []
        if sign == "=":
            for one, other in ((left, right), (right, left)):
                try:
                    known_side = direct(other) <= known.keys() and "_" not in _variables(other)
                    if isinstance(one, Value) and not aggregates(other) and known_side:
                        value = self._value(other, known, sums)
                        found = matched((one.pattern,), (value,), known)
                        if found is not None:
                            yield Solution(found, so_far.facts, so_far.sums)
                        return
                    name = is_variable(one)
                    if name is not None and name not in known:
                        value = self._value(other, known, sums)
                        yield Solution({**known, name: value}, so_far.facts, (*so_far.sums, *sums))
                        return
                except _Undefined:
                    return
        try:
            there, here = self._side(right, known, sums), self._side(left, known, sums)
        except _Undefined:
            return
        if holds(here, sign, there):
            yield Solution(known, so_far.facts, (*so_far.sums, *sums))

    def _side(
        self, expression: Expression, known: Values, sums: list[tuple[str, clingo.Symbol]]
    ) -> clingo.Symbol:
        """The value of a side of a comparison; a maximum or minimum that is the whole side may be of an empty set."""
        if isinstance(expression, Aggregate) and expression.function in ("min", "max"):
            return self._extreme(expression, known, sums)
        return self._value(expression, known, sums)

    def _value(
        self, expression: Expression, known: Values, sums: list[tuple[str, clingo.Symbol]]
    ) -> clingo.Symbol:
        match expression:
            case Value(pattern):
                return ground(pattern, known)
            case Calculated(left, sign, right):
                one, other = self._value(left, known, sums), self._value(right, known, sums)
                if one.type != clingo.SymbolType.Number or other.type != clingo.SymbolType.Number:
                    raise _Undefined
                a, b = one.number, other.number
                return clingo.Number(a + b if sign == "+" else a - b if sign == "-" else a * b)
            case Aggregate(function) if function in ("min", "max"):
                found = self._extreme(expression, known, sums)
                if found in (clingo.Infimum, clingo.Supremum):
                    raise _Undefined
                return found
        found = clingo.Number(self._total(expression, known))
        sums.append((expression.text, found))
        return found

    def _extreme(
        self, aggregate: Aggregate, known: Values, sums: list[tuple[str, clingo.Symbol]]
    ) -> clingo.Symbol:
        """The maximum or minimum of an aggregate's values; of an empty set, ``#inf`` or ``#sup``."""
        values = []
        for way in self._inside(aggregate.formula, known):
            try:
                values.append(self._value(aggregate.terms[0], way.values, []))
            except _Undefined:
                continue
        if not values:
            return clingo.Infimum if aggregate.function == "max" else clingo.Supremum
        found = max(values) if aggregate.function == "max" else min(values)
        sums.append((aggregate.text, found))
        return found

    def _total(self, aggregate: Aggregate, known: Values) -> int:
        """The number of different tuples, or the sum of their first terms."""
        tuples: dict[tuple[object, ...], int] = {}
        for way in self._inside(aggregate.formula, known):
            try:
                terms = tuple(self._value(t, way.values, []) for t in aggregate.terms)
            except _Undefined:
                continue
            key: tuple[object, ...] = terms
            if aggregate.function == "sum":
                if terms[0].type != clingo.SymbolType.Number:
                    continue
                if len(terms) == 1:
                    key = (*terms, *sorted((n, str(v)) for n, v in way.values.items() if n not in known))
            tuples[key] = terms[0].number if aggregate.function == "sum" else 1
        return sum(tuples.values())


def _assigns(formula: Compared, known: Values) -> bool:
    """Whether an equation binds variables: one side is known, the other is a variable or a term."""
    if formula.sign != "=":
        return False
    for one, other in ((formula.left, formula.right), (formula.right, formula.left)):
        name = is_variable(one)
        if name is not None and direct(other) <= known.keys():
            return True
        if name is not None and name in known and isinstance(other, Value):
            return True
    return False


def _variables(expression: Expression) -> set[str]:
    """The variables of an expression, ``_`` too."""
    found: set[str] = set()

    def visit(pattern: Term) -> None:
        if isinstance(pattern, Fun):
            for a in pattern.args:
                visit(a)
        elif isinstance(pattern, Var):
            found.add(str(pattern.name))

    if isinstance(expression, Value):
        visit(expression.pattern)
        return found
    if isinstance(expression, Calculated):
        return _variables(expression.left) | _variables(expression.right)
    return found
