"""Numbers of counters without a limit, followed through rules: with what they are compared.

See :mod:`.numbers` for what that is good for, and which rules are refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from clingo import ast

from .. import clingo
from ..engine.ruleset import Ruleset
from ..rules.pattern import Signature
from ..rules.rule import Rule
from ..transform.number_terms import (
    BINARY,
    FUNCTION,
    VARIABLE,
    Refused,
    linear,
    numbers_of,
    pairs,
    parts,
    variables_in,
)
from .known_numbers import KnownNumbers, Place
from .offsets import NOTHING, Fixed, Offsets, few, moved_by

_FUNCTIONS: Final = (FUNCTION, ast.ASTType.Pool)


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
                    else:
                        self._beside(rule)
                except Refused as refused:
                    place = f"{rule.file}:{rule.line}: " if rule.file else ""
                    return f"{refused} ({place}{rule.text})"
            if self.places == before:
                return None

    def alike(self, group: Sequence[Signature]) -> str | None:
        """The arguments of these predicates are compared, one with another; why that cannot be followed, or None."""
        try:
            for name, arity in group:
                for i in range(arity):
                    here = self.places.get((name, arity, i), NOTHING)
                    self._differ(here, here)
        except Refused as refused:
            return f"{refused} ({name}/{arity})"
        return None

    def _touched(self, rule: Rule) -> bool:
        names = {p[:2] for p in self.places}
        return any(s in names for s in rule.uses)

    def _beside(self, rule: Rule) -> None:
        """What a rule that reads no such numbers puts where they can be."""
        names = {p[:2] for p in self.places}
        if not any(h.signature in names for h in rule.heads):
            return
        if rule.node.head.ast_type == ast.ASTType.Literal:
            self._head(rule.node.head.atom.symbol, {}, rule.node.body)
            return
        for place in self.places:
            if any(h.signature == place[:2] for h in rule.heads):
                self.places[place] |= {Fixed(None)}

    # -- a rule ------------------------------------------------------------------------------------------------------

    def _rule(self, rule: Rule) -> None:
        node = rule.node
        env = self._scope(node.body, {}, node.body)
        head = node.head
        if head.ast_type != ast.ASTType.Literal:
            raise Refused("the head is no atom")
        if head.atom.ast_type == ast.ASTType.SymbolicAtom:
            self._head(head.atom.symbol, env, node.body)

    def _head(self, term: Any, env: Mapping[str, Offsets], body: Sequence[Any]) -> None:
        if term.ast_type == ast.ASTType.Pool:
            for each in term.arguments:
                self._head(each, env, body)
            return
        name, args = term.name, list(term.arguments)
        for i, arg in enumerate(args):
            place = name, len(args), i
            if place in self.places or self._inside(arg, env):
                self.places[place] = few(self.places.get(place, NOTHING) | self._filled(arg, env, body))

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
                    self._equal(left, right, env, given, [*body, *literals])
                    self._equal(right, left, env, given, [*body, *literals])
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
            offsets = self.places.get((getattr(atom, "name", ""), len(args), i), NOTHING)
            if offsets:
                yield arg, offsets

    def _bind(self, term: Any, offsets: Offsets, env: dict[str, Offsets]) -> None:
        """What stands where such a number is: a variable that holds it, or something to compare it with."""
        if term.ast_type == VARIABLE:
            if term.name != "_":
                env[term.name] = few(env.get(term.name, NOTHING) | offsets)
            return
        if term.ast_type in _FUNCTIONS:
            for arg in term.arguments:
                self._bind(arg, offsets, env)
            return
        numbers = numbers_of(term)
        if numbers is not None:
            self._with_numbers(offsets, numbers)
        elif term.ast_type == BINARY:
            variable, moved = linear(term)
            if variable != "_":
                env[variable] = few(env.get(variable, NOTHING) | moved_by(offsets, -moved))
        else:
            raise Refused("it is no plain number")

    def _equal(
        self,
        left: Any,
        right: Any,
        env: dict[str, Offsets],
        given: frozenset[str],
        body: Sequence[Any],
    ) -> None:
        """``left = right`` gives the variables on the left what the right is, if nothing else does.

        So it does for each variable of a term on the left: ``bid(N) = A``, ``N+1 = A``.
        """
        if left.ast_type == FUNCTION and right.ast_type == FUNCTION:
            for ours, theirs in pairs(left, right):
                self._equal(ours, theirs, env, given, body)
        elif not given.issuperset(variables_in(left)) and self._inside(right, env):
            self._bind(left, self._filled(right, env, body), env)

    def _inside(self, term: Any, env: Mapping[str, Offsets]) -> Offsets:
        """Such numbers in a term."""
        held = [v for v in variables_in(term) if env.get(v)]
        if not held:
            return NOTHING
        if term.ast_type == VARIABLE:
            return env[term.name]
        if term.ast_type in _FUNCTIONS:
            return NOTHING.union(*(self._inside(a, env) for a in term.arguments))
        variable, moved = linear(term)
        return moved_by(env[variable], moved)

    def _filled(self, term: Any, env: Mapping[str, Offsets], body: Sequence[Any]) -> Offsets:
        """All numbers in a term: such, and the others beside them."""
        if term.ast_type in _FUNCTIONS:
            return NOTHING.union(*(self._filled(a, env, body) for a in term.arguments))
        held = self._inside(term, env)
        if held:
            return held
        numbers = self._known.value(term, body)
        return frozenset({Fixed(None)}) if numbers is None else frozenset(map(Fixed, numbers))

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
                offsets = self.places.get((atom.name, len(args), i), NOTHING)
                if offsets:
                    for v in variables_in(arg):
                        seen.setdefault(v, []).append(offsets)
                elif held := self._inside(arg, env):
                    self._with_numbers(held, self._known.at((atom.name, len(args), i)))
        for v, found in seen.items():
            if len(found) + (v in outer) > 1 and env.get(v):
                self._differ(env[v], env[v])

    def _compare(self, left: Any, right: Any, env: Mapping[str, Offsets], body: Sequence[Any]) -> None:
        if left.ast_type == FUNCTION and right.ast_type == FUNCTION:
            for one, other in pairs(left, right):
                self._compare(one, other, env, body)
            return
        ours, theirs = self._inside(left, env), self._inside(right, env)
        if ours and theirs:
            functions = left.ast_type in _FUNCTIONS or right.ast_type in _FUNCTIONS
            if functions or set(variables_in(left)) != set(variables_in(right)):
                self._differ(self._filled(left, env, body), self._filled(right, env, body))
        elif ours:
            self._with_numbers(ours, self._known.value(right, body))
        elif theirs:
            self._with_numbers(theirs, self._known.value(left, body))

    def _differ(self, ours: Offsets, theirs: Offsets) -> None:
        for a in ours:
            for b in theirs:
                if isinstance(a, int) and isinstance(b, int):
                    self.difference.add(a - b)
                elif isinstance(a, int) or isinstance(b, int):
                    moved, fixed = (a, b) if isinstance(b, Fixed) else (b, a)
                    number = fixed.number if isinstance(fixed, Fixed) else None
                    self._with_numbers(frozenset({moved}), None if number is None else frozenset({number}))

    def _with_numbers(self, offsets: Offsets, numbers: frozenset[int] | None) -> None:
        moved = [o for o in offsets if isinstance(o, int)]
        if moved and numbers is None:
            raise Refused("it is compared with a number that is not known beforehand")
        self.absolute |= {n - o for n in numbers or () for o in moved}

    def _aggregate(self, node: Any, env: Mapping[str, Offsets], body: Sequence[Any]) -> None:
        """An aggregate or a conditional literal, which has variables of its own."""
        for guard in (getattr(node, "left_guard", None), getattr(node, "right_guard", None)):
            if guard is not None and self._inside(guard.term, env):
                raise Refused("it is compared with a sum or a number of things")
        if node.ast_type == ast.ASTType.ConditionalLiteral:
            self._scope([node.literal, *node.condition], env, body)
            return
        counts = getattr(node, "function", None) == ast.AggregateFunction.Count
        columns: dict[tuple[int, int], tuple[Offsets, Offsets]] = {}
        for element in node.elements:
            plain = element.ast_type == ast.ASTType.ConditionalLiteral
            literals = [*([element.literal] if plain else ()), *element.condition]
            inner = self._scope(literals, env, body)
            terms = (
                [a for atom in parts([element.literal])[0] for a in atom.arguments]
                if plain
                else element.terms
            )
            for place, term in enumerate(terms):
                held = self._inside(term, inner)
                if held and place == 0 and not counts and not plain:
                    raise Refused("it is summed up")
                before = columns.get((len(terms), place), (NOTHING, NOTHING))
                filled = self._filled(term, inner, [*body, *literals])
                columns[len(terms), place] = before[0] | held, before[1] | filled
        for held, filled in columns.values():  # equal tuples count once, of whichever element
            if held:
                self._differ(held, filled)
