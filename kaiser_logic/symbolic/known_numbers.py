"""Which numbers a place of a predicate can hold, as far as declarations and rules tell before any position is known."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

from clingo import ast

from .. import clingo
from ..engine import symbols
from ..engine.ruleset import Ruleset
from ..rules.pattern import Signature
from ..rules.rule import Rule
from ..transform.number_terms import BINARY, FUNCTION, SIGNS, VARIABLE, numbers_of, parts, variables_in

Place: TypeAlias = tuple[str, int, int]
"""An argument of a predicate: name, arity, and which."""
_NONE: frozenset[int] = frozenset()


class KnownNumbers:
    """The numbers of fluents, of what no position changes, and of what rules make of them."""

    def __init__(self, ruleset: Ruleset, rules: Sequence[Rule], fluents: Iterable[clingo.Symbol]) -> None:
        """Of a question that reads these rules, with these facts possible."""
        self._ruleset = ruleset
        self._rules = rules
        self._facts: dict[Signature, list[clingo.Symbol]] = {}
        for f in fluents:
            self._facts.setdefault(symbols.signature(f), []).append(f)
        self._numbers: dict[Place, frozenset[int] | None] = {}

    def at(self, place: Place, asking: tuple[Place, ...] = ()) -> frozenset[int] | None:
        """The numbers that a place of a predicate can hold; None where that is not known."""
        if place in asking:
            return None
        if place not in self._numbers:
            self._numbers[place] = self._found_at(place, (*asking, place))
        return self._numbers[place]

    def _found_at(self, place: Place, asking: tuple[Place, ...]) -> frozenset[int] | None:
        name, arity, i = place
        stated = [*self._facts.get((name, arity), ()), *self._ruleset.facts(name, arity)]
        if (name, arity) in self._ruleset.book.fluents or (name, arity) in self._ruleset.static:
            return frozenset(n for f in stated for n in symbols.numbers([f.arguments[i]]))
        found: set[int] = set()
        rules = [r for r in self._rules if any(h.signature == (name, arity) for h in r.heads)]
        for rule in rules:
            if rule.node.head.ast_type != ast.ASTType.Literal:
                return None
            symbol = rule.node.head.atom.symbol
            if symbol.ast_type == ast.ASTType.Pool:
                return None
            values = self.value(list(symbol.arguments)[i], rule.node.body, asking)
            if values is None:
                return None
            found |= values
        return frozenset(found) if rules else None

    def value(self, term: Any, body: Sequence[Any], asking: tuple[Place, ...] = ()) -> frozenset[int] | None:
        """The numbers that a term without counters can be; None where that is not known."""
        numbers = numbers_of(term)
        if numbers is not None:
            return numbers
        if term.ast_type == VARIABLE:
            return self._variable(term.name, body, asking)
        if term.ast_type == FUNCTION:
            parts = [self.value(a, body, asking) for a in term.arguments]
            return None if None in parts else _NONE.union(*(p for p in parts if p is not None))
        if term.ast_type == BINARY:
            left, right = (self.value(t, body, asking) for t in (term.left, term.right))
            operation = int(term.operator_type)
            if left is None or right is None or len(left) * len(right) > 4000:
                return None
            if operation == int(ast.BinaryOperator.Multiplication):
                return frozenset(a * b for a in left for b in right)
            if operation in SIGNS:
                return frozenset(a + SIGNS[operation] * b for a in left for b in right)
        return None

    def _variable(self, name: str, body: Sequence[Any], asking: tuple[Place, ...]) -> frozenset[int] | None:
        atoms, comparisons, _ = parts(body, True)
        for atom in atoms:
            args = list(getattr(atom, "arguments", ()))
            for i, arg in enumerate(args):
                if arg.ast_type == VARIABLE and arg.name == name:
                    found = self.at((atom.name, len(args), i), asking)
                    if found is not None:
                        return found
        for left, sign, right in comparisons:
            for one, other in ((left, right), (right, left)):
                if (
                    sign == "="
                    and one.ast_type == VARIABLE
                    and one.name == name
                    and name not in variables_in(other)
                ):
                    return self.value(other, body, asking)
        return None
