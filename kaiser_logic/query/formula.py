"""Queries as data: facts, comparisons, sums, ``not`` and ``;`` in any depth, around the terms of :mod:`..lang.terms`.

A query is a tree of `Formula`. It holds if some values of its variables fit. Variables that occur only inside ``not (...)`` or
braces are local there. :mod:`.program` determines these, and translates the tree to rules.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Final, TypeAlias

from ..lang.algebra import variables, walk
from ..lang.terms import ANY, Atom, Op, Signature, Term, Var
from ..lang.unification import Binding, arguments, label, resolve
from ..rules.predicates import LEGAL, VIOLATES

AFTER: Signature = ("after", 3)
"""``after(R,A,Fact)``: the fact holds in the position after a legal action."""
ACTED: Final = frozenset({LEGAL, VIOLATES, AFTER})
"""The predicates for actions in queries, which are not predicates of the rulebook."""
Span: TypeAlias = tuple[int, int]
"""The start and the end of something in the text of a query."""
NOWHERE: Span = (0, 0)
"""The span of something that the user did not write."""


@dataclass(frozen=True)
class BraceAggregate:
    """``count``, ``sum``, ``min`` or ``max`` over all values with which a formula holds.

    Attributes:
        function: Which of the four.
        terms: The terms that are counted or summed. With a single term of a sum, each solution of the formula counts. With
            several terms, each different tuple counts once, and its first term is added.
        formula: The condition.
        text: The user's text.
        span: Its place in the query.
    """

    function: str
    terms: tuple[Expression, ...]
    formula: Formula
    text: str = ""
    span: Span = field(default=NOWHERE, compare=False)

    @property
    def is_extreme(self) -> bool:
        """Whether it is a maximum or a minimum."""
        return self.function in ("min", "max")


@dataclass(frozen=True)
class FactPattern:
    """An atom that holds."""

    atom: Atom
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True)
class Compared:
    """Two expressions compared; an equation may define a variable. ``spans``: the places of the two sides."""

    left: Expression
    sign: str
    right: Expression
    span: Span = field(default=NOWHERE, compare=False)
    spans: tuple[Span, Span] = field(default=(NOWHERE, NOWHERE), compare=False)


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


Expression: TypeAlias = Term | BraceAggregate
"""A term of a rule; operations in it may have aggregates as their parts."""
Formula: TypeAlias = FactPattern | Compared | Without | Some | Together | Disjunction
Part: TypeAlias = FactPattern | Compared | Without | Some
"""The parts of a conjunction after ``;`` has been multiplied out."""
Node: TypeAlias = Formula | Expression
_FIELDS: Final = ("atom", "args", "left", "right", "terms", "formula", "parts")
"""The fields of nodes in which other nodes are."""


def nodes(node: Any) -> Iterator[Any]:
    """A node with all that is inside it, in order."""
    if isinstance(node, tuple):
        for one in node:
            yield from nodes(one)
        return
    yield node
    for name in _FIELDS:
        yield from nodes(getattr(node, name, ()))


def names(node: Node) -> set[str]:
    """All variables in a node, except ``_``."""
    return {one.name for one in nodes(node) if isinstance(one, Var) and one != ANY}


def sides(node: Node) -> tuple[Any, ...]:
    """The terms and aggregates of a literal itself, without what is inside ``not``."""
    match node:
        case Compared(left, _, right):
            return left, right
        case FactPattern(atom):
            return atom.args
    return (node,)


def direct(node: Node) -> set[str]:
    """The variables of an atom or a comparison itself, without those inside braces and ``not``."""
    return set(variables(sides(node)))


def aggregates(node: Node) -> list[BraceAggregate]:
    """The aggregates of an expression or a comparison, except those inside of others."""
    return [one for one in walk(sides(node)) if isinstance(one, BraceAggregate)]


def is_anonymous(expression: Expression) -> bool:
    """Whether ``_`` occurs in an expression itself, outside of braces."""
    return ANY in walk(expression)


def atoms(node: Node) -> Iterator[Atom]:
    """All atoms in a node, in order."""
    return (one.atom for one in nodes(node) if isinstance(one, FactPattern))


def inner(atom: Atom) -> Atom:
    """The fact of ``after(R,A,Fact)``."""
    return Atom(label(atom.args[2]), arguments(atom.args[2]))


def calculates(node: Node) -> bool:
    """Whether numbers are added, subtracted or multiplied in a node."""
    return any(isinstance(n, Op) or (isinstance(n, BraceAggregate) and n.function == "sum") for n in nodes(node))


def equations(part: Node) -> Iterator[tuple[str, Expression]]:
    """The variables that stand alone on a side of an equation, each with the other side."""
    if isinstance(part, Compared) and part.sign == "=":
        for one, other in ((part.left, part.right), (part.right, part.left)):
            if isinstance(one, Var) and one != ANY:
                yield one.name, other


def replace_variables(node: Any, binding: Binding) -> Any:
    """The node with other terms in place of variables, wherever they occur."""
    if isinstance(node, tuple):
        return tuple(replace_variables(part, binding) for part in node)
    if isinstance(node, Var):
        return resolve(node, binding)
    fields = {name: getattr(node, name) for name in _FIELDS if hasattr(node, name)}
    return replace(node, **{name: replace_variables(part, binding) for name, part in fields.items()})
