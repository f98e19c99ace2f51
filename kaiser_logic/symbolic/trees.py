"""Rules as clingo's syntax trees: what is in them, and what binds which variables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from clingo import SymbolType, ast

from .flattening import Unprojectable


def safe(literals: Sequence[tuple[Any, str]], rule: Any) -> tuple[list[str], set[str]]:
    """The conditions that stay meaningful, and the variables that they bind."""
    bound: set[str] = set()
    everywhere = Counter(v for x in (*rule.body, rule.head) for v in set(variables_of(x)))
    while True:
        before = len(bound)
        for node, _ in literals:
            bound |= _binds(node, bound)
        if len(bound) == before:
            break
    kept = []
    for node, text in literals:
        outer = set(variables_of(node))
        if node.ast_type == ast.ASTType.ConditionalLiteral or (
            node.ast_type == ast.ASTType.Literal
            and node.atom.ast_type in (ast.ASTType.BodyAggregate, ast.ASTType.Aggregate)
        ):
            outer = {v for v in outer if everywhere[v] > 1}
        if outer <= bound:
            kept.append(text)
    return kept, bound


def _binds(node: Any, bound: set[str]) -> set[str]:
    """The variables that a condition binds, where others are bound."""
    if node.ast_type != ast.ASTType.Literal or node.sign:
        return set()
    atom = node.atom
    if atom.ast_type == ast.ASTType.SymbolicAtom:
        return set(variables_of(node)) if _needs(node) <= bound | _plain(node) else set()
    if atom.ast_type == ast.ASTType.Comparison:
        if len(atom.guards) != 1 or atom.guards[0].comparison != ast.ComparisonOperator.Equal:
            return set()
        left, right = atom.term, atom.guards[0].term
        found: set[str] = set()
        for x, y in ((left, right), (right, left)):
            if set(variables_of(y)) <= bound and _needs(x) <= bound:
                found |= _plain(x)
        return found
    if atom.ast_type == ast.ASTType.BodyAggregate:
        found = set()
        for guard in (atom.left_guard, atom.right_guard):
            if guard is not None and guard.comparison == ast.ComparisonOperator.Equal:
                found |= _plain(guard.term)
        return found
    return set()


def parsed(line: str) -> Any:
    """The rule that a line is.

    Raises:
        Unprojectable: It is not one rule.
    """
    found: list[Any] = []
    ast.parse_string(line, found.append)
    if len(found) != 2:
        raise Unprojectable(line)
    return found[1]


def symbolic(node: Any) -> tuple[str, list[Any]] | None:
    """The name and the arguments of a literal's atom, or None where it is none."""
    if node.ast_type != ast.ASTType.Literal or node.atom.ast_type != ast.ASTType.SymbolicAtom:
        return None
    return term_of(node.atom.symbol)


def term_of(term: Any) -> tuple[str, list[Any]]:
    """The name and the arguments of a term.

    Raises:
        Unprojectable: It has none.
    """
    if term.ast_type == ast.ASTType.Function and term.name:
        return str(term.name), list(term.arguments)
    if term.ast_type == ast.ASTType.SymbolicTerm and term.symbol.type == SymbolType.Function:
        return str(term.symbol.name), []
    raise Unprojectable(f"{term} is any fact")


def number_of(term: Any) -> int | None:
    """The number that a term is, or None."""
    if term.ast_type == ast.ASTType.SymbolicTerm and term.symbol.type == SymbolType.Number:
        return int(term.symbol.number)
    if term.ast_type == ast.ASTType.UnaryOperation and term.operator_type == ast.UnaryOperator.Minus:
        number = number_of(term.argument)
        return None if number is None else -number
    return None


def is_variable(term: Any) -> bool:
    """Whether a term is a variable."""
    return bool(term.ast_type == ast.ASTType.Variable)


def _walk(node: Any) -> Iterator[Any]:
    """A node and all nodes in it."""
    yield node
    for key in node.child_keys:
        child = getattr(node, key)
        if isinstance(child, ast.AST):
            yield from _walk(child)
        elif child is not None:
            for c in child:
                if isinstance(c, ast.AST):
                    yield from _walk(c)


def atoms_of(node: Any) -> Iterator[tuple[str, list[Any]]]:
    """The atoms in a node: their names and arguments."""
    return (term_of(n.symbol) for n in _walk(node) if n.ast_type == ast.ASTType.SymbolicAtom)


def variables_of(node: Any) -> list[str]:
    """The names of the variables, as often as they occur."""
    found = (str(n.name) for n in _walk(node) if n.ast_type == ast.ASTType.Variable)
    return [v for v in found if v != "_"]


def several(*nodes: Any) -> bool:
    """Whether there is a term in these nodes that stands for several."""
    kinds = (ast.ASTType.Interval, ast.ASTType.Pool)
    return any(n.ast_type in kinds for node in nodes for n in _walk(node))


def _needs(node: Any) -> set[str]:
    """The variables in calculations."""
    sums = (ast.ASTType.BinaryOperation, ast.ASTType.UnaryOperation, ast.ASTType.Interval)
    return {v for n in _walk(node) if n.ast_type in sums for v in variables_of(n)}


def _plain(node: Any) -> set[str]:
    """The variables that stand outside of calculations too."""
    sums = (ast.ASTType.BinaryOperation, ast.ASTType.UnaryOperation, ast.ASTType.Interval)
    inner = Counter(v for n in _outermost(node, sums) for v in variables_of(n))
    return {v for v, n in Counter(variables_of(node)).items() if n > inner[v]}


def _outermost(node: Any, kinds: Sequence[Any]) -> Iterator[Any]:
    if node.ast_type in kinds:
        yield node
        return
    for key in node.child_keys:
        child = getattr(node, key)
        for c in [child] if isinstance(child, ast.AST) else (child or ()):
            if isinstance(c, ast.AST):
                yield from _outermost(c, kinds)


def atom_text(name: str, args: Sequence[str]) -> str:
    """An atom as text."""
    return f"{name}({','.join(args)})" if args else name
