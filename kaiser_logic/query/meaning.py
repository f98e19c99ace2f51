"""Interprets a query in plain Python over the atoms that hold in a position. These are derived on demand.

This is the independent check of :mod:`.program`: it evaluates each answer of the solver again. The two share nothing but the
parsed query; alternatives, local variables and sums are implemented here a second time.

The order of terms is clingo's: numbers before words. The maximum of an empty set is below everything, the minimum above.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import inf
from typing import Final, Protocol, TypeAlias

from .. import clingo
from ..engine import symbols
from ..engine.grounding import Grounding, Program
from ..engine.ruleset import Ruleset
from ..errors import NotDecided
from ..evaluation.evaluator import Evaluator
from ..lang.terms import Fun, Signature, Term, Var
from ..lang.unification import label
from ..rules.predicates import DECISION, LEGAL, VIOLATES
from ..rules.rule import Atom, top
from ..transform.slicing import position_seeds
from .formula import (
    AFTER,
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

Values: TypeAlias = Mapping[str, clingo.Symbol]
"""The values of the variables."""


def holds(left: clingo.Symbol, sign: str, right: clingo.Symbol) -> bool:
    """Whether a comparison is true."""
    match sign:
        case "<":
            return left < right
        case "<=":
            return left <= right
        case ">":
            return left > right
        case ">=":
            return left >= right
        case "=":
            return left == right
    return left != right


def ground(pattern: Term, known: Values) -> clingo.Symbol:
    """The symbol of a term whose variables all have values."""
    if isinstance(pattern, Var):
        return known[str(pattern.name)]
    if isinstance(pattern, Fun):
        return clingo.Function(str(pattern.name), [ground(a, known) for a in pattern.args])
    return symbols.symbol_of(pattern)


def matched(terms: Sequence[Term], args: Sequence[clingo.Symbol], known: Values) -> Values | None:
    """The values of the variables that make these terms equal to these symbols; None if there are none."""
    found = dict(known)
    pending = list(zip(terms, args, strict=True))
    while pending:
        term, symbol = pending.pop()
        if isinstance(term, Var):
            name = str(term.name)
            if name != "_" and found.setdefault(name, symbol) != symbol:
                return None
        elif isinstance(term, Fun):
            if symbol.type != clingo.SymbolType.Function or symbol.name != term.name:
                return None
            if len(symbol.arguments) != len(term.args):
                return None
            pending += zip(term.args, symbol.arguments, strict=True)
        elif symbols.symbol_of(term) != symbol:
            return None
    return found


Submission: TypeAlias = tuple[clingo.Symbol, clingo.Symbol]
"""A role and its action."""
Violation: TypeAlias = tuple[clingo.Symbol, clingo.Symbol, clingo.Symbol]
"""A role, an action, and the rule that it breaks."""
ACTED: Final = frozenset({LEGAL, VIOLATES, AFTER})
"""The predicates for actions in queries, which are not predicates of the rulebook."""


def spoken_of(atoms: Iterable[Atom]) -> list[Signature]:
    """The predicates of atoms, and those of the facts in ``after``."""
    found = []
    for atom in atoms:
        found.append(atom.signature)
        if atom.signature == AFTER:
            found.append(inner(atom).signature)
    return list(dict.fromkeys(found))


def inner(atom: Atom) -> Atom:
    """The fact of ``after(R,A,Fact)``."""
    fact: Term = atom.args[2]
    return Atom(label(fact), fact.args if isinstance(fact, Fun) else ())


class Derived:
    """Derives the predicates that a query reads and that follow from a position."""

    def __init__(self, ruleset: Ruleset, atoms: Iterable[Atom]) -> None:
        """``atoms``: those of the query."""
        self._ruleset = ruleset
        known = {*ruleset.book.fluents, *ruleset.static, *ACTED}
        self._wanted = [s for s in spoken_of(atoms) if s not in known]

    @cached_property
    def _program(self) -> Program:
        outputs = [top(*s) for s in sorted(self._wanted)]
        return self._ruleset.complete(tuple(self._ruleset.judging.slice(position_seeds(), outputs)))

    def of(self, facts: frozenset[clingo.Symbol]) -> dict[Signature, list[clingo.Symbol]]:
        """The atoms of these predicates that hold in a position."""
        if not self._wanted:
            return {}
        grounding = Grounding(self._program, facts)
        return {s: grounding.get(*s) for s in self._wanted}


class PositionWorld:
    """A position, as a query sees it."""

    def __init__(
        self,
        evaluator: Evaluator,
        derived: Derived,
        facts: frozenset[clingo.Symbol],
        violations: Callable[[frozenset[clingo.Symbol]], Iterable[Violation]] = lambda _: (),
        chosen: Iterable[Submission] = (),
    ) -> None:
        """A position.

        Args:
            evaluator: The plain engine.
            derived: Derives predicates from the facts.
            facts: Its facts.
            violations: The violations of actions there.
            chosen: Actions that are judged in addition, if there are too many to list.
        """
        self._evaluator = evaluator
        self._derived = derived
        self._facts = facts
        self._violations_of = violations
        self._chosen = tuple(chosen)
        self._next: dict[Submission, PositionWorld] = {}

    @cached_property
    def _holding(self) -> dict[Signature, list[Sequence[clingo.Symbol]]]:
        found: dict[Signature, list[Sequence[clingo.Symbol]]] = {}
        for f in sorted(self._facts):
            found.setdefault(symbols.signature(f), []).append(f.arguments)
        for signature, atoms in self._derived.of(self._facts).items():
            found[signature] = [s.arguments for s in sorted(atoms)]
        return found

    @cached_property
    def _legal(self) -> list[Submission]:
        """The legal actions; if they are too many to list, some of them."""
        try:
            listed = self._evaluator.legal(self._facts)
        except NotDecided:
            if not self._chosen:
                raise
            return [(r, a) for r, a in self._chosen if self._is_legal(r, a)]
        return [(clingo.Function(role), action) for role, action in sorted(listed)]

    def _is_legal(self, role: clingo.Symbol, action: clingo.Symbol) -> bool:
        if not any(f.arguments[0] == role for f in self._facts if symbols.signature(f) == DECISION):
            return False
        return not self._evaluator.judge(self._facts, {symbols.text(role): action}).violations

    @cached_property
    def _violations(self) -> Sequence[Sequence[clingo.Symbol]]:
        return sorted(self._violations_of(self._facts))

    def instances(self, atom: Atom, known: Values) -> Iterable[Sequence[clingo.Symbol]]:
        """The tuples of arguments for which an atom's predicate holds."""
        if atom.signature == AFTER:
            return self._after(atom, known)
        if atom.signature == LEGAL:
            return self._legal
        if atom.signature == VIOLATES:
            return self._violations
        if atom.signature in self._evaluator.ruleset.static and atom.signature != ("seat", 2):
            return [s.arguments for s in self._evaluator.ruleset.facts(*atom.signature)]
        return self._holding.get(atom.signature, ())

    # -- after a move ----------------------------------------------------------------------------------------------------

    def _after(self, atom: Atom, known: Values) -> Iterator[Sequence[clingo.Symbol]]:
        """The facts after legal actions, if one role decides."""
        if len({f.arguments[0] for f in self._facts if symbols.signature(f) == DECISION}) != 1:
            return
        fact = inner(atom)
        for role, action in self._legal:
            values = matched(atom.args[:2], (role, action), known)
            if values is None:
                continue
            for args in self._world_after(role, action).instances(fact, values):
                yield (role, action, clingo.Function(fact.name, list(args)))

    def _world_after(self, role: clingo.Symbol, action: clingo.Symbol) -> PositionWorld:
        found = self._next.get((role, action))
        if found is None:
            judged = self._evaluator.judge(self._facts, {symbols.text(role): action})
            after = (self._facts - frozenset(judged.deleted)).union(judged.added)
            settled = self._evaluator.settle(after)
            found = self._next[role, action] = PositionWorld(self._evaluator, self._derived, settled)
        return found


class World(Protocol):
    """The atoms that hold in a position."""

    def instances(self, atom: Atom, known: Values) -> Iterable[Sequence[clingo.Symbol]]:
        """The tuples of arguments for which an atom's predicate holds; at least those that match the atom."""


@dataclass(frozen=True)
class Solution:
    """One way in which a query holds.

    Attributes:
        values: The values of its variables.
        facts: The atoms that make it true, in the order of the query.
        sums: The values of its counts and sums, with the user's text.
    """

    values: Values
    facts: tuple[tuple[str, tuple[clingo.Symbol, ...]], ...] = ()
    sums: tuple[tuple[str, clingo.Symbol], ...] = field(default=(), compare=False)


class _Undefined(Exception):
    """An expression has no value: it calculates with words, or is a maximum or minimum of an empty set."""


def solutions(formula: Formula, world: World, effort: float = inf) -> Iterator[Solution]:
    """All ways in which a query holds.

    Args:
        formula: The query.
        world: The atoms that hold.
        effort: The largest number of instances of atoms that are visited.

    Raises:
        NotDecided: There are more instances.
    """
    yield from _Meaning(world, effort).all([formula], Solution({}), frozenset())


class _Meaning:
    """Evaluates formulas in a world."""

    def __init__(self, world: World, effort: float) -> None:
        self._world = world
        self._left = effort

    def all(
        self, formulas: Sequence[Formula], so_far: Solution, named: frozenset[str], done: bool = False
    ) -> Iterator[Solution]:
        """The ways in which all formulas hold.

        Args:
            formulas: The formulas.
            so_far: The values that are known already.
            named: The variables that occur in facts and comparisons of these formulas; they are not local inside.
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
        """The formula to evaluate next: tests as early as possible, then facts, then sums and negations."""

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
        """The value of a side of a comparison. A maximum or minimum that is the whole side may be that of an empty set."""
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
    """The variables of an expression, including ``_``."""
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
