"""Which comparisons of terms say the same whatever names stand for one another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import clingo
from clingo import ast


def negated(term: ast.AST) -> Iterator[ast.AST]:
    """What has a minus before it: of a name that is another name, and not a number or nothing."""
    if term.ast_type == ast.ASTType.UnaryOperation:
        if term.operator_type == ast.UnaryOperator.Minus:
            yield term.argument
        yield from negated(term.argument)
    elif term.ast_type in (ast.ASTType.BinaryOperation, ast.ASTType.Interval):
        for side in (term.left, term.right):
            yield from negated(side)


def is_tuple(term: ast.AST) -> bool:
    """Whether a term is a tuple."""
    return bool(term.ast_type == ast.ASTType.Function and term.name == "" and not term.external)


def is_edge(term: ast.AST) -> bool:
    """Whether a term is the first or the last one of its name in the order of terms, as ``f(#inf,#inf)``.

    What comes before it is seen by the names and numbers of arguments alone.
    """
    if term.ast_type != ast.ASTType.Function or term.external or not term.arguments:
        return False
    ends = (clingo.Infimum, clingo.Supremum)
    return any(
        all(a.ast_type == ast.ASTType.SymbolicTerm and a.symbol == end for a in term.arguments)
        for end in ends
    )


def either_way(rule: ast.AST, comparison: ast.AST, left: ast.AST, right: ast.AST) -> bool:
    """Whether a rule says the same with two variables exchanged, but for their comparison: so it says ``X != Y``.

    ``tied :- best(R), best(Q), R < Q`` is such a rule. Variables that stand there once are the same as ``_``.
    """
    if not (left.ast_type == right.ast_type == ast.ASTType.Variable):
        return False
    if comparison.sign != ast.Sign.NoSign:
        return False
    others = [literal for literal in rule.body if literal != comparison]
    if any(literal.ast_type != ast.ASTType.Literal for literal in others):
        return False
    if any(literal.atom.ast_type != ast.ASTType.SymbolicAtom for literal in others):
        return False
    seen = Counter(v.name for literal in (rule.head, *others) for v in _variables(literal))
    plain = {v: v if v in (left.name, right.name) else "_" for v, n in seen.items() if n == 1}
    swapped = plain | {left.name: right.name, right.name: left.name}
    parts = [rule.head, *others]
    return _said(parts, plain) == _said(parts, swapped)


def _said(literals: Sequence[ast.AST], named: dict[str, str]) -> tuple[str, frozenset[str]]:
    """A head, and the literals of a body, with variables called otherwise."""
    head, *body = (str(_Names(named)(literal)) for literal in literals)
    return head, frozenset(body)


class _Names(ast.Transformer):
    """Calls variables otherwise."""

    def __init__(self, named: dict[str, str]) -> None:
        self._named = named

    def visit_Variable(self, node: ast.AST) -> ast.AST:  # noqa: N802
        """The variable by its other name."""
        return node.update(name=self._named.get(node.name, node.name))


def _variables(node: ast.AST) -> list[ast.AST]:
    """The variables in a part of a program."""
    found: list[ast.AST] = []

    class Collect(ast.Transformer):
        def visit_Variable(self, variable: ast.AST) -> ast.AST:  # noqa: N802
            found.append(variable)
            return variable

    Collect()(node)
    return found
