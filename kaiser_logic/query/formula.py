"""Queries as data: facts, comparisons, sums, ``not`` and ``;`` in any depth.

A query is a tree of `Formula`. Of all variables some values must fit; those that only occur inside of ``not (...)`` or
of braces have values of their own there. :mod:`.program` says which these are, and makes rules of
the tree; :mod:`.meaning` tells in plain Python whether it holds.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TypeAlias, TypeVar

from ..lang.algebra import variables
from ..lang.terms import ANY, Signature, Term, Var
from ..lang.unification import Binding, resolve
from ..rules.rule import Atom

AFTER: Signature = ("after", 3)
"""What holds in the position after a legal action: ``after(R,A,Fact)``."""
Span: TypeAlias = tuple[int, int]
"""Where something begins and ends in the text of a query."""
NOWHERE: Span = (0, 0)
"""The span of what the user did not write himself."""


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
class Aggregate:
    """``count``, ``sum``, ``min`` or ``max`` over all values with which a formula holds.

    Attributes:
        function: Which of the four.
        terms: What is counted or summed: with a single term of a sum each way to meet the formula counts, with several
            each different tuple once, its first term being what is added.
        formula: On what condition.
        text: What the user wrote.
    """

    function: str
    terms: tuple[Expression, ...]
    formula: Formula
    text: str = ""
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True)
class Fact:
    """An atom that holds."""

    atom: Atom
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True)
class Compared:
    """Two expressions compared; an equation may say what a variable is."""

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
class Either:
    """One of these holds, or several do."""

    parts: tuple[Formula, ...]


Expression: TypeAlias = Value | Calculated | Aggregate
Formula: TypeAlias = Fact | Compared | Without | Some | Together | Either
Part: TypeAlias = Fact | Compared | Without | Some
"""What stands in a conjunction after ``;`` has been multiplied out."""
Node: TypeAlias = Formula | Expression
T = TypeVar("T", bound=Node)


def children(node: Node) -> tuple[Node, ...]:
    """The direct parts of a node."""
    match node:
        case Calculated(left, _, right) | Compared(left, _, right):
            return left, right
        case Aggregate(_, terms, formula):
            return *terms, formula
        case Without(formula) | Some(formula):
            return (formula,)
        case Together(parts) | Either(parts):
            return parts
        case _:
            return ()


def names(node: Node) -> set[str]:
    """All variables in a node, but for ``_``."""
    match node:
        case Value(pattern):
            return set(variables(pattern))
        case Fact(atom):
            return set(variables(atom.args))
        case _:
            return set[str]().union(*map(names, children(node)))


def direct(node: Node) -> set[str]:
    """The variables of an atom or a comparison itself, without those inside of braces and of ``not``."""
    if isinstance(node, (Aggregate, Without, Some)):
        return set()
    if isinstance(node, (Value, Fact)):
        return names(node)
    return set[str]().union(*map(direct, children(node)))


def aggregates(node: Node) -> list[Aggregate]:
    """The aggregates of an expression or a comparison, those inside of others left out."""
    if isinstance(node, Aggregate):
        return [node]
    if isinstance(node, (Compared, Calculated)):
        return [a for child in children(node) for a in aggregates(child)]
    return []


def atoms(node: Node) -> Iterator[Atom]:
    """All atoms in a node, in order."""
    if isinstance(node, Fact):
        yield node.atom
    for child in children(node):
        yield from atoms(child)


def replaced(node: T, binding: Binding) -> T:
    """The node with other terms in the place of variables, wherever they occur."""
    match node:
        case Value(pattern):
            return replace(node, pattern=resolve(pattern, binding))
        case Fact(atom):
            return replace(node, atom=Atom(atom.name, tuple(resolve(a, binding) for a in atom.args)))
        case Calculated(left, _, right) | Compared(left, _, right):
            return replace(node, left=replaced(left, binding), right=replaced(right, binding))
        case Aggregate(_, terms, formula):
            new = tuple(replaced(t, binding) for t in terms)
            return replace(node, terms=new, formula=replaced(formula, binding))
        case Without(formula) | Some(formula):
            return replace(node, formula=replaced(formula, binding))
        case Together(parts) | Either(parts):
            return replace(node, parts=tuple(replaced(p, binding) for p in parts))
    raise TypeError(f"no part of a query: {node!r}")


def is_variable(expression: Expression) -> str | None:
    """The name of the variable that an expression is; None for any other, and for ``_``."""
    if isinstance(expression, Value) and isinstance(expression.pattern, Var) and expression.pattern != ANY:
        return str(expression.pattern.name)
    return None
