"""Terms and literals of rules as clingo's syntax trees, for who follows numbers through rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import clingo
from clingo import ast

VARIABLE, FUNCTION, BINARY = ast.ASTType.Variable, ast.ASTType.Function, ast.ASTType.BinaryOperation
SIGNS: Final = {int(ast.BinaryOperator.Plus): 1, int(ast.BinaryOperator.Minus): -1}
"""The signs of addition and subtraction."""


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
