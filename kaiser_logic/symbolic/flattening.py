"""Relations about structures as relations about their parts, each shape of a structure by a name of its own.

Where ``exchange(X)`` is about ``attack(B,C)`` or ``bribe(R,person(K,P,G))``, it becomes ``exchange_of_attack(B,C)`` and
``exchange_of_bribe(R,K,P,G)``, so that of each part it can be said whether it is kept (:mod:`.projection`). A rule that
asks for ``exchange(X)`` becomes one for each shape; ``not exchange(_)`` becomes a condition for each.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import clingo
from clingo import ast

from ..rules.pattern import Pattern, Signature
from . import names

_COMING: Final = {"add": 0, "gain": 0, "shift": 1}
"""Effects by which something comes, each with the place of it."""


class Unprojectable(Exception):
    """A line is of a form that is not rewritten."""


@dataclass(frozen=True)
class Shape:
    """One shape of a structure: its skeleton, with numbers for its parts.

    Attributes:
        fluent: The relation, of one argument.
        skeleton: The structure; a part is a number.
        parts: How many parts it has.
    """

    fluent: str
    skeleton: Any
    parts: int

    @property
    def name(self) -> str:
        """What the relation of this shape is called."""
        return f"{self.fluent}_of_{self.skeleton[0]}"

    @property
    def signature(self) -> Signature:
        """Its signature."""
        return self.name, self.parts

    def of(self, term: Pattern) -> tuple[Pattern, ...] | None:
        """The parts of a pattern, which has at least this shape; None where it has another."""
        found: dict[int, Pattern] = {}

        def walk(skeleton: Any, part: Pattern) -> bool:
            if isinstance(skeleton, int):
                found[skeleton] = part
                return True
            if part[0] == "c" and not skeleton[1:]:
                return bool(part[1] == skeleton[0])
            same = part[0] == "f" and part[1] == skeleton[0] and len(part[2]) == len(skeleton) - 1
            return same and all(walk(s, p) for s, p in zip(skeleton[1:], part[2], strict=True))

        return tuple(found[k] for k in range(self.parts)) if walk(self.skeleton, term) else None

    def leaves(self, term: clingo.Symbol) -> list[clingo.Symbol] | None:
        """The parts of a ground structure; None where it has another shape."""

        def walk(skeleton: Any, part: clingo.Symbol) -> list[clingo.Symbol] | None:
            if isinstance(skeleton, int):
                return [part]
            if part.type is not clingo.SymbolType.Function:
                return None
            if part.name != skeleton[0] or len(part.arguments) != len(skeleton) - 1:
                return None
            found: list[clingo.Symbol] = []
            for s, t in zip(skeleton[1:], part.arguments, strict=True):
                inner = walk(s, t)
                if inner is None:
                    return None
                found += inner
            return found

        return walk(self.skeleton, term)


def shapes(fluent: str, terms: Sequence[Pattern]) -> list[Shape]:
    """The shapes of structures: those with one name at their head have one, as far as they are alike."""
    groups: dict[tuple[str, int], list[Pattern]] = {}
    for t in terms:
        if t[0] not in ("f", "c"):
            return []
        groups.setdefault((str(t[1]), len(t[2]) if t[0] == "f" else 0), []).append(t)
    found = []
    for group in groups.values():
        count = iter(range(1000))

        def common(alike: Sequence[Pattern], count: Iterator[int] = count) -> Any:
            first = alike[0]
            if first[0] == "f" and all(
                t[0] == "f" and t[1] == first[1] and len(t[2]) == len(first[2]) for t in alike
            ):
                return (first[1], *(common([t[2][i] for t in alike]) for i in range(len(first[2]))))
            return next(count)

        skeleton = common(group) if group[0][0] == "f" else (group[0][1],)
        found.append(Shape(fluent, skeleton, next(count)))
    return found if len({s.skeleton[0] for s in found}) == len(found) else []


class Flattening:
    """Rewrites rules."""

    def __init__(self, known: Mapping[str, Sequence[Shape]]) -> None:
        """``known``: the shapes of each relation that is rewritten."""
        self._known = known
        self._count = 0

    def rules(self, rule: Any) -> list[Any]:
        """The rules that a rule becomes.

        Raises:
            Unprojectable: What comes may be of a shape that is not known.
        """
        if not any(f"{f}(" in str(rule) or f"{f}__m1(" in str(rule) for f in self._known):
            return [rule]
        self._coming(rule)
        named = [self._named(x) for x in rule.body]
        done, due = [], [rule.update(body=named)]
        while due:
            current = due.pop()
            split = self._open(current)
            if split is None:
                done.append(current)
                continue
            variable, shape = split
            for s in self._known[shape]:
                due.append(_Substitute(variable, self._fresh(s.skeleton, rule)).visit(current))
        return [x for d in done for x in [self._flat(d)] if x is not None]

    def _coming(self, rule: Any) -> None:
        """What comes is of a shape that is known: it is said, or such a fact is there."""
        if not _holds(rule.head):
            return
        symbol = rule.head.atom.symbol
        effect = names.plain(symbol.name) if symbol.ast_type == ast.ASTType.Function else ""
        if effect not in _COMING:
            return
        there = {(f, str(x)) for part in rule.body if _holds(part) for f, (x,) in _about(part, self._known)}
        for fluent, (term,) in _about(symbol.arguments[_COMING[effect]], self._known):
            if term.ast_type == ast.ASTType.Variable and (fluent, str(term.name)) not in there:
                raise Unprojectable(f"{fluent}({term}) may be a structure of any shape")

    def _named(self, node: Any) -> Any:
        """A condition that there is any such fact, with a variable of its own."""
        if (
            node.ast_type != ast.ASTType.Literal
            or node.sign
            or node.atom.ast_type != ast.ASTType.SymbolicAtom
        ):
            return node
        symbol = node.atom.symbol
        if symbol.ast_type != ast.ASTType.Function or names.plain(symbol.name) not in self._known:
            return node
        if str(symbol.arguments[0]) != "_":
            return node
        new = ast.Function(symbol.location, symbol.name, [self._fresh(0, node)], 0)
        return node.update(atom=ast.SymbolicAtom(new))

    def _open(self, rule: Any) -> tuple[str, str] | None:
        """A variable of a rule that is about any shape, with the relation."""
        for part in (rule.head, *rule.body):
            inner = part.ast_type == ast.ASTType.Literal and part.atom.ast_type in (
                ast.ASTType.BodyAggregate,
                ast.ASTType.Aggregate,
            )
            if inner or (part.ast_type == ast.ASTType.Literal and part.sign):
                continue
            for fluent, args in _about(part, self._known):
                if args[0].ast_type == ast.ASTType.Variable and args[0].name != "_":
                    return str(args[0].name), fluent
        return None

    def _fresh(self, skeleton: Any, rule: Any) -> Any:
        """The structure with new variables."""
        if isinstance(skeleton, int):
            self._count += 1
            return ast.Variable(rule.location, f"Part{self._count}")
        args = [self._fresh(s, rule) for s in skeleton[1:]]
        return ast.Function(rule.location, skeleton[0], args, 0)

    def _flat(self, rule: Any) -> Any:
        """A rule about given shapes by the names of these."""
        body: list[Any] = []
        for node in rule.body:
            found = list(_about(node, self._known))
            if not found:
                body.append(node)
            elif node.ast_type == ast.ASTType.Literal and node.atom.ast_type == ast.ASTType.SymbolicAtom:
                new = self._literals(node)
                if not node.sign and len(new) != 1:
                    if new:
                        raise ValueError(f"each shape needs a rule of its own: {rule}")
                    return None
                body += new
            else:
                body.append(_Elements(self).visit(node))
        return rule.update(body=body)

    def _literals(self, node: Any) -> list[Any]:
        """For each shape that a literal can be about one about its parts."""
        symbol = node.atom.symbol
        found = []
        for shape in self._known[names.plain(symbol.name)]:
            parts = parts_of(shape.skeleton, symbol.arguments[0])
            if parts is not None:
                name = symbol.name.replace(shape.fluent, shape.name, 1)
                found.append(
                    node.update(atom=ast.SymbolicAtom(ast.Function(symbol.location, name, parts, 0)))
                )
        return found


def _holds(node: Any) -> bool:
    """Whether a condition is an atom that must hold."""
    plain = node.ast_type == ast.ASTType.Literal and not node.sign
    return bool(plain and node.atom.ast_type == ast.ASTType.SymbolicAtom)


class _Substitute(ast.Transformer):
    def __init__(self, name: str, term: Any) -> None:
        self._name, self._term = name, term

    def visit_Variable(self, node: Any) -> Any:  # noqa: N802 (clingo's name)
        """The term for the variable."""
        return self._term if node.name == self._name else node


class _Elements(ast.Transformer):
    """The elements of sums, one for each shape."""

    def __init__(self, flattening: Flattening) -> None:
        self._flattening = flattening

    def visit_BodyAggregate(self, node: Any) -> Any:  # noqa: N802 (clingo's name)
        """Each element for each shape."""
        found = []
        for element in node.elements:
            wrapped = ast.Rule(
                node.location, ast.Literal(node.location, 0, ast.BooleanConstant(0)), list(element.condition)
            )
            terms = list(element.terms)
            tuple_ = ast.Function(node.location, "tuple__", terms, 0)
            head = ast.Literal(node.location, 0, ast.SymbolicAtom(tuple_))
            for rule in self._flattening.rules(wrapped.update(head=head)):
                found.append(ast.BodyAggregateElement(list(rule.head.atom.symbol.arguments), list(rule.body)))
        return node.update(elements=found)


def _about(node: Any, known: Mapping[str, Sequence[Shape]]) -> Iterator[tuple[str, list[Any]]]:
    """The atoms and the terms in a node that are about such structures: the relation, and its argument."""
    stack = [node]
    while stack:
        x = stack.pop()
        if x.ast_type == ast.ASTType.Function and len(x.arguments) == 1 and names.plain(x.name) in known:
            yield names.plain(x.name), list(x.arguments)
        for key in x.child_keys:
            child = getattr(x, key)
            stack += (
                [child] if isinstance(child, ast.AST) else [c for c in child or () if isinstance(c, ast.AST)]
            )


def parts_of(skeleton: Any, term: Any) -> list[Any] | None:
    """The parts of a term by a skeleton; None where it has another shape.

    Raises:
        Unprojectable: Its shape is not known.
    """
    if isinstance(skeleton, int):
        return [term]
    if term.ast_type == ast.ASTType.Variable and term.name == "_":
        return [p for s in skeleton[1:] for p in (parts_of(s, term) or [])]
    if term.ast_type == ast.ASTType.SymbolicTerm and str(term) == skeleton[0] and len(skeleton) == 1:
        return []
    if term.ast_type != ast.ASTType.Function:
        if term.ast_type == ast.ASTType.SymbolicTerm:
            return None
        raise Unprojectable(f"{term} may be a structure of any shape")
    if term.name != skeleton[0] or len(term.arguments) != len(skeleton) - 1:
        return None
    found: list[Any] = []
    for s, t in zip(skeleton[1:], term.arguments, strict=True):
        inner = parts_of(s, t)
        if inner is None:
            return None
        found += inner
    return found
