"""Numbers of counters without a limit, followed through rules: with what they are compared.

See :mod:`.numbers` for what that is good for, and which rules are refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, TypeAlias

import clingo
from clingo import ast

from ..engine.ruleset import Ruleset
from ..rules.pattern import Signature
from ..rules.rule import Rule
from ..transform.number_terms import (
    BINARY,
    FUNCTION,
    VARIABLE,
    Refused,
    linear,
    number_of,
    parts,
    variables_in,
)
from .known_numbers import KnownNumbers, Place

Offsets: TypeAlias = frozenset[int]
"""What is added to a counter's value there."""

_NONE: Offsets = frozenset()
_MOST_OFFSETS: Final = 60


class Flow:
    """Follows numbers of counters through rules.

    Attributes:
        places: Where such numbers can be, each with what is added to them.
        absolute: The numbers with which they are compared.
        difference: The numbers with which differences of two of them are compared.
    """

    def __init__(
        self,
        ruleset: Ruleset,
        rules: Sequence[Rule],
        fluents: Iterable[clingo.Symbol],
        counters: Iterable[Signature],
    ) -> None:
        self.places: dict[Place, Offsets] = {(n, k, k - 1): frozenset({0}) for n, k in counters}
        self.absolute: set[int] = set()
        self.difference: set[int] = set()
        self._rules = [r for r in rules if r.file != "generated" or r.heads[0].name not in ("add", "del")]
        self._known = KnownNumbers(ruleset, self._rules, fluents)

    def run(self) -> str | None:
        """Follows them to the end; why they cannot be followed, or None."""
        while True:
            before = dict(self.places)
            for rule in self._rules:
                try:
                    if self._touched(rule):
                        self._rule(rule)
                except Refused as refused:
                    place = f"{rule.file}:{rule.line}: " if rule.file else ""
                    return f"{refused} ({place}{rule.text})"
            if self.places == before:
                return None

    def alike(self, group: Sequence[Signature]) -> None:
        """The arguments of these predicates are compared, one with another."""
        for name, arity in group:
            for i in range(arity):
                here = self.places.get((name, arity, i), _NONE)
                self.difference |= {a - b for a in here for b in here}

    def _touched(self, rule: Rule) -> bool:
        names = {p[:2] for p in self.places}
        return any(s in names for s in rule.uses)

    # -- a rule ------------------------------------------------------------------------------------------------------

    def _rule(self, rule: Rule) -> None:
        node = rule.node
        if node is None:
            raise Refused("a rule without a syntax tree reads such numbers")
        env = self._scope(node.body, {}, node.body)
        head = node.head
        if head.ast_type != ast.ASTType.Literal:
            raise Refused("the head is no atom")
        if head.atom.ast_type == ast.ASTType.SymbolicAtom:
            self._head(head.atom.symbol, env)

    def _head(self, term: Any, env: Mapping[str, Offsets]) -> None:
        if term.ast_type == ast.ASTType.Pool:
            for each in term.arguments:
                self._head(each, env)
            return
        name, args = term.name, list(term.arguments)
        for i, arg in enumerate(args):
            new = self._inside(arg, env)
            if new:
                place = name, len(args), i
                self.places[place] = self.places.get(place, _NONE) | new
                if len(self.places[place]) > _MOST_OFFSETS:
                    raise Refused("a number grows from rule to rule")

    def _scope(
        self, literals: Sequence[Any], outer: Mapping[str, Offsets], body: Sequence[Any]
    ) -> dict[str, Offsets]:
        """The variables of some literals that hold such numbers; their comparisons are noted."""
        env = dict(outer)
        atoms, comparisons, nested = parts(literals)
        for atom in atoms:
            for arg, offsets in self._arguments(atom):
                self._bind(arg, offsets, env)
        given = frozenset(env)
        while True:
            before = dict(env)
            for left, sign, right in comparisons:
                if sign == "=":
                    self._equal(left, right, env, given)
                    self._equal(right, left, env, given)
            if env == before:
                break
        self._joins(atoms, env, outer, body)
        for left, _, right in comparisons:
            self._compare(left, right, env, [*body, *literals])
        for aggregate in nested:
            self._aggregate(aggregate, env, [*body, *literals])
        return env

    def _arguments(self, atom: Any) -> Iterable[tuple[Any, Offsets]]:
        args = list(getattr(atom, "arguments", ()))
        for i, arg in enumerate(args):
            offsets = self.places.get((getattr(atom, "name", ""), len(args), i), _NONE)
            if offsets:
                yield arg, offsets

    def _bind(self, term: Any, offsets: Offsets, env: dict[str, Offsets]) -> None:
        """What stands where such a number is: a variable that holds it, or something to compare it with."""
        number = number_of(term)
        if number is not None:
            self.absolute |= {number - o for o in offsets}
        elif term.ast_type == VARIABLE:
            if term.name != "_":
                env[term.name] = self._few(env.get(term.name, _NONE) | offsets)
        elif term.ast_type in (FUNCTION, ast.ASTType.Pool):
            for arg in term.arguments:
                self._bind(arg, offsets, env)
        elif term.ast_type == BINARY:
            variable, moved = linear(term)
            env[variable] = self._few(env.get(variable, _NONE) | {o - moved for o in offsets})
        elif variables_in(term):
            raise Refused("it is no plain number")

    @staticmethod
    def _few(offsets: Offsets) -> Offsets:
        if len(offsets) > _MOST_OFFSETS:
            raise Refused("a number grows from rule to rule")
        return offsets

    def _equal(self, left: Any, right: Any, env: dict[str, Offsets], given: frozenset[str]) -> None:
        """``left = right`` gives the variable on the left what the right is, if nothing else does.

        So it does for each variable of a term on the left: ``bid(N) = A``.
        """
        if left.ast_type == FUNCTION and right.ast_type == VARIABLE and env.get(right.name):
            self._bind(left, env[right.name], env)
        if left.ast_type == VARIABLE and left.name not in {"_", *given}:
            new = self._inside(right, env)
            if new:
                env[left.name] = self._few(env.get(left.name, _NONE) | new)

    def _inside(self, term: Any, env: Mapping[str, Offsets]) -> Offsets:
        """Such numbers in a term."""
        held = [v for v in variables_in(term) if env.get(v)]
        if not held:
            return _NONE
        if term.ast_type == VARIABLE:
            return env[term.name]
        if term.ast_type in (FUNCTION, ast.ASTType.Pool):
            return _NONE.union(*(self._inside(a, env) for a in term.arguments))
        variable, moved = linear(term)
        return frozenset(o + moved for o in env[variable])

    # -- comparisons ---------------------------------------------------------------------------------------------------

    def _joins(
        self,
        atoms: Sequence[Any],
        env: Mapping[str, Offsets],
        outer: Mapping[str, Offsets],
        body: Sequence[Any],
    ) -> None:
        """One variable in several places."""
        seen: dict[str, list[Offsets]] = {}
        for atom in atoms:
            args = list(getattr(atom, "arguments", ()))
            for i, arg in enumerate(args):
                offsets = self.places.get((atom.name, len(args), i), _NONE)
                for v in variables_in(arg):
                    if offsets:
                        seen.setdefault(v, []).append(offsets)
                    elif env.get(v):
                        self._with_numbers(env[v], self._known.at((atom.name, len(args), i)))
        for v, found in seen.items():
            if len(found) + (v in outer) > 1 and env.get(v):
                self._differ(env[v], env[v])

    def _compare(self, left: Any, right: Any, env: Mapping[str, Offsets], body: Sequence[Any]) -> None:
        ours, theirs = self._inside(left, env), self._inside(right, env)
        if ours and theirs:
            if set(variables_in(left)) != set(variables_in(right)):
                self._differ(ours, theirs)
        elif ours:
            self._with_numbers(ours, self._known.value(right, body))
        elif theirs:
            self._with_numbers(theirs, self._known.value(left, body))

    def _differ(self, ours: Offsets, theirs: Offsets) -> None:
        self.difference |= {a - b for a in ours for b in theirs}

    def _with_numbers(self, offsets: Offsets, numbers: frozenset[int] | None) -> None:
        if numbers is None:
            raise Refused("it is compared with a number that is not known beforehand")
        self.absolute |= {n - o for n in numbers for o in offsets}

    def _aggregate(self, node: Any, env: Mapping[str, Offsets], body: Sequence[Any]) -> None:
        """An aggregate or a conditional literal, which has variables of its own."""
        for guard in (getattr(node, "left_guard", None), getattr(node, "right_guard", None)):
            if guard is not None and self._inside(guard.term, env):
                raise Refused("it is compared with a sum or a number of things")
        if node.ast_type == ast.ASTType.ConditionalLiteral:
            self._scope([node.literal, *node.condition], env, body)
            return
        counts = getattr(node, "function", None) == ast.AggregateFunction.Count
        for element in node.elements:
            if element.ast_type == ast.ASTType.ConditionalLiteral:
                self._scope([element.literal, *element.condition], env, body)
                continue
            inner = self._scope(element.condition, env, body)
            for place, term in enumerate(element.terms):
                held = self._inside(term, inner)
                if held and place == 0 and not counts:
                    raise Refused("it is summed up")
                self._differ(held, held)
