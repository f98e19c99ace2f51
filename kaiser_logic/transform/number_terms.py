"""Terms and literals of rules as clingo's syntax trees, for who follows numbers through rules."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Sequence
from itertools import product
from math import prod
from typing import Any, Final

from clingo import ast

from .. import clingo

VARIABLE, FUNCTION, BINARY = ast.ASTType.Variable, ast.ASTType.Function, ast.ASTType.BinaryOperation
SIGNS: Final = {int(ast.BinaryOperator.Plus): 1, int(ast.BinaryOperator.Minus): -1}
"""The signs of addition and subtraction."""

_MOST: Final = 1000
"""So many numbers are followed that a term can be."""
_WORD: Final = 2**31
"""clingo's numbers are smaller; what is larger becomes another there."""
_UNARY: Final[dict[int, Callable[[int], int]]] = {
    int(ast.UnaryOperator.Minus): operator.neg,
    int(ast.UnaryOperator.Negation): operator.invert,
    int(ast.UnaryOperator.Absolute): abs,
}
_BINARY: Final[dict[int, Callable[[int, int], int]]] = {
    int(ast.BinaryOperator.Plus): operator.add,
    int(ast.BinaryOperator.Minus): operator.sub,
    int(ast.BinaryOperator.Multiplication): operator.mul,
}
"""The operations that are carried out; what else is calculated (division, powers) is left to clingo."""


class Refused(Exception):
    """What a rule does with a number cannot be followed; the text says what."""


def parts(
    literals: Sequence[Any], positive: bool = False
) -> tuple[list[Any], list[tuple[Any, str, Any]], list[Any]]:
    """The atoms, comparisons, and aggregates and conditional literals among some literals."""
    atoms: list[Any] = []
    comparisons: list[tuple[Any, str, Any]] = []
    nested: list[Any] = []
    for literal in literals:
        if literal.ast_type == ast.ASTType.ConditionalLiteral:
            nested.append(literal)
            continue
        atom = literal.atom
        if atom.ast_type == ast.ASTType.SymbolicAtom:
            if not positive or literal.sign == ast.Sign.NoSign:
                pool = atom.symbol.ast_type == ast.ASTType.Pool
                atoms += list(atom.symbol.arguments) if pool else [atom.symbol]
        elif atom.ast_type == ast.ASTType.Comparison:
            left = atom.term
            for guard in atom.guards:
                equal = (
                    guard.comparison == int(ast.ComparisonOperator.Equal) and literal.sign == ast.Sign.NoSign
                )
                comparisons.append((left, "=" if equal else "<", guard.term))
                left = guard.term
        elif atom.ast_type in (ast.ASTType.BodyAggregate, ast.ASTType.Aggregate):
            nested.append(atom)
        elif atom.ast_type != ast.ASTType.BooleanConstant:
            raise Refused("a literal of an unknown kind")
    return atoms, comparisons, nested


def number_of(term: Any) -> int | None:
    """The number that a term is, if it is one."""
    if term.ast_type == ast.ASTType.SymbolicTerm and term.symbol.type == clingo.SymbolType.Number:
        return int(term.symbol.number)
    if term.ast_type == ast.ASTType.UnaryOperation and term.operator_type == int(ast.UnaryOperator.Minus):
        inner = number_of(term.argument)
        return None if inner is None else -inner
    return None


def numbers_of(term: Any) -> frozenset[int] | None:
    """The numbers that a term without variables can be: none for words, several for intervals and pools.

    None where the term has variables, or can be too many numbers. A number within a function term counts as well.
    """
    kind = term.ast_type
    if kind == ast.ASTType.SymbolicTerm:
        number = number_of(term)
        return frozenset() if number is None else frozenset({number})
    if kind in (FUNCTION, ast.ASTType.Pool):
        return _together(map(numbers_of, term.arguments))
    if kind == ast.ASTType.UnaryOperation:
        return _calculated(_UNARY.get(int(term.operator_type)), term.argument)
    if kind == BINARY:
        return _calculated(_BINARY.get(int(term.operator_type)), term.left, term.right)
    if kind == ast.ASTType.Interval:
        ends = numbers_of(term.left), numbers_of(term.right)
        if any(end is None or len(end) != 1 for end in ends):
            return None
        (first,), (last,) = (end for end in ends if end is not None)
        return frozenset(range(first, last + 1)) if last - first < _MOST else None
    return None


def _together(found: Iterable[frozenset[int] | None]) -> frozenset[int] | None:
    """All numbers of several terms; None where those of one are not known."""
    every = list(found)
    return (
        None if None in every else frozenset(n for numbers in every if numbers is not None for n in numbers)
    )


def _calculated(operation: Callable[..., int] | None, *terms: Any) -> frozenset[int] | None:
    """The numbers that come of an operation with all numbers that some terms can be."""
    values = [numbers for numbers in map(numbers_of, terms) if numbers is not None]
    if operation is None or len(values) < len(terms) or prod(map(len, values)) > _MOST:
        return None
    found = frozenset(operation(*each) for each in product(*values))
    return found if all(abs(n) < _WORD for n in found) else None


def linear(term: Any) -> tuple[str, int]:
    """A variable and what is added to it; refused for any other term."""
    if term.ast_type == VARIABLE:
        return str(term.name), 0
    if term.ast_type == BINARY and int(term.operator_type) in SIGNS:
        sign, left, right = SIGNS[int(term.operator_type)], number_of(term.left), number_of(term.right)
        if right is not None:
            variable, moved = linear(term.left)
            return variable, moved + sign * right
        if left is not None and sign == 1:
            variable, moved = linear(term.right)
            return variable, moved + left
    raise Refused("such numbers are calculated with")


def variables_in(term: Any) -> list[str]:
    """The variables of a term."""
    found: list[str] = []

    class Visitor(ast.Transformer):
        def visit_Variable(self, node: Any) -> Any:  # noqa: N802
            if node.name != "_":
                found.append(str(node.name))
            return node

    Visitor().visit(term)
    return found


def pairs(left: Any, right: Any) -> Iterable[tuple[Any, Any]]:
    """The arguments that are compared where two function terms are; none where their names tell them apart."""
    same = left.name == right.name and len(left.arguments) == len(right.arguments)
    return zip(left.arguments, right.arguments, strict=True) if same else ()
