"""The alternatives of a query, and the variables that each of them binds.

``a(X), (b(X) ; c)`` is ``a(X), b(X)`` or ``a(X), c``: each alternative is a query of its own. In an alternative the
positive facts bind variables, and so do equations with what is bound already. Whatever else is named inside of
``not (...)`` or of braces has a value of its own there.

>>> from kaiser_logic.rules.rule import Atom
>>> a, b, c = (Fact(Atom(name, (Var("X"),))) for name in "abc")
>>> [[p.atom.name for p in branch.parts] for branch in branches(Together((a, Either((b, c)))))]
[['a', 'b'], ['a', 'c']]
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import count
from typing import Final

from ..errors import WrongUsage
from ..lang.algebra import walk
from ..lang.terms import ANY, FLIPPED, Fun, Term, Var
from .extremes import against, is_extreme
from .formula import (
    Aggregate,
    Calculated,
    Compared,
    Either,
    Expression,
    Fact,
    Formula,
    Part,
    Some,
    Together,
    Value,
    Without,
    aggregates,
    direct,
    is_variable,
    names,
    replaced,
)

MOST: Final = 200
"""So many alternatives a query has at most."""


@dataclass(frozen=True)
class Branch:
    """One alternative: literals that all hold.

    Attributes:
        parts: The literals.
        binder: For each variable that is bound here the fact or the equation that does it, in an order in which each
            needs only those before it.
        outer: The variables that are bound around it.
    """

    parts: tuple[Part, ...]
    binder: Mapping[str, Part]
    outer: frozenset[str]

    @property
    def bound(self) -> frozenset[str]:
        """All variables that have a value."""
        return self.outer.union(self.binder)


def branches(formula: Formula, outer: frozenset[str] = frozenset()) -> list[Branch]:
    """The alternatives of a formula.

    Args:
        formula: What is asked.
        outer: The variables that have a value already.

    Raises:
        WrongUsage: There are too many, or one compares a variable that nothing binds.
    """
    return [_branch(parts, outer) for parts in multiplied(formula)]


def multiplied(formula: Formula) -> list[tuple[Part, ...]]:
    """The formula with ``;`` outermost, outside of ``not`` and braces."""
    match formula:
        case Together(parts):
            found: list[tuple[Part, ...]] = [()]
            for part in parts:
                more = multiplied(part)
                if len(found) * len(more) > MOST:
                    raise WrongUsage(
                        f"the query has more than {MOST} alternatives when ';' is multiplied out"
                    )
                found = [one + other for one in found for other in more]
            return found
        case Either(parts):
            return [one for part in parts for one in multiplied(part)]
        case _:
            return [(formula,)]


def _branch(parts: tuple[Part, ...], outer: frozenset[str]) -> Branch:
    """The literals with what binds their variables; terms and largest numbers that bind are taken apart."""
    new: tuple[Part, ...] | None = parts
    while new is not None:
        parts = tuple(_simple(new, outer))
        binder = _binder(parts, outer)
        new = _taken_apart(parts, binder, outer)
    _look_over(parts, outer.union(binder))
    return Branch(parts, binder, outer)


def _binder(parts: tuple[Part, ...], outer: frozenset[str]) -> dict[str, Part]:
    """The literals that bind variables: facts, and equations with bound terms."""
    found: dict[str, Part] = {}
    for part in parts:
        if isinstance(part, Fact):
            for name in sorted(names(part) - outer):
                found.setdefault(name, part)
    named = all_of(map(direct, parts))
    while True:
        new: dict[str, Part] = {}
        known = outer.union(found)
        for part, name, other in ((p, *e) for p in parts for e in equations(p)):
            if name in known and is_term(other):
                new |= dict.fromkeys(sorted(names(other) - known), part)
            elif name not in known and not is_extreme(other):
                inside = all_of(map(names, aggregates(other)))
                if direct(other) | inside & named <= known and not _anonymous(other):
                    new[name] = part
        if not new.keys() - found.keys():
            return found
        found |= {n: p for n, p in new.items() if n not in found}


def all_of(groups: Iterable[set[str]]) -> set[str]:
    """The union of some sets of names."""
    return set[str]().union(*groups)


def equations(part: Formula) -> Iterator[tuple[str, Expression]]:
    """The variables that stand alone on a side of an equation, each with the other side."""
    if isinstance(part, Compared) and part.sign == "=":
        for one, other in ((part.left, part.right), (part.right, part.left)):
            name = is_variable(one)
            if name is not None:
                yield name, other


def is_term(expression: Expression) -> bool:
    """Whether it is a term with arguments, such as ``buy(X,_)``."""
    return isinstance(expression, Value) and isinstance(expression.pattern, Fun)


def _anonymous(expression: Expression) -> bool:
    """Whether ``_`` stands in an expression itself, outside of braces."""
    if isinstance(expression, Value):
        return ANY in walk(expression.pattern)
    if isinstance(expression, Aggregate):
        return False
    return _anonymous(expression.left) or _anonymous(expression.right)


# -- what is taken apart -------------------------------------------------------------------------------------------------


def _simple(parts: tuple[Part, ...], outer: frozenset[str]) -> Iterator[Part]:
    """Comparisons with at most one aggregate, which stands on the left; the values of others have names of their own.

    The largest and the smallest stay where they are compared, also two of them: of nothing they have no value.
    """
    fresh = _fresh(parts, outer)
    for part in parts:
        if not isinstance(part, Compared) or not aggregates(part):
            yield part
            continue
        left, sign, right = part.left, part.sign, part.right
        if is_extreme(left) and is_extreme(right):
            yield part
            continue
        if is_extreme(right) or (not isinstance(left, Aggregate) and isinstance(right, Aggregate)):
            left, sign, right = right, FLIPPED[sign], left
        if not isinstance(left, Aggregate):
            left = yield from _named(left, fresh)
        right = yield from _named(right, fresh)
        yield Compared(left, sign, right)


def _named(expression: Expression, fresh: Iterator[str]) -> Generator[Part, None, Expression]:
    """The expression with names in the place of aggregates; first what they are."""
    if isinstance(expression, Aggregate):
        name = Value(Var(next(fresh)))
        yield Compared(expression, "=", name)
        return name
    if isinstance(expression, Calculated):
        left = yield from _named(expression.left, fresh)
        right = yield from _named(expression.right, fresh)
        return Calculated(left, expression.sign, right)
    return expression


def _taken_apart(
    parts: tuple[Part, ...], binder: Mapping[str, Part], outer: frozenset[str]
) -> tuple[Part, ...] | None:
    """The literals with one of them taken apart; None where there is nothing to take apart.

    ``A = buy(X,_)`` puts the term in the place of ``A``; ``N = max{M : p(M)}`` becomes ``p(L), N = L`` and that there is
    no larger one.
    """
    named = all_of(map(direct, parts))
    for k, part in enumerate(parts):
        rest, bound = parts[:k] + parts[k + 1 :], outer.union(binder)
        match part:
            case Compared(Aggregate() as one, sign, Aggregate() as two) if names(part) & named <= bound:
                return (*rest, *against(one, sign, two, bound, _fresh(parts, bound)))
        for name, other in equations(part):
            if isinstance(other, Value) and _opens(name, other, binder, rest):
                pattern = _filled(other.pattern, _fresh(parts, bound))
                return tuple(replaced(p, {name: pattern}) for p in rest)
            if not isinstance(other, Aggregate) or not is_extreme(other) or name in bound:
                continue
            if names(other) & named - {name} <= bound:
                return (*rest, *_extreme(name, other, bound, _fresh(parts, bound)))
    return None


def _opens(name: str, term: Value, binder: Mapping[str, Part], rest: tuple[Part, ...]) -> bool:
    """Whether an equation says what the term that a fact binds looks like: ``legal(R,A), A = buy(X,_)``."""
    if not is_term(term) or name in names(term) or not isinstance(binder.get(name), Fact):
        return False
    known = all_of(names(p) for p in rest if isinstance(p, Fact))
    return _anonymous(term) or not names(term) <= known


def _fresh(parts: tuple[Part, ...], bound: frozenset[str]) -> Iterator[str]:
    """Names that nothing here has, nor any user can write."""
    used = all_of(map(names, parts)) | bound
    return (name for name in (f"_V{k}" for k in count()) if name not in used)


def _filled(pattern: Term, fresh: Iterator[str]) -> Term:
    """The pattern with a variable of its own for each ``_``."""
    if pattern == ANY:
        return Var(next(fresh))
    if isinstance(pattern, Fun):
        return Fun(pattern.name, tuple(_filled(a, fresh) for a in pattern.args))
    return pattern


def _extreme(name: str, aggregate: Aggregate, bound: frozenset[str], fresh: Iterator[str]) -> Iterator[Part]:
    """``name`` is the largest, or smallest, of what an aggregate is about."""
    term, own = aggregate.terms[0], names(aggregate) - bound
    binding = {v: Var(next(fresh)) for v in sorted(own)}
    value = Value(Var(name))
    beyond = Compared(term, ">" if aggregate.function == "max" else "<", value)
    yield from multiplied_once(replaced(aggregate.formula, binding))
    yield Compared(value, "=", replaced(term, binding))
    yield Without(Together((aggregate.formula, beyond)))


def multiplied_once(formula: Formula) -> tuple[Part, ...]:
    """The literals of a formula with one alternative."""
    found = multiplied(formula)
    if len(found) > 1:
        raise WrongUsage(
            "a variable cannot be the largest or smallest of several alternatives: compare it instead"
        )
    return found[0]


# -- what has no meaning --------------------------------------------------------------------------------------------------


def _look_over(parts: tuple[Part, ...], bound: frozenset[str]) -> None:
    """Refuses comparisons of what has no value.

    Raises:
        WrongUsage: There is one.
    """
    for part in parts:
        if isinstance(part, (Without, Some)):
            branches(part.formula, bound)
        if not isinstance(part, Compared):
            continue
        loose = sorted(direct(part) - bound)
        if loose:
            raise WrongUsage(f"nothing in the query says what {loose[0].lstrip('_')} is")
        matched = any(is_term(other) for _, other in equations(part))
        if (_anonymous(part.left) or _anonymous(part.right)) and not matched:
            raise WrongUsage("_ cannot be compared or calculated with: write a variable that a fact binds")
        for aggregate in aggregates(part):
            for branch in branches(aggregate.formula, bound):
                for term in aggregate.terms:
                    free = sorted(direct(term) - branch.bound)
                    where = f"{aggregate.function}{{...}}"
                    if free:
                        raise WrongUsage(f"nothing in {where} says what {free[0]} is")
                    if aggregates(term) or _anonymous(term):
                        raise WrongUsage(f"before the ':' of {where} stand variables, numbers and terms")
