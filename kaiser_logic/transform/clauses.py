"""Rules as lists of literals, each with the variables that it binds and those that it needs.

Finer than :mod:`..rules.rule`, and slower: only for rules from which others are made. It works on clingo's syntax tree,
which knows what patterns do not: which variables stand inside of arithmetic and so are not bound, which are an
aggregate's own, and how pools unfold. Anonymous variables of positive literals get names, and a head's arguments are
terms without arithmetic:

>>> from kaiser_logic.rules.loader import parse_rules
>>> (rule,) = parse_rules("worth(X,N+1) :- heap(X,_), N = #sum { V,C: card(X,C,V) }, not closed(X).")
>>> (clause,) = clauses(rule)
>>> print(*clause.args)
X _H1
>>> for part in clause.parts:
...     print(part.text, "| variables", *sorted(part.variables), "| binds", *sorted(part.gives))
heap(X,_A1) | variables X _A1 | binds X _A1
N = #sum { V,C: card(X,C,V) } | variables N X | binds N
not closed(X) | variables X | binds
_H1 = (N+1) | variables N _H1 | binds _H1
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from clingo import ast

from ..lang.terms import Signature
from ..rules.rule import Rule

_ARITHMETIC = (ast.ASTType.BinaryOperation, ast.ASTType.UnaryOperation, ast.ASTType.Interval)
_AGGREGATES = (ast.ASTType.BodyAggregate, ast.ASTType.Aggregate)
_NONE: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Part:
    """A literal of a body.

    Attributes:
        text: As it stands in a body.
        negated: Whether it is a predicate under ``not``.
        atom: The predicate's term; None for comparisons, aggregates and conditional literals.
        variables: All variables, without those inside of an aggregate only.
        gives: Those that it can bind.
        elements: The literals of each element of an aggregate or of the one of a conditional literal.
        conditional: Whether it is a conditional literal.
        opposite: What holds where a comparison or an aggregate does not.
    """

    text: str
    negated: bool = False
    atom: Any = None
    variables: frozenset[str] = _NONE
    gives: frozenset[str] = _NONE
    elements: tuple[tuple[Part, ...], ...] = ()
    conditional: bool = False
    opposite: str = ""

    @property
    def signature(self) -> Signature:
        """The predicate's name and arity."""
        return ("", 0) if self.atom is None else (self.atom.name, len(self.atom.arguments))


@dataclass(frozen=True)
class Clause:
    """A rule with one atom as its head."""

    signature: Signature
    args: tuple[Any, ...]
    parts: tuple[Part, ...]

    @cached_property
    def variables(self) -> frozenset[str]:
        """All variables, without those inside of aggregates only."""
        return _NONE.union(*map(names, self.args), *(p.variables for p in self.parts))

    def plan(self, given: set[str]) -> list[tuple[Part, list[Part]]]:
        """The literals in an order in which they can be evaluated, once the given variables are bound.

        Each comes with its support: those of the literals before it that bind what is bound in it.
        """
        bound, binder = set(given), dict[str, Part]()
        found: list[tuple[Part, list[Part]]] = []
        rest = list(self.parts)
        while rest:
            part = _next(rest, bound)
            rest.remove(part)
            found.append((part, _support(part, binder)))
            if not part.negated:
                for variable in part.gives - bound:
                    binder[variable] = part
            bound |= part.variables
        return found


def _next(rest: Sequence[Part], bound: set[str]) -> Part:
    """A literal without unbound variables, or else a predicate, or else what computes a variable."""
    ready = [p for p in rest if p.variables - p.gives <= bound and (p.gives or p.variables <= bound)]
    tests = (p for p in ready if p.variables <= bound)
    atoms = (p for p in ready if p.atom is not None)
    return next(tests, None) or next(atoms, None) or next(iter(ready), rest[0])


def _support(part: Part, binder: dict[str, Part]) -> list[Part]:
    support: list[Part] = []
    pending = [part]
    while pending:
        for variable in sorted(pending.pop().variables):
            other = binder.get(variable)
            if other is not None and other is not part and other not in support:
                support.append(other)
                pending.append(other)
    return support


@lru_cache(maxsize=4096)
def clauses(rule: Rule) -> tuple[Clause, ...]:
    """The clauses of a rule; none where its head is no atom. Whoever explains one violation explains others by the same rules."""
    return tuple(_clauses(rule))


def _clauses(rule: Rule) -> Iterator[Clause]:
    for node in rule.node.unpool() if rule.heads else ():
        term = node.head.atom.symbol
        naming = _Naming()
        heads: list[Any] = []
        parts: list[Part] = []
        for k, arg in enumerate(term.arguments):
            if names(arg) == names(arg, simple=True) and not _computes(arg):
                heads.append(arg)
            else:
                fresh = ast.Variable(arg.location, f"_H{k}")
                heads.append(fresh)
                parts.append(_comparison(f"{fresh} = {arg}", names(arg), fresh.name))
        outer = names(term).union(*(_outer(literal) for literal in node.body))
        body = [_part(literal, outer, naming) for literal in node.body]
        yield Clause((term.name, len(heads)), tuple(heads), (*body, *parts))


def names(node: Any, simple: bool = False) -> frozenset[str]:
    """The names of the variables in a piece of syntax; ``simple``: only those outside of arithmetic."""
    if node is None or (simple and getattr(node, "ast_type", None) in _ARITHMETIC):
        return _NONE
    if isinstance(node, ast.AST):
        if node.ast_type == ast.ASTType.Variable:
            return _NONE if node.name == "_" else frozenset({node.name})
        return _NONE.union(*(names(getattr(node, key), simple) for key in node.child_keys))
    return _NONE.union(*(names(child, simple) for child in node))


def projected(atom: Any, bound: frozenset[str] | set[str]) -> list[tuple[str, bool]]:
    """The texts of an atom's arguments, ``_`` for unbound ones; and whether all are bound."""
    found = []
    for arg in atom.arguments:
        text = str(_Projection(bound)(arg))
        found.append((text, names(arg) <= bound and not _anonymous(arg)))
    return found


def positive_text(part: Part) -> tuple[str, frozenset[str]]:
    """A negated predicate without its ``not``, its anonymous variables named; and its variables."""
    atom = _Naming("_P")(part.atom)
    return str(atom), names(atom)


class _Naming(ast.Transformer):
    """Names anonymous variables."""

    def __init__(self, prefix: str = "_A") -> None:
        self.prefix = prefix
        self.count = 0

    def visit_Variable(self, node: Any) -> Any:  # noqa: N802 (clingo's naming)
        if node.name != "_":
            return node
        self.count += 1
        return node.update(name=f"{self.prefix}{self.count}")


class _Projection(ast.Transformer):
    """Replaces unbound variables by anonymous ones."""

    def __init__(self, bound: frozenset[str] | set[str]) -> None:
        self.bound = bound

    def visit_Variable(self, node: Any) -> Any:  # noqa: N802
        return node if node.name in self.bound else node.update(name="_")

    def _arithmetic(self, node: Any) -> Any:
        return node if names(node) <= self.bound else ast.Variable(node.location, "_")

    visit_BinaryOperation = visit_UnaryOperation = visit_Interval = _arithmetic  # noqa: N815


def _computes(node: Any) -> bool:
    if not isinstance(node, ast.AST):
        return any(map(_computes, node or ()))
    return node.ast_type in _ARITHMETIC or any(_computes(getattr(node, key)) for key in node.child_keys)


def _anonymous(node: Any) -> bool:
    if not isinstance(node, ast.AST):
        return any(map(_anonymous, node or ()))
    if node.ast_type == ast.ASTType.Variable:
        return bool(node.name == "_")
    return any(_anonymous(getattr(node, key)) for key in node.child_keys)


def _outer(literal: Any) -> frozenset[str]:
    """The variables of a body's literal that are the rule's own."""
    if literal.ast_type == ast.ASTType.ConditionalLiteral:
        return _NONE
    if literal.atom.ast_type in _AGGREGATES:
        return names(literal.atom.left_guard) | names(literal.atom.right_guard)
    return names(literal)


def _part(literal: Any, outer: frozenset[str], naming: _Naming) -> Part:
    """A literal of a body, in a rule with these variables of its own."""
    if literal.ast_type == ast.ASTType.ConditionalLiteral:
        inner = tuple(_part(x, outer, naming) for x in (*literal.condition, literal.literal))
        return Part(str(literal), False, None, names(literal) & outer, _NONE, (inner,), True)
    atom, sign = literal.atom, literal.sign
    predicate = atom.ast_type == ast.ASTType.SymbolicAtom and atom.symbol.ast_type == ast.ASTType.Function
    if predicate and sign == ast.Sign.Negation:
        return Part(str(literal), True, atom.symbol, names(atom))
    if predicate and sign == ast.Sign.NoSign:
        named = naming(atom.symbol)
        return Part(str(named), False, named, names(named), names(named, simple=True))
    negated = sign == ast.Sign.Negation
    opposite = str(atom) if negated else f"not {atom}"
    if atom.ast_type in _AGGREGATES:
        elements = tuple(
            tuple(_part(x, outer, naming) for x in _condition(e, atom.ast_type)) for e in atom.elements
        )
        own = names(atom.left_guard) | names(atom.right_guard)
        given = _assigned(atom.left_guard) if sign == ast.Sign.NoSign else _NONE
        variables = own | (names(list(atom.elements)) & outer)
        return Part(str(literal), False, None, variables, given, elements, False, opposite)
    if atom.ast_type == ast.ASTType.Comparison and sign == ast.Sign.NoSign and len(atom.guards) == 1:
        guard = atom.guards[0]
        if guard.comparison == ast.ComparisonOperator.Equal:
            for one, other in ((atom.term, guard.term), (guard.term, atom.term)):
                if one.ast_type == ast.ASTType.Variable and one.name not in names(other):
                    return _comparison(str(literal), names(other), one.name)
    return Part(str(literal), False, None, names(literal), opposite=opposite)


def _comparison(text: str, needs: frozenset[str], gives: str) -> Part:
    """A comparison that can bind a variable."""
    return Part(text, False, None, needs | {gives}, frozenset({gives}), opposite=f"not {text}")


def _condition(element: Any, kind: Any) -> list[Any]:
    """The literals of an aggregate's element."""
    literals = list(element.condition)
    return literals if kind == ast.ASTType.BodyAggregate else [*literals, element.literal]


def _assigned(guard: Any) -> frozenset[str]:
    """The variable that an aggregate's guard binds."""
    if guard is None or guard.comparison != ast.ComparisonOperator.Equal:
        return _NONE
    return names(guard.term) if guard.term.ast_type == ast.ASTType.Variable else _NONE
