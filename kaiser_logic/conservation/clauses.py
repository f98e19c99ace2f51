"""Rules as clauses: what follows from which conditions, with variables of their own, and definitions put in their places."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import Any, Final, TypeAlias

from clingo import ast

from ..symbolic.flattening import Flattening, Unprojectable
from ..symbolic.kept import Kept
from ..symbolic.trees import parsed, several, symbolic
from .terms import (
    ANONYMOUS,
    Binding,
    Term,
    names_in,
    show,
    substitute,
    substituted,
    term,
    unify,
    variables,
)

_DEEP: Final = 12
"""So many definitions are put in place one after the other."""
_MANY: Final = 400
"""So many clauses one may become."""


class NotShown(Exception):
    """What was to be shown is not shown this way."""


@dataclass(frozen=True)
class Atom:
    """An atom that must hold, or must not."""

    name: str
    args: tuple[Term, ...]
    negated: bool = False

    @property
    def signature(self) -> tuple[str, int]:
        """Its name and the number of its arguments."""
        return self.name, len(self.args)

    def put(self, binding: Mapping[str, Term]) -> Atom:
        """With others in the places of variables."""
        return replace(self, args=tuple(substitute(a, binding) for a in self.args))

    def variables(self) -> Iterator[str]:
        """Its variables, as often as they occur."""
        return (v for a in self.args for v in variables(a))

    def text(self) -> str:
        """As a condition."""
        inner = f"({','.join(map(show, self.args))})" if self.args else ""
        return f"{'not ' if self.negated else ''}{self.name}{inner}"


@dataclass(frozen=True)
class Other:
    """Another condition: an equation of two terms, a number above 0, a term that is an aggregate's value, or any text."""

    kind: str
    terms: tuple[Term, ...] = ()
    rest: str = ""

    def put(self, binding: Mapping[str, Term]) -> Other:
        """With others in the places of variables."""
        terms = tuple(substitute(t, binding) for t in self.terms)
        return Other(self.kind, terms, substituted(self.rest, binding))

    def variables(self) -> Iterator[str]:
        """Its variables."""
        yield from (v for t in self.terms for v in variables(t))
        yield from (v for v in names_in(self.rest) if v != "_")

    def text(self) -> str:
        """As a condition."""
        if self.kind == "equal":
            return f"{show(self.terms[0])} = {show(self.terms[1])}"
        if self.kind == "above":
            return f"{show(self.terms[0])} > 0"
        if self.kind == "value":
            return f"{show(self.terms[0])} = {self.rest}"
        return self.rest


Literal: TypeAlias = Atom | Other


@dataclass(frozen=True)
class Clause:
    """What follows from conditions.

    Attributes:
        head: What follows, by its arguments.
        body: The conditions.
    """

    head: Atom
    body: tuple[Literal, ...]

    def put(self, binding: Mapping[str, Term]) -> Clause:
        """With others in the places of variables."""
        return Clause(self.head.put(binding), tuple(x.put(binding) for x in self.body))

    def variables(self) -> set[str]:
        """All its variables."""
        return {v for x in (self.head, *self.body) for v in x.variables()}


_fresh = count()


def apart(clause: Clause) -> Clause:
    """The clause with variables that occur nowhere else."""
    mark = next(_fresh)
    found = enumerate(sorted(clause.variables()))
    return clause.put({v: ("v", f"{v.partition('__v')[0]}__v{mark}_{i}") for i, v in found})


def literal_of(node: Any) -> Literal:
    """A condition."""
    atom = symbolic(node)
    if atom is not None and node.sign < 2 and not several(node):
        args = tuple(map(term, atom[1]))
        return Atom(atom[0], args if node.sign else tuple(named(a) for a in args), bool(node.sign))
    if node.ast_type == ast.ASTType.Literal and not node.sign:
        inner = node.atom
        if inner.ast_type == ast.ASTType.Comparison and len(inner.guards) == 1 and not several(inner):
            left, right = term(inner.term), term(inner.guards[0].term)
            sign = inner.guards[0].comparison
            if sign == ast.ComparisonOperator.Equal and "x" not in (left[0], right[0]):
                return Other("equal", (left, right))
            if sign == ast.ComparisonOperator.GreaterThan and right == ("n", 0):
                return Other("above", (left,))
        if inner.ast_type == ast.ASTType.BodyAggregate and inner.right_guard is None:
            guard = inner.left_guard
            if guard is not None and guard.comparison == ast.ComparisonOperator.Equal:
                return Other("value", (term(guard.term),), str(inner.update(left_guard=None)).strip())
    return Other("text", (), str(node))


def named(t: Term) -> Term:
    """A term with a variable of its own for each ``_``."""
    if t == ANONYMOUS:
        return ("v", f"Any{next(_fresh)}")
    return ("f", t[1], tuple(map(named, t[2]))) if t[0] == "f" and t[2] else t


class Rules:
    """The rules of a program, by what they derive."""

    def __init__(self, lines: Iterable[str], kept: Kept) -> None:
        """Those of these lines that derive one thing each; relations about structures by their parts.

        Raises:
            NotShown: A rule cannot be read so.
        """
        self.defined: dict[tuple[str, int], list[Clause]] = {}
        self.other: set[tuple[str, int]] = set()
        flattening = Flattening(kept.shapes)
        for line in lines:
            rule = parsed(line)
            if rule.ast_type != ast.ASTType.Rule:
                raise NotShown(line)
            try:
                found = flattening.rules(rule)
            except Unprojectable as error:
                raise NotShown(str(error)) from error
            for one in found:
                self._enter(one)

    def _enter(self, rule: Any) -> None:
        head = rule.head
        atom = symbolic(head) if head.ast_type == ast.ASTType.Literal else None
        if atom is None:
            for element in getattr(head, "elements", ()):
                inner = symbolic(element.literal)
                if inner is not None:
                    self.other.add((inner[0], len(inner[1])))
            return
        if several(*atom[1]):
            self.other.add((atom[0], len(atom[1])))
            return
        clause = Clause(Atom(atom[0], tuple(map(term, atom[1]))), tuple(map(literal_of, rule.body)))
        self.defined.setdefault((atom[0], len(atom[1])), []).append(clause)

    def prune(self, static: Mapping[tuple[str, int], Collection[str]]) -> None:
        """Leaves out what never fires: what denies a fact that always holds, asks for one that never does, or for such.

        Args:
            static: The facts of predicates that never change, as texts.
        """
        given = {s for s in self.defined if s not in self.other}
        while True:
            before = sum(map(len, self.defined.values()))
            for signature, clauses in list(self.defined.items()):
                self.defined[signature] = [c for c in clauses if not self._dead(c, static, given)]
            if sum(map(len, self.defined.values())) == before:
                return

    def _dead(
        self,
        clause: Clause,
        static: Mapping[tuple[str, int], Collection[str]],
        given: Collection[tuple[str, int]],
    ) -> bool:
        for x in clause.body:
            if not isinstance(x, Atom):
                continue
            if x.signature in static:
                ground = not list(x.variables()) and all("_" not in _flat(a) for a in x.args)
                if ground and (replace(x, negated=False).text() in static[x.signature]) == x.negated:
                    return True
            elif not x.negated and x.signature in given and not self.defined[x.signature]:
                return True
        return False

    def of(self, signature: tuple[str, int]) -> list[Clause] | None:
        """The clauses for a predicate, with variables of their own; None where something else says it too."""
        if signature in self.other:
            return None
        return [apart(c) for c in self.defined.get(signature, ())]

    def unfolded(self, clause: Clause, wanted: set[tuple[str, int]], deep: int = _DEEP) -> list[Clause]:
        """The clauses that a clause becomes where what defines these predicates is put in their places."""
        for i, x in enumerate(clause.body):
            if not isinstance(x, Atom) or x.negated or x.signature not in wanted or deep == 0:
                continue
            definitions = self.of(x.signature)
            if not definitions:
                continue
            found: list[Clause] = []
            for definition in definitions:
                new = resolved(clause, i, definition)
                if new is not None:
                    found += self.unfolded(new, wanted, deep - 1)
                if len(found) > _MANY:
                    raise NotShown(f"there are too many ways to {show(clause.head.args[0])}")
            return found
        return [clause]


def _flat(t: Term) -> Iterator[str]:
    """The names of a term's variables, ``_`` among them."""
    if t[0] == "v":
        yield t[1]
    elif t[0] == "f":
        for a in t[2]:
            yield from _flat(a)


def resolved(clause: Clause, place: int, definition: Clause) -> Clause | None:
    """A clause with a definition's conditions in the place of an atom, or None where it does not fit."""
    binding: Binding = {}
    atom = clause.body[place]
    assert isinstance(atom, Atom)
    left: list[tuple[Term, Term]] = []
    for a, b in zip(atom.args, definition.head.args, strict=True):
        found = unify(a, b, binding)
        if found is None:
            return None
        left += found
    equations = tuple(Other("equal", pair) for pair in left)
    body = (*clause.body[:place], *definition.body, *equations, *clause.body[place + 1 :])
    return Clause(clause.head, body).put(binding)


def together(one: Clause, other: Clause, pairs: Sequence[tuple[Term, Term]]) -> tuple[Clause, Binding] | None:
    """Two clauses' conditions at once where these terms are equal, below the first one's head; None where they differ."""
    binding: Binding = {}
    left: list[tuple[Term, Term]] = []
    for a, b in pairs:
        found = unify(a, b, binding)
        if found is None:
            return None
        left += found
    body = (*one.body, *other.body, *(Other("equal", pair) for pair in left))
    return Clause(one.head, body).put(binding), binding
