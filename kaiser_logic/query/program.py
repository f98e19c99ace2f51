"""Translates a query to rules. They are built from names, numbers and variables; no text of a stranger is pasted.

Each alternative becomes a rule. A formula within a nested ``not (...)`` or within braces becomes a predicate of its own, as
clingo has no aggregates within aggregates. Its arguments are the variables that it shares with its context, and its rule
repeats the literals that bind them.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Iterable, Mapping
from typing import TypeAlias

from ..lang import terms as lang
from ..lang.algebra import TermMap, occurrences, rebuilt_literal
from ..lang.printer import show_literal
from ..lang.terms import Signature
from ..rules.reader import term_of
from ..rules.rule import Atom
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

_Literals: TypeAlias = tuple[lang.Literal, ...]


class Program:
    """The rules of a query.

    Attributes:
        values: For each alternative its literals; each is a tuple, as one may become several.
        parts: The rules for nested formulas.
    """

    def __init__(
        self, alternatives: Iterable[Branch], prefix: str, called: Mapping[Signature, str] | None = None
    ) -> None:
        """Translates the alternatives of a query.

        Args:
            alternatives: The alternatives.
            prefix: The prefix of the names of its own predicates.
            called: Other names for predicates of the query.
        """
        self._prefix = prefix
        self._called = called or {}
        self.parts: dict[lang.Rule, None] = {}
        self._names: dict[tuple[Part, tuple[str, ...], tuple[lang.Literal, ...]], str] = {}
        self.values = tuple(tuple(self._body(branch, {})) for branch in alternatives)

    @property
    def bodies(self) -> tuple[tuple[str, ...], ...]:
        """For each alternative, its literals as text."""
        return tuple(tuple("; ".join(map(show_literal, its)) for its in body) for body in self.values)

    def rules(self, head: lang.Atom) -> list[lang.Rule]:
        """The rules that derive ``head`` if the query holds."""
        bodies = (tuple(x for its in body for x in its) for body in self.values)
        return [*self.parts, *(lang.Rule(head, body) for body in bodies)]

    def _body(self, branch: Branch, around: Mapping[str, Part]) -> list[_Literals]:
        context = ChainMap(dict(branch.binder), dict(around))
        return [self._outermost(part, branch.bound, context) for part in branch.parts]

    def _name(self, atom: Atom) -> str:
        return self._called.get(atom.signature, atom.name)

    # -- a literal of a body, where aggregates may stand ---------------------------------------------------------------

    def _outermost(self, part: Part, bound: frozenset[str], context: Mapping[str, Part]) -> _Literals:
        match part:
            case Fact(atom):
                return (self._atom(atom),)
            case Without(Fact(atom)) if not _repeated(atom, bound):
                args = tuple(map(term_of, atom.args))
                denied = rebuilt_literal(lang.Atom(self._name(atom), args, 1), _anything(bound))
                return (denied,)
            case Without(formula) | Some(formula):
                elements = self._elements((), formula, bound, context)
                op = "=" if isinstance(part, Without) else ">"
                return (lang.Aggregate("#count", elements, ((op, lang.ZERO),)),)
            case Compared(Aggregate(function, (term, *_), formula), sign, right) if function in (
                "min",
                "max",
            ):
                return self._extreme(function, term, formula, sign, right, bound, context)
            case Compared(Aggregate(function, terms, formula), sign, right):
                every = function == "sum" and len(terms) == 1
                elements = self._elements(terms, formula, bound, context, every)
                return (lang.Aggregate(f"#{function}", elements, ((sign, _term(right)),)),)
            case Compared(left, sign, right):
                return (lang.Compare(_term(left), sign, _term(right)),)
        raise TypeError(f"no literal: {part!r}")

    def _atom(self, atom: Atom) -> lang.Atom:
        return lang.Atom(self._name(atom), tuple(map(term_of, atom.args)))

    def _extreme(
        self,
        function: str,
        term: Expression,
        formula: Formula,
        sign: str,
        right: Expression,
        bound: frozenset[str],
        context: Mapping[str, Part],
    ) -> _Literals:
        """A comparison of a maximum or minimum without computing it.

        ``max { X : f } = R`` becomes "some X equals R, and no X is larger"; ``max { X : f } > R`` becomes "some X is larger than
        R".
        """
        beyond = ">" if function == "max" else "<"
        there = Some(Together((formula, Compared(term, "=" if sign in ("=", "!=") else sign, right))))
        none = Without(Together((formula, Compared(term, beyond, right))))
        if sign == "=":
            return tuple(x for part in (there, none) for x in self._outermost(part, bound, context))
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
    ) -> tuple[lang.Element, ...]:
        """The elements of an aggregate; ``every``: each solution of the formula counts, also if the terms are equal."""
        found = []
        alternatives = branches(formula, bound)
        for branch in alternatives:
            inner = ChainMap(dict(branch.binder), dict(context))
            own = sorted(branch.binder) if every else []
            key = [lang.Text(" ".join(own))] if every and len(alternatives) > 1 else []
            head = *(map(_term, terms) if terms else [lang.Int(1)]), *key, *map(lang.Var, own)
            condition = (x for part in branch.parts for x in self._inner(part, branch.bound, inner))
            found.append(lang.Element(head, tuple(condition)))
        return tuple(found)

    def _inner(self, part: Part, bound: frozenset[str], context: Mapping[str, Part]) -> _Literals:
        """The literals for a part within an aggregate; if they need an aggregate, an atom of a new predicate."""
        simple = isinstance(part, (Fact, Compared)) and not aggregates(part)
        if isinstance(part, Without) and isinstance(part.formula, Fact):
            simple = not _repeated(part.formula.atom, bound)
        return self._outermost(part, bound, context) if simple else self._separate(part, bound, context)

    def _separate(self, part: Part, bound: frozenset[str], context: Mapping[str, Part]) -> _Literals:
        """An atom of a new predicate for a part, whose rule is added to `parts`."""
        shared = sorted(names(part) & bound)
        binding = [self._outermost(p, bound, context) for p in self._binding(shared, context)]
        needed = tuple(x for its in binding for x in its)
        key = (part, tuple(shared), needed)
        first = key not in self._names
        name = self._names.setdefault(key, f"{self._prefix}__{len(self._names)}")
        atom = lang.Atom(name, tuple(map(lang.Var, shared)))
        if first:
            body = dict.fromkeys((*needed, *self._outermost(part, bound, context)))
            self.parts[lang.Rule(atom, tuple(body))] = None
        return (atom,)

    @staticmethod
    def _binding(wanted: Iterable[str], context: Mapping[str, Part]) -> list[Part]:
        """The facts and equations that bind these variables, directly or through other variables."""
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


# -- terms ---------------------------------------------------------------------------------------------------------------


def _term(expression: Expression) -> lang.Term:
    match expression:
        case Value(pattern):
            return term_of(pattern)
        case Calculated(left, sign, right):
            return lang.Op(sign, _term(left), _term(right))
    raise TypeError(f"no plain expression: {expression!r}")


def _anything(bound: frozenset[str]) -> TermMap:
    """Replaces the unbound variables of a negated atom by ``_``."""
    return lambda term: lang.ANY if isinstance(term, lang.Var) and term.name not in bound else term


def _repeated(atom: Atom, bound: frozenset[str]) -> bool:
    """Whether an unbound variable occurs twice in an atom, so that it is not just ``_``."""
    found = occurrences(*map(term_of, atom.args))
    return any(found.count(name) > 1 for name in set(found) - bound)
