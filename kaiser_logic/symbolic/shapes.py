"""What a line of a program says of the places of its terms: which of them hold the same values, and what kinds of values.

A place is an argument of a predicate. Of

    p(X,f(Y,red)) :- q(X,N), X < N, Y = #count { Z : r(Z) }.

the first place of `p/2` and that of `q/2` hold the same, the second one of `p/2` has ``f/2``, in that numbers and `red`, and
`X` and `N` are compared by their order. So what is known of places (:mod:`.turning`) is known without grounding. Of a line that
is not understood here nothing is said.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from itertools import count, pairwise
from typing import Any, Final, TypeAlias

import clingo
from clingo import ast

from .comparing import either_way, is_edge, is_tuple, negated
from .values import NUMBER, NotUnderstood, Term, Value, kind_of, term_of

Name: TypeAlias = tuple[str, int]
"""A predicate or a functor: its name, and how many arguments it has."""
Said: TypeAlias = tuple[tuple[int, Term], ...]
"""What stands at which arguments, where that is known."""
Place: TypeAlias = tuple[str, int, int, Said]
"""An argument of a predicate: its name, how many arguments, which one, and what stands at others."""
Node: TypeAlias = tuple[Any, ...]
"""A place, or something of one line that has values: a variable, a part of a term or of a condition."""
_numbers = count()
_EXTREMES: Final = (ast.AggregateFunction.Min, ast.AggregateFunction.Max)
_COUNTED: Final = (
    ast.AggregateFunction.Count,
    ast.AggregateFunction.Sum,
    ast.AggregateFunction.SumPlus,
    *_EXTREMES,
)


@dataclass
class Shape:
    """What a line says.

    Attributes:
        links: Pairs of nodes that hold the same values.
        holds: Values at nodes, as the line itself has them.
        parts: Of a node the argument of a functor there: the functor, which argument, and the node that holds it.
        ordered: Pairs of nodes whose values are compared by their order; each alone for the least or greatest of it.
        numeric: Nodes of which the line says the opposite number.
        reads: The atoms on which the line depends: each predicate's name, and the atom as clingo's term.
        unknown: Arguments at which something stands that is not known, while others are not all ``_``.
    """

    links: list[tuple[Node, Node]] = field(default_factory=list)
    holds: list[tuple[Node, Value]] = field(default_factory=list)
    parts: list[tuple[Node, Value, int, Node]] = field(default_factory=list)
    ordered: list[tuple[Node, ...]] = field(default_factory=list)
    numeric: list[Node] = field(default_factory=list)
    reads: list[tuple[str, ast.AST]] = field(default_factory=list)
    unknown: list[tuple[Name, int]] = field(default_factory=list)


@lru_cache(maxsize=20_000)
def shape_of(line: str) -> Shape | None:
    """The shape of a line; None where it is not understood."""
    reader = _Reader()
    try:
        ast.parse_string(line, reader.statement, logger=lambda *_: None)
    except (NotUnderstood, RuntimeError):
        return None
    return reader.shape


def read_by(pattern: ast.AST, symbol: clingo.Symbol) -> bool:
    """Whether a term of a program may stand for a value; what is not plain may stand for any.

    Args:
        pattern: As clingo's syntax has it, with variables.
        symbol: The value.
    """
    if pattern.ast_type == ast.ASTType.SymbolicTerm:
        return bool(pattern.symbol == symbol)
    if pattern.ast_type != ast.ASTType.Function:
        return True
    if symbol.type != clingo.SymbolType.Function or symbol.name != pattern.name:
        return False
    if len(symbol.arguments) != len(pattern.arguments):
        return False
    return all(map(read_by, pattern.arguments, symbol.arguments))


class _Reader:
    """Reads one line."""

    def __init__(self) -> None:
        self.shape = Shape()
        self._line = next(_numbers)
        self._parts = count()

    def statement(self, node: ast.AST) -> None:
        """Reads a statement: a rule, as others change nothing of what there is, or are not understood."""
        if node.ast_type == ast.ASTType.Program and node.name == "base" and not node.parameters:
            return
        if node.ast_type != ast.ASTType.Rule:
            raise NotUnderstood
        self._head(node.head)
        for literal in node.body:
            self._literal(literal, node)

    def _head(self, head: ast.AST) -> None:
        if head.ast_type == ast.ASTType.Aggregate:  # a choice; its bounds count what holds in any case, too
            self._guards(head)
            bounded = bool(head.left_guard or head.right_guard)
            for element in head.elements:
                self._atom(element.literal, bounded)
                for literal in element.condition:
                    self._literal(literal)
        elif head.ast_type == ast.ASTType.Literal:
            self._atom(head, False)
        else:
            raise NotUnderstood

    def _atom(self, literal: ast.AST, read: bool = True) -> None:
        """An atom, or what is always or never so; ``read``: whether the line depends on it, as it always does with a ``not``."""
        atom = literal.atom
        kind = atom.ast_type  # each look at a part of a line costs as much as all that is done with it here
        if kind == ast.ASTType.BooleanConstant:
            return
        if kind != ast.ASTType.SymbolicAtom:
            raise NotUnderstood
        read = read or literal.sign != ast.Sign.NoSign
        symbol = atom.symbol
        for term in symbol.arguments if symbol.ast_type == ast.ASTType.Pool else (symbol,):
            kind = term.ast_type
            if kind not in (ast.ASTType.Function, ast.ASTType.SymbolicTerm):
                raise NotUnderstood
            name = self._predicate(term) if kind == ast.ASTType.Function else term.symbol.name
            if read:
                self.shape.reads.append((name, term))

    def _predicate(self, term: ast.AST) -> str:
        """The arguments of an atom; its name."""
        arguments = [(k, a, a.ast_type) for k, a in enumerate(term.arguments)]
        name = term.name, len(arguments)
        known = tuple((k, term_of(a.symbol)) for k, a, kind in arguments if kind == ast.ASTType.SymbolicTerm)
        named = {k for k, a, kind in arguments if kind != ast.ASTType.Variable or a.name != "_"}
        stated = dict(known)
        self.shape.unknown += [(name, k) for k, *_ in arguments if k not in stated and named - {k}]
        for k, argument, kind in arguments:
            self._values(argument, (*name, k, known), kind)
        return str(name[0])

    def _literal(self, literal: ast.AST, rule: ast.AST | None = None) -> None:
        """A literal of a body or of a condition; ``rule``: of whose body, if so."""
        kind = literal.ast_type
        if kind == ast.ASTType.ConditionalLiteral:
            for inner in (literal.literal, *literal.condition):
                self._literal(inner)
            return
        if kind != ast.ASTType.Literal:
            raise NotUnderstood
        atom = literal.atom
        kind = atom.ast_type
        if kind == ast.ASTType.Comparison:
            self._comparison(literal, rule)
        elif kind == ast.ASTType.BodyAggregate:
            self._aggregate(atom)
        elif kind == ast.ASTType.Aggregate:
            self._guards(atom)
            for element in atom.elements:
                for inner in (element.literal, *element.condition):
                    self._literal(inner)
        else:
            self._atom(literal)

    # -- comparisons, aggregates --------------------------------------------------------------------------------------

    def _comparison(self, literal: ast.AST, rule: ast.AST | None) -> None:
        """Terms that are equal, or different, or compared by their order."""
        terms = [literal.atom.term, *(g.term for g in literal.atom.guards)]
        for (left, right), guard in zip(pairwise(terms), literal.atom.guards, strict=True):
            if guard.comparison in (ast.ComparisonOperator.Equal, ast.ComparisonOperator.NotEqual):
                self._alike(left, right)
            elif not (is_edge(left) or is_edge(right)) and not (
                rule is not None and len(terms) == 2 and either_way(rule, literal, left, right)
            ):
                self.shape.ordered.append((self._node(left), self._node(right)))

    def _alike(self, left: ast.AST, right: ast.AST) -> None:
        """Two terms that are compared for being the same: of tuples place by place."""
        if is_tuple(left) and is_tuple(right) and len(left.arguments) == len(right.arguments):
            for one, other in zip(left.arguments, right.arguments, strict=True):
                self._alike(one, other)
            return
        node = self._part()
        self._values(left, node)
        self._values(right, node)

    def _aggregate(self, aggregate: ast.AST) -> None:
        """Elements are the same where all their terms are: so what stands at one place of them holds the same."""
        if aggregate.function not in _COUNTED:
            raise NotUnderstood
        extreme = aggregate.function in _EXTREMES
        own = next(self._parts)
        weight: Node = (self._line, own, 0, 0)
        for element in aggregate.elements:
            for k, term in enumerate(element.terms):
                first = extreme and k == 0
                self._values(term, weight if first else (self._line, own, len(element.terms), k + 1))
            for literal in element.condition:
                self._literal(literal)
        if extreme:
            self.shape.ordered.append((weight,))
            for guard in filter(None, (aggregate.left_guard, aggregate.right_guard)):
                self._values(guard.term, weight)
        else:
            self._guards(aggregate)

    def _guards(self, aggregate: ast.AST) -> None:
        """What is compared with a number."""
        for guard in filter(None, (aggregate.left_guard, aggregate.right_guard)):
            self.shape.holds.append((self._node(guard.term), NUMBER))

    # -- terms ---------------------------------------------------------------------------------------------------------

    def _part(self) -> Node:
        return (self._line, next(self._parts))

    def _node(self, term: ast.AST) -> Node:
        """A node that holds a term's values."""
        node = self._part()
        self._values(term, node)
        return node

    def _values(self, term: ast.AST, node: Node, kind: ast.ASTType | None = None) -> None:
        """What a term can stand for is held by a node; ``kind``: the term's, where it is known."""
        kind = term.ast_type if kind is None else kind
        if kind == ast.ASTType.Variable:
            name = term.name
            if name != "_":
                self.shape.links.append((node, (self._line, name)))
        elif kind == ast.ASTType.SymbolicTerm:
            self.shape.holds.append((node, kind_of(term_of(term.symbol))))
        elif kind == ast.ASTType.Function:
            if term.external:
                raise NotUnderstood
            functor = term.name, len(term.arguments)
            self.shape.holds.append((node, functor))
            for k, argument in enumerate(term.arguments):
                self.shape.parts.append((node, functor, k, self._node(argument)))
        elif kind == ast.ASTType.Pool:
            for argument in term.arguments:
                self._values(argument, node)
        elif kind in (ast.ASTType.Interval, ast.ASTType.BinaryOperation, ast.ASTType.UnaryOperation):
            self.shape.holds.append((node, NUMBER))
            opposite = [self._node(inner) for inner in negated(term)]
            self.shape.numeric += opposite
            if (
                kind == ast.ASTType.UnaryOperation
            ):  # in a body `-X` matches a name, and gives it to X with a minus
                self.shape.links += [(node, inner) for inner in opposite]
        else:
            raise NotUnderstood
