"""Terms with variables: from syntax trees and back to text, substituted, unified.

    ("v", name)        a variable; ``_`` in what is denied is one named so
    ("n", number)      a number
    ("s", text)        a string, or another constant of the grammar
    ("f", name, args)  a function term or a constant
    ("o", sign, a, b)  a sum, a difference or a product
    ("x", text, names) another calculation; the names of its variables

What a calculation is equal to is not known: `unify` hands such equations back, as what remains to be true.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, TypeAlias

from clingo import SymbolType, ast

Term: TypeAlias = tuple[Any, ...]
Binding: TypeAlias = dict[str, Term]

_VARIABLE: Final = re.compile(r'"(?:[^"\\]|\\.)*"|(?<!\w)_*[A-Z]\w*')
_SIGNS: Final = {
    int(ast.BinaryOperator.Plus): "+",
    int(ast.BinaryOperator.Minus): "-",
    int(ast.BinaryOperator.Multiplication): "*",
}
ANONYMOUS: Final[Term] = ("v", "_")


def term(node: Any) -> Term:
    """The term that a node of a syntax tree is."""
    if node.ast_type == ast.ASTType.Variable:
        return ("v", str(node.name))
    if node.ast_type == ast.ASTType.SymbolicTerm:
        if node.symbol.type == SymbolType.Number:
            return ("n", int(node.symbol.number))
        if node.symbol.type == SymbolType.Function and not node.symbol.arguments:
            return ("f", str(node.symbol.name), ())
        return ("s", str(node))
    if node.ast_type == ast.ASTType.Function and not node.external:
        return ("f", str(node.name), tuple(map(term, node.arguments)))
    if node.ast_type == ast.ASTType.BinaryOperation and int(node.operator_type) in _SIGNS:
        return ("o", _SIGNS[int(node.operator_type)], term(node.left), term(node.right))
    return ("x", str(node), frozenset(names_in(str(node))))


def names_in(text: str) -> Iterator[str]:
    """The variables in a text."""
    return (m[0] for m in _VARIABLE.finditer(text) if not m[0].startswith('"'))


def variables(t: Term) -> Iterator[str]:
    """The variables of a term, as often as they occur."""
    if t[0] == "v":
        if t[1] != "_":
            yield t[1]
    elif t[0] == "f":
        for a in t[2]:
            yield from variables(a)
    elif t[0] == "o":
        yield from variables(t[2])
        yield from variables(t[3])
    elif t[0] == "x":
        yield from t[2]


def show(t: Term) -> str:
    """A term as text."""
    if t[0] in ("v", "s", "x"):
        return str(t[1])
    if t[0] == "n":
        return str(t[1])
    if t[0] == "o":
        return f"({show(t[2])}{t[1]}{show(t[3])})"
    if not t[2]:
        return str(t[1])
    inner = ",".join(map(show, t[2]))
    return f"{t[1]}({inner})" if t[1] or len(t[2]) > 1 else f"({inner},)"


def substitute(t: Term, binding: Mapping[str, Term]) -> Term:
    """The term with others in the places of variables, until none of these is left."""
    if t[0] == "v":
        found = binding.get(t[1])
        return t if found is None else substitute(found, binding)
    if t[0] == "f":
        return ("f", t[1], tuple(substitute(a, binding) for a in t[2])) if t[2] else t
    if t[0] == "o":
        return ("o", t[1], substitute(t[2], binding), substitute(t[3], binding))
    if t[0] == "x":
        text = substituted(t[1], binding)
        return ("x", text, frozenset(names_in(text)))
    return t


def substituted(text: str, binding: Mapping[str, Term]) -> str:
    """The same of a text."""

    def of(match: re.Match[str]) -> str:
        if match[0].startswith('"') or match[0] not in binding:
            return match[0]
        return show(substitute(("v", match[0]), binding))

    return _VARIABLE.sub(of, text)


def unify(a: Term, b: Term, binding: Binding) -> list[tuple[Term, Term]] | None:
    """Makes two terms equal by binding variables: what is left to be true, or None where they differ in any case.

    Args:
        a: A term without ``_``.
        b: Another one.
        binding: What variables stand for; more is entered.
    """
    a, b = substitute(a, binding), substitute(b, binding)
    if a == b:
        return []
    for x, y in ((a, b), (b, a)):
        if x[0] == "v":
            if x[1] in set(variables(y)):
                return [(x, y)] if y[0] in ("o", "x") else None
            binding[x[1]] = y
            return []
    kinds = {a[0], b[0]}
    if "x" in kinds:
        return [(a, b)]
    if "o" in kinds:
        return [(a, b)] if kinds <= {"o", "n"} else None
    if a[0] != "f" or b[0] != "f" or a[1] != b[1] or len(a[2]) != len(b[2]):
        return None
    left: list[tuple[Term, Term]] = []
    for x, y in zip(a[2], b[2], strict=True):
        found = unify(x, y, binding)
        if found is None:
            return None
        left += found
    return left


def matches(pattern: Term, t: Term, binding: Binding) -> bool:
    """Whether a term is an instance of a pattern, whose variables are entered; ``_`` stands for anything."""
    if pattern == ANONYMOUS:
        return True
    if pattern[0] == "v":
        return bool(binding.setdefault(pattern[1], t) == t)
    if pattern[0] == "f" and t[0] == "f" and pattern[1] == t[1] and len(pattern[2]) == len(t[2]):
        return all(matches(p, x, binding) for p, x in zip(pattern[2], t[2], strict=True))
    return pattern[0] != "f" and pattern == t and not list(variables(t))
