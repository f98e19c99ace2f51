"""Queries as data: facts, comparisons, sums, ``not`` and ``;`` in any depth.

A query is a tree of `Formula`. It holds if some values of its variables fit. Variables that occur only inside ``not (...)`` or
braces are local there. :mod:`.program` determines these, and translates the tree to rules.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias, TypeVar

from ..lang.algebra import integers, variables
from ..lang.terms import ANY, Fun, Signature, Term, Var
from ..lang.unification import Binding, label, resolve
from ..rules.predicates import LEGAL, VIOLATES
from ..rules.rule import SimpleAtom

AFTER: Signature = ("after", 3)
"""``after(R,A,Fact)``: the fact holds in the position after a legal action."""
ACTED: Final = frozenset({LEGAL, VIOLATES, AFTER})
"""The predicates for actions in queries, which are not predicates of the rulebook."""
LARGEST: Final = 2_000_000_000
"""A number below the limit of the solver's numbers."""
TOO_LARGE: Final = "the numbers in the position are too large to be calculated with"
"""The reason why a query is not decided whose calculations may exceed `LARGEST`."""
_MANY: Final = 1_000
"""The largest number of elements of a sum."""
Span: TypeAlias = tuple[int, int]
"""The start and the end of something in the text of a query."""
NOWHERE: Span = (0, 0)
"""The span of something that the user did not write."""


@dataclass(frozen=True)
class Value:
    """A term as part of a comparison or a tuple."""

    pattern: Term
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True)
class Calculated:
    """Two expressions added, subtracted or multiplied: ``sign`` is ``+``, ``-`` or ``*``."""

    left: Expression
    sign: str
    right: Expression


@dataclass(frozen=True)
class BraceAggregate:
    """``count``, ``sum``, ``min`` or ``max`` over all values with which a formula holds.

    Attributes:
        function: Which of the four.
        terms: The terms that are counted or summed. With a single term of a sum, each solution of the formula counts. With
            several terms, each different tuple counts once, and its first term is added.
        formula: The condition.
        text: The user's text.
    """

    function: str
    terms: tuple[Expression, ...]
    formula: Formula
    text: str = ""
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True)
class FactPattern:
    """An atom that holds."""

    atom: SimpleAtom
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True)
class Compared:
    """Two expressions compared; an equation may define a variable."""

    left: Expression
    sign: str
    right: Expression
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True)
class Without:
    """A negated formula: no values of its variables make it hold."""

    formula: Formula
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True)
class Some:
    """An existential formula: some values of its variables make it hold."""

    formula: Formula


@dataclass(frozen=True)
class Together:
    """All of these hold."""

    parts: tuple[Formula, ...]


@dataclass(frozen=True)
class Disjunction:
    """One of these holds, or several do."""

    parts: tuple[Formula, ...]


Expression: TypeAlias = Value | Calculated | BraceAggregate
Formula: TypeAlias = FactPattern | Compared | Without | Some | Together | Disjunction
Part: TypeAlias = FactPattern | Compared | Without | Some
"""The parts of a conjunction after ``;`` has been multiplied out."""
Node: TypeAlias = Formula | Expression
T = TypeVar("T", bound=Node)


def children(node: Node) -> tuple[Node, ...]:
    """The direct parts of a node."""
    match node:
        case Calculated(left, _, right) | Compared(left, _, right):
            return left, right
        case BraceAggregate(_, terms, formula):
            return *terms, formula
        case Without(formula) | Some(formula):
            return (formula,)
        case Together(parts) | Disjunction(parts):
            return parts
        case _:
            return ()


def names(node: Node) -> set[str]:
    """All variables in a node, except ``_``."""
    match node:
        case Value(pattern):
            return set(variables(pattern))
        case FactPattern(atom):
            return set(variables(atom.args))
        case _:
            return set[str]().union(*map(names, children(node)))


def direct(node: Node) -> set[str]:
    """The variables of an atom or a comparison itself, without those inside braces and ``not``."""
    if isinstance(node, (BraceAggregate, Without, Some)):
        return set()
    if isinstance(node, (Value, FactPattern)):
        return names(node)
    return set[str]().union(*map(direct, children(node)))


def aggregates(node: Node) -> list[BraceAggregate]:
    """The aggregates of an expression or a comparison, except those inside of others."""
    if isinstance(node, BraceAggregate):
        return [node]
    if isinstance(node, (Compared, Calculated)):
        return [a for child in children(node) for a in aggregates(child)]
    return []


def atoms(node: Node) -> Iterator[SimpleAtom]:
    """All atoms in a node, in order."""
    if isinstance(node, FactPattern):
        yield node.atom
    for child in children(node):
        yield from atoms(child)


def inner(atom: SimpleAtom) -> SimpleAtom:
    """The fact of ``after(R,A,Fact)``."""
    fact: Term = atom.args[2]
    return SimpleAtom(label(fact), fact.args if isinstance(fact, Fun) else ())


def calculates(node: Node) -> bool:
    """Whether numbers are added, subtracted or multiplied in a node."""
    own = isinstance(node, Calculated) or (isinstance(node, BraceAggregate) and node.function == "sum")
    return own or any(map(calculates, children(node)))


def largest(formula: Formula, value: int) -> int:
    """The largest number that a calculation in a formula can reach, by a generous estimate; at most a little above `LARGEST`.

    ``value``: the largest number in the facts. A variable that an equation defines may have a larger one.

    >>> n, m = (Value(Var(name)) for name in "NM")
    >>> largest(Together((Compared(m, "=", Calculated(n, "*", n)), Compared(Calculated(m, "*", m), ">", n))), 10)
    10000
    """
    defined = [pair for part in _comparisons(formula) if part.sign == "=" for pair in _sides(part)]
    bounds: dict[str, int] = {}
    for _ in defined:  # a variable may be defined by another one that is
        for name, other in defined:
            bounds[name] = max(bounds.get(name, value), _size(other, bounds, value))
    return _size(formula, bounds, value)


def _comparisons(node: Node) -> Iterator[Compared]:
    if isinstance(node, Compared):
        yield node
    for child in children(node):
        yield from _comparisons(child)


def _sides(part: Compared) -> Iterator[tuple[str, Expression]]:
    """The variables that are a side of a comparison, each with the other side."""
    for one, other in ((part.left, part.right), (part.right, part.left)):
        name = is_variable(one)
        if name is not None:
            yield name, other


def _size(node: Node, bounds: Mapping[str, int], value: int) -> int:
    """The largest number in a node; ``bounds``: those of variables that may exceed ``value``."""
    inside = [_size(child, bounds, value) for child in children(node)]
    found = max(inside, default=0)
    match node:
        case Value(pattern):
            numbers = [abs(n) for n in integers(pattern)]
            found = max([*numbers, *(bounds.get(n, value) for n in variables(pattern))], default=0)
            if pattern == ANY:
                found = value
        case Calculated(_, "*", _):
            found = inside[0] * inside[1]
        case Calculated():
            found = sum(inside)
        case BraceAggregate("sum", _, _):
            found *= _MANY
    return min(found, LARGEST + 1)


def replace_variables(node: T, binding: Binding) -> T:
    """The node with other terms in place of variables, wherever they occur."""
    match node:
        case Value(pattern):
            return replace(node, pattern=resolve(pattern, binding))
        case FactPattern(atom):
            return replace(node, atom=SimpleAtom(atom.name, tuple(resolve(a, binding) for a in atom.args)))
        case Calculated(left, _, right) | Compared(left, _, right):
            return replace(
                node, left=replace_variables(left, binding), right=replace_variables(right, binding)
            )
        case BraceAggregate(_, terms, formula):
            new = tuple(replace_variables(t, binding) for t in terms)
            return replace(node, terms=new, formula=replace_variables(formula, binding))
        case Without(formula) | Some(formula):
            return replace(node, formula=replace_variables(formula, binding))
        case Together(parts) | Disjunction(parts):
            return replace(node, parts=tuple(replace_variables(p, binding) for p in parts))
    raise TypeError(f"no part of a query: {node!r}")


def is_variable(expression: Expression) -> str | None:
    """The name of the variable that an expression is; None for any other, and for ``_``."""
    if isinstance(expression, Value) and isinstance(expression.pattern, Var) and expression.pattern != ANY:
        return str(expression.pattern.name)
    return None
