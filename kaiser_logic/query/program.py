"""A query as rules of our own: written anew from names, numbers and variables, nothing of a stranger's text.

Each alternative becomes a rule. What stands within another ``not (...)`` or within braces becomes a predicate of its own
there, as clingo knows no aggregate in an aggregate: its arguments are the variables that it shares with what is around
it, and its rule repeats what binds them.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Iterable, Mapping

from ..lang.terms import FLIPPED
from ..rules.pattern import Pattern, Signature, variables
from ..rules.rule import Atom
from ..transform.rewrite import literal
from .branches import Branch, branches
from .formula import (
    Aggregate,
    Calculated,
    Compared,
    Expression,
    Fact,
    Formula,
    Part,
    Some,
    Together,
    Value,
    Without,
    aggregates,
    names,
)


class Program:
    """The rules of a query.

    Attributes:
        bodies: For each alternative its literals as text.
        parts: Rules for what stands within something else.
    """

    def __init__(
        self, alternatives: Iterable[Branch], prefix: str, called: Mapping[Signature, str] | None = None
    ) -> None:
        """Of a query with these alternatives.

        Args:
            alternatives: Of which one has to hold.
            prefix: What the names of predicates for its parts begin with.
            called: Other names for predicates that it asks for.
        """
        self._prefix = prefix
        self._called = called or {}
        self.parts: dict[str, None] = {}
        self._names: dict[tuple[Part, tuple[str, ...], tuple[str, ...]], str] = {}
        self.bodies = tuple(tuple(self._body(branch, {})) for branch in alternatives)

    def rules(self, head: str) -> list[str]:
        """The rules by which a head holds where the query does."""
        return [*self.parts, *(f"{head} :- {'; '.join(body)}." for body in self.bodies)]

    def _body(self, branch: Branch, around: Mapping[str, Part]) -> list[str]:
        context = ChainMap(dict(branch.binder), dict(around))
        return [self._outermost(part, branch.bound, context) for part in branch.parts]

    def _name(self, atom: Atom) -> str:
        return self._called.get(atom.signature, atom.name)

    # -- a literal of a body, where aggregates may stand ---------------------------------------------------------------

    def _outermost(self, part: Part, bound: frozenset[str], context: Mapping[str, Part]) -> str:
        match part:
            case Fact(atom):
                return literal(self._name(atom), *atom.args)
            case Without(Fact(atom)) if not _repeated(atom, bound):
                return f"not {literal(self._name(atom), *_anything(atom, bound))}"
            case Without(formula):
                return f"#count {{ {self._elements((), formula, bound, context)} }} = 0"
            case Some(formula):
                return f"#count {{ {self._elements((), formula, bound, context)} }} > 0"
            case Compared(Aggregate(function, (term, *_), formula), sign, right) if function in (
                "min",
                "max",
            ):
                return self._extreme(function, term, formula, sign, right, bound, context)
            case Compared(Aggregate(function, terms, formula), sign, right):
                every = function == "sum" and len(terms) == 1
                elements = self._elements(terms, formula, bound, context, every)
                return f"{_text(right)} {FLIPPED[sign]} #{function} {{ {elements} }}"
            case Compared(left, sign, right):
                return f"{_text(left)} {sign} {_text(right)}"
        raise TypeError(f"no literal: {part!r}")

    def _extreme(
        self,
        function: str,
        term: Expression,
        formula: Formula,
        sign: str,
        right: Expression,
        bound: frozenset[str],
        context: Mapping[str, Part],
    ) -> str:
        """The largest or smallest compared, without looking for it: one is as large, or none is larger."""
        beyond = ">" if function == "max" else "<"
        there = Some(Together((formula, Compared(term, "=" if sign in ("=", "!=") else sign, right))))
        none = Without(Together((formula, Compared(term, beyond, right))))
        if sign == "=":
            return "; ".join(self._outermost(p, bound, context) for p in (there, none))
        if sign == "!=":
            return self._outermost(Without(Together((there, none))), bound, context)
        if sign[0] == beyond:
            return self._outermost(there, bound, context)
        opposite = beyond if sign.endswith("=") else f"{beyond}="
        none = Without(Together((formula, Compared(term, opposite, right))))
        return self._outermost(none, bound, context)

    # -- within braces ---------------------------------------------------------------------------------------------------

    def _elements(
        self,
        terms: tuple[Expression, ...],
        formula: Formula,
        bound: frozenset[str],
        context: Mapping[str, Part],
        every: bool = False,
    ) -> str:
        """The elements of an aggregate; ``every``: each way to meet the formula is one."""
        found = []
        alternatives = branches(formula, bound)
        for branch in alternatives:
            inner = ChainMap(dict(branch.binder), dict(context))
            own = sorted(branch.binder) if every else []
            key = [f'"{" ".join(own)}"'] if every and len(alternatives) > 1 else []
            head = ",".join([*(map(_text, terms) if terms else ["1"]), *key, *own])
            body = ", ".join(self._inner(part, branch.bound, inner) for part in branch.parts)
            found.append(f"{head} : {body}")
        return "; ".join(found)

    def _inner(self, part: Part, bound: frozenset[str], context: Mapping[str, Part]) -> str:
        """A literal where no aggregate may stand: what would need one becomes a predicate of its own."""
        simple = isinstance(part, (Fact, Compared)) and not aggregates(part)
        if isinstance(part, Without) and isinstance(part.formula, Fact):
            simple = not _repeated(part.formula.atom, bound)
        return self._outermost(part, bound, context) if simple else self._separate(part, bound, context)

    def _separate(self, part: Part, bound: frozenset[str], context: Mapping[str, Part]) -> str:
        """The atom for a literal, with a rule that says when it holds."""
        shared = sorted(names(part) & bound)
        needed = list(self._binding(shared, context))
        key = (part, tuple(shared), tuple(self._outermost(p, bound, context) for p in needed))
        if key not in self._names:
            self._names[key] = f"{self._prefix}__{len(self._names)}"
            body = [*key[2], self._outermost(part, bound, context)]
            self.parts[f"{literal(self._names[key], *shared)} :- {'; '.join(dict.fromkeys(body))}."] = None
        return literal(self._names[key], *shared)

    @staticmethod
    def _binding(wanted: Iterable[str], context: Mapping[str, Part]) -> list[Part]:
        """The facts and equations that bind these variables, and those that these need."""
        found: dict[Part, None] = {}
        pending, seen = list(wanted), set(wanted)
        while pending:
            part = context[pending.pop()]
            if part not in found:
                found[part] = None
                if not isinstance(part, Fact):
                    new = names(part) & context.keys() - seen
                    seen |= new
                    pending += sorted(new)
        return list(found)


# -- as text -------------------------------------------------------------------------------------------------------------


def _text(expression: Expression) -> str:
    match expression:
        case Value(pattern):
            return _term(pattern)
        case Calculated(left, sign, right):
            return f"({_text(left)}{sign}{_text(right)})"
    raise TypeError(f"no plain expression: {expression!r}")


def _term(pattern: Pattern) -> str:
    if pattern[0] == "f":
        return f"{pattern[1]}({','.join(map(_term, pattern[2]))})"
    return str(pattern[1])


def _anything(atom: Atom, bound: frozenset[str]) -> list[Pattern]:
    """The arguments of an atom that is denied: a variable without a value means anything."""

    def visit(pattern: Pattern) -> Pattern:
        if pattern[0] == "f":
            return ("f", pattern[1], tuple(map(visit, pattern[2])))
        return ("v", "_") if pattern[0] == "v" and pattern[1] not in bound else pattern

    return list(map(visit, atom.args))


def _repeated(atom: Atom, bound: frozenset[str]) -> bool:
    """Whether a variable without a value stands twice in an atom: it means the same there."""
    found: list[str] = []

    def visit(pattern: Pattern) -> None:
        if pattern[0] == "f":
            for a in pattern[2]:
                visit(a)
        elif pattern[0] == "v":
            found.append(str(pattern[1]))

    for a in atom.args:
        visit(a)
    return any(found.count(name) > 1 for name in set(variables(atom.args)) - bound - {"_"})
