"""The possible values of each argument of the predicates of a query: words, numbers, structures.

For fluents they come from the vocabulary, for static predicates from the facts, and for actions from the declarations. For
derived predicates they come from the rules, as far as the variables occur in known literals. No possible value is missing:
if the rules do not determine an argument, anything is possible.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Final, TypeAlias

from .. import clingo
from ..engine import symbols
from ..engine.grounding import Grounding
from ..engine.ruleset import Ruleset
from ..lang import algebra
from ..lang.algebra import is_ground
from ..lang.terms import (
    ANY,
    Aggregate,
    Atom,
    Compare,
    Fun,
    Int,
    Literal,
    Op,
    Pool,
    Range,
    Signature,
    Term,
    Var,
)
from ..lang.terms import Rule as Value
from ..lang.unification import CONSTANTS, arguments, label, resolve_to_depth, unify
from ..rules.predicates import ACTION, FLUENT, NUMBER, VIOLATES
from ..rules.reader import Simplifier, rule_from, term_of
from ..rules.rule import PlacedRule
from ..rules.rulebook import ENGINE_DOCS
from .formula import ACTED
from .program import group_linked

_NUMBERS: Final = 400
"""The numbers below this one satisfy ``number/1`` while the vocabulary is ground."""
_LAST: Final = 50
"""If an argument has one of the last of these numbers, larger ones are possible too."""
_BEYOND: Final = 10**8
"""If an argument has this number, it has no limit."""
_WITHOUT_END: Final = {NUMBER, ("set", 1)}
"""Static predicates whose facts depend on what is given, so their listed facts are not all."""
_UNLIMITED: Final = {("set", 1)}
"""Conditions of a declaration that are dropped: the values of their variables, and of linked ones, are not restricted."""
_DEEPEST: Final = 4
"""The largest depth of nested structures; for deeper ones nothing is known."""
_PLACE: Final = "place"
"""The name of the argument in question."""

Interval: TypeAlias = tuple[int | None, int | None]
"""The smallest and the largest number; None: there is none."""


@dataclass(frozen=True)
class Values:
    """The possible values of an argument.

    Attributes:
        words: Names, numbers and texts.
        structures: Terms with arguments, by name and arity, with the values of their arguments.
        numbers: In addition, all numbers of an interval.
        anything: Nothing is known about the argument.
    """

    words: frozenset[clingo.Symbol] = frozenset()
    structures: Mapping[Signature, tuple[Values, ...]] = field(default_factory=dict)
    numbers: Interval | None = None
    anything: bool = False

    def __bool__(self) -> bool:
        return bool(self.words or self.structures or self.numbers or self.anything)

    def has(self, symbol: clingo.Symbol) -> bool:
        """Whether a name, a number or a text is among the values."""
        if self.anything or symbol in self.words:
            return True
        return symbol.type is clingo.SymbolType.Number and is_between(symbol.number, self.numbers)

    def admits(self, term: Term) -> bool:
        """Whether a term, for some values of its variables, is among the values."""
        if self.anything or isinstance(term, Var):
            return True
        if isinstance(term, CONSTANTS):
            return self.has(symbols.symbol_of(term))
        parts = self.structures.get((label(term), len(arguments(term))))
        return parts is not None and all(p.admits(t) for p, t in zip(parts, arguments(term), strict=True))

    def variables_of(self, term: Term) -> Iterator[tuple[str, Values]]:
        """The variables of a term at this argument, each with its possible values."""
        if isinstance(term, Var):
            yield str(term.name), self
        elif isinstance(term, Fun):
            unknown = tuple(ANYTHING for _ in term.args)
            parts = unknown if self.anything else self.structures.get((str(term.name), len(term.args)), ())
            for part, inner in zip(parts, term.args, strict=False):
                yield from part.variables_of(inner)

    def union(self, other: Values) -> Values:
        """The union of two sets of values."""
        if self.anything or other.anything:
            return ANYTHING
        found = dict(self.structures)
        for s, parts in other.structures.items():
            found[s] = (
                tuple(a.union(b) for a, b in zip(found[s], parts, strict=True)) if s in found else parts
            )
        numbers = _hull_of(self.numbers, other.numbers)
        return Values(self.words | other.words, found, numbers)

    def intersection(self, other: Values) -> Values:
        """The intersection of two sets of values."""
        if self.anything or other.anything:
            return other if self.anything else self
        words = frozenset(s for s in self.words | other.words if self.has(s) and other.has(s))
        found = {}
        for s in self.structures.keys() & other.structures.keys():
            parts = tuple(
                a.intersection(b) for a, b in zip(self.structures[s], other.structures[s], strict=True)
            )
            if all(parts):
                found[s] = parts
        return Values(words, found, _common(self.numbers, other.numbers))

    @property
    def depth(self) -> int:
        """The depth of nested structures; 0 without structures."""
        return max((1 + part.depth for parts in self.structures.values() for part in parts), default=0)

    @property
    def integers(self) -> list[int]:
        """The numbers among the words, in order."""
        return sorted(s.number for s in self.words if s.type is clingo.SymbolType.Number)

    @property
    def names(self) -> list[str]:
        """The names and texts among the words, in order, and the names of structures."""
        listed = {symbols.text(s) for s in self.words if s.type is not clingo.SymbolType.Number}
        return sorted(listed | {name for name, _ in self.structures})

    @property
    def range(self) -> Interval | None:
        """The smallest and the largest number; None if there are none."""
        listed = self.integers
        return _hull_of(self.numbers, (listed[0], listed[-1]) if listed else None)

    def list_in_words(self, most: int) -> list[str]:
        """The values in words: names, of which at most so many, then numbers.

        >>> Values(frozenset(map(clingo.Number, (15, 25, 35)))).list_in_words(12)
        ['15', '25', '35']
        >>> Values(frozenset(map(clingo.Number, range(20))), numbers=(0, None)).list_in_words(12)
        ['a number from 0']
        """
        found, numbers = self.names, self.integers
        if len(found) > most:
            found[most - 1 :] = [f"one of {len(found) - most + 1} others"]
        least, last = self.range or (None, None)
        if least is not None and last is not None:
            gaps = self.numbers is None and len(numbers) <= min(most, last - least)
            found += map(str, numbers) if gaps or least == last else [f"{least} to {last}"]
        elif self.range is not None:
            from_least = "" if least is None else f" from {least}"
            found.append(f"a number{from_least}{'' if last is None else f' up to {last}'}")
        return found


ANYTHING: Final = Values(anything=True)
ANY_NUMBER: Final = Values(numbers=(None, None))
_NOTHING: Final = Values()
Columns: TypeAlias = tuple[Values, ...]


def is_between(number: int, interval: Interval | None) -> bool:
    """Whether a number is in an interval; in none if there is none."""
    if interval is None:
        return False
    least, most = interval
    return (least is None or number >= least) and (most is None or number <= most)


def _hull_of(one: Interval | None, other: Interval | None) -> Interval | None:
    """The smallest interval that contains both."""
    if one is None or other is None:
        return one if other is None else other
    least = None if one[0] is None or other[0] is None else min(one[0], other[0])
    return least, None if one[1] is None or other[1] is None else max(one[1], other[1])


def _common(one: Interval | None, other: Interval | None) -> Interval | None:
    """The numbers that are in both."""
    if one is None or other is None:
        return None
    least = max((n for n in (one[0], other[0]) if n is not None), default=None)
    most = min((n for n in (one[1], other[1]) if n is not None), default=None)
    return None if least is not None and most is not None and least > most else (least, most)


def value_of(symbol: clingo.Symbol) -> Values:
    """A single symbol."""
    if symbol.type is clingo.SymbolType.Function and symbol.arguments:
        return Values(structures={symbols.signature(symbol): tuple(map(value_of, symbol.arguments))})
    return Values(frozenset([symbol]))


def _all(values: Iterable[Values]) -> Values:
    """The union of sets of values."""
    found = _NOTHING
    for value in values:
        found = found.union(value)
    return found


def _values_listed(found: Iterable[clingo.Symbol]) -> Values:
    """These symbols. If they include the largest of the given numbers, larger ones are possible."""
    there = set(found)
    plain = frozenset(s for s in there if s.type is not clingo.SymbolType.Function or not s.arguments)
    nested = _all(value_of(s) for s in there - plain)
    numbers = [s.number for s in plain if s.type is clingo.SymbolType.Number]
    words = frozenset(s for s in plain if s.type is not clingo.SymbolType.Number)
    upwards = any(n >= _NUMBERS - _LAST for n in numbers)
    downwards = any(n <= _LAST - _NUMBERS for n in numbers)
    if not upwards and not downwards:
        return nested.union(Values(plain))
    interval = None if downwards else min(numbers), None if upwards else max(numbers)
    return nested.union(Values(words, numbers=interval))


# -- declarations ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Declared:
    """A term that a rule declares, with a variable for each open argument, and the expressions there."""

    rule: PlacedRule
    term: Term
    parts: Mapping[str, Term]


class AllColumns:
    """The possible values at each argument of all predicates, under one configuration."""

    def __init__(self, ruleset: Ruleset) -> None:
        """The values under these rules, which are computed on demand."""
        self._ruleset = ruleset
        self._known: dict[Signature, Columns | None] = {}
        self._rules_by_head: dict[Signature, list[PlacedRule]] = {}
        for rule in ruleset.rules:
            for s in {h.signature for h in rule.heads}:
                self._rules_by_head.setdefault(s, []).append(rule)
        self._fluents = _declared_terms(self._rules_by_head.get(FLUENT, ()), FLUENT, 0)

    def columns_of(self, signature: Signature) -> Columns | None:
        """The possible values at each argument of a predicate; None if it never holds."""
        if signature not in self._known:
            self._known |= self._worked_out(signature)
        return self._known[signature]

    def _worked_out(self, signature: Signature) -> Mapping[Signature, Columns | None]:
        arity, ruleset = signature[1], self._ruleset
        if signature in ACTED:
            roles = Values(frozenset(map(clingo.Function, ruleset.roles)))
            return {
                signature: (roles, self._actions(), self._rules if signature == VIOLATES else ANYTHING)[
                    :arity
                ]
            }
        if signature in ruleset.static and signature not in _WITHOUT_END:
            facts = ruleset.static[signature]
            found = tuple(_all(value_of(f.arguments[k]) for f in facts) for k in range(arity))
            return {signature: found if facts else None}
        declared = [d for d in self._fluents if _signature(d.term) == signature]
        if declared:
            return {signature: self._columns_of(declared, arity)}
        if signature in ruleset.book.fluents or signature not in self._rules_by_head:
            return {signature: (ANYTHING,) * arity}
        return self._derive_columns(signature)

    @property
    def _rules(self) -> Values:
        """The rules that an action can break."""
        ids = [id for id, doc in self._ruleset.book.docs.items() if doc.kind == "rule"]
        return Values(frozenset(clingo.String(id) for id in (*ids, *ENGINE_DOCS)))

    def _actions(self) -> Values:
        """All actions."""
        declared = _declared_terms(self._rules_by_head.get(ACTION, ()), ACTION, 1)
        whole = [_Declared(d.rule, Fun("action", (d.term,)), d.parts) for d in declared]
        return (self._columns_of(whole, 1) or (_NOTHING,))[0]

    def _columns_of(self, declared: Sequence[_Declared], arity: int) -> Columns | None:
        """The values of the arguments of declared terms; None if there are no such terms."""
        queries = [_ColumnQuery(d, (), d.parts) for d in declared]
        found: Columns | None = None
        for d, values in zip(declared, self._values(queries), strict=True):
            if values is None:
                continue
            parts = tuple(
                _values_of(part, values) for part in (d.term.args if isinstance(d.term, Fun) else ())
            )
            found = parts if found is None else tuple(a.union(b) for a, b in zip(found, parts, strict=True))
        return found

    def _values(
        self, queries: Sequence[_ColumnQuery], more: Iterable[int] = ()
    ) -> list[dict[str, Values] | None]:
        """For each declaration the values of its terms; None if its conditions do not hold."""
        lines: list[Value] = []
        for k, one in enumerate(queries):
            for g, (_, literals) in enumerate(one.groups):
                lines.append(Value(Atom("there__", (Int(k), Int(g))), tuple(literals)))
            for n, term in enumerate(one.open.values()):
                if term is not None:
                    lines.append(Value(Atom("value__", (Int(k), Int(n), term)), one.body(term)))
        rules = self._ruleset.vocabulary_program.rules
        helping = [r for r in rules if all(h.signature != FLUENT for h in r.heads)]
        program = self._ruleset.complete((*helping, *map(rule_from, lines)))
        given = sorted({*range(_NUMBERS), _BEYOND, *more})
        grounding = Grounding(program, [clingo.Function(NUMBER[0], [clingo.Number(n)]) for n in given])
        there = Counter(s.arguments[0].number for s in grounding.get("there__", 2))
        values: dict[tuple[int, int], list[clingo.Symbol]] = {}
        for s in grounding.get("value__", 3):
            values.setdefault((s.arguments[0].number, s.arguments[1].number), []).append(s.arguments[2])
        found: list[dict[str, Values] | None] = []
        for k, one in enumerate(queries):
            listed = {
                name: ANYTHING if term is None else _values_listed(values.get((k, n), ()))
                for n, (name, term) in enumerate(one.open.items())
            }
            found.append(listed if there[k] == len(one.groups) and all(listed.values()) else None)
        return found

    # -- what follows --------------------------------------------------------------------------------------------------

    def _derive_columns(self, signature: Signature) -> dict[Signature, Columns | None]:
        """The values that the rules can derive for a predicate and those that it depends on: the least fixpoint."""
        found: dict[Signature, Columns | None] = {}
        left = [signature]
        while left:
            s = left.pop()
            if s in found or s in self._known:
                continue
            if (
                s in ACTED
                or s in self._ruleset.static
                or s in self._ruleset.book.fluents
                or s not in self._rules_by_head
            ):
                self._known |= self._worked_out(s)
                continue
            found[s] = None
            left += [a.signature for rule in self._rules_by_head[s] for a in rule.positive]
        changed = True
        while changed:
            changed = False
            for s, before in list(found.items()):
                for rule in self._rules_by_head[s]:
                    self._follow(rule, s, found)
                changed = changed or found[s] != before
        return found

    def _follow(self, rule: PlacedRule, signature: Signature, found: dict[Signature, Columns | None]) -> None:
        """Adds the values that a rule can derive for a predicate."""
        known: dict[str, Values] = {}
        for atom in rule.positive:
            columns = found[atom.signature] if atom.signature in found else self._known[atom.signature]
            if columns is None:
                return
            for values, term in zip(columns, atom.args, strict=True):
                if not values.admits(term):
                    return
                for name, inner in values.variables_of(term):
                    known[name] = known[name].intersection(inner) if name in known else inner
        if not all(known.values()):
            return
        for head, value in zip(rule.heads, rule.value.heads, strict=True):
            if head.signature == signature:
                new = tuple(_term(*both, rule, known) for both in zip(head.args, value.args, strict=True))
                old = found[signature]
                found[signature] = (
                    new if old is None else tuple(a.union(b) for a, b in zip(old, new, strict=True))
                )

    # -- a fact as a whole ---------------------------------------------------------------------------------------------

    def like(self, term: Term, place: int | None = None) -> Values:
        """The possible values at an argument of the facts that match a pattern; empty if none does.

        Args:
            term: A fact of the vocabulary, or a static fact, with variables.
            place: The number of the argument, from 0; None to ask only whether there is such a fact.
        """
        signature = _signature(term)
        if signature in self._ruleset.static:
            facts = (f for f in self._ruleset.static[signature] if _fits(term, f))
            return _all(value_of(f if place is None else f.arguments[place]) for f in facts)
        queries = [a for d in self._fluents if (a := _like(d, term, place)) is not None]
        found = [v for v in self._values(queries, _numbers(term)) if v is not None]
        return _all(v[_PLACE] if place is not None else ANYTHING for v in found)

    def declares(self, signature: Signature) -> bool:
        """Whether the vocabulary, or the static facts, list all facts of a predicate."""
        return signature in self._ruleset.static or any(
            _signature(d.term) == signature for d in self._fluents
        )


def columns(ruleset: Ruleset) -> AllColumns:
    """The possible values at each argument of all predicates: one object for each ruleset."""
    return ruleset.remember("columns", lambda: AllColumns(ruleset))


def _signature(term: Term) -> Signature:
    return label(term), len(term.args) if isinstance(term, Fun) else 0


def _fits(term: Term, fact: clingo.Symbol) -> bool:
    return unify(_rename_apart(term), symbols.term_of(fact), {}) is not None


def _numbers(term: Term) -> set[int]:
    """The numbers in a term."""
    if isinstance(term, Fun):
        return set[int]().union(*map(_numbers, term.args))
    return {term.value} if isinstance(term, Int) else set()


def _values_of(term: Term, known: Mapping[str, Values]) -> Values:
    """The values of a term of a declaration."""
    if isinstance(term, Var):
        return known[str(term.name)]
    if isinstance(term, CONSTANTS):
        return value_of(symbols.symbol_of(term))
    return Values(structures={_signature(term): tuple(_values_of(part, known) for part in arguments(term))})


def _term(term: Term, value: Term | None, rule: PlacedRule, known: Mapping[str, Values]) -> Values:
    """The values of a term in a rule's head; ``value``: the term itself, None if it belongs to a pool."""
    if is_ground(term):
        return value_of(symbols.symbol_of(term))
    if isinstance(term, Fun):
        inner = value.args if isinstance(value, Fun) else (None,) * len(term.args)
        parts = tuple(_term(*both, rule, known) for both in zip(term.args, inner, strict=True))
        made = Values(structures={_signature(term): parts})
        return made if made.depth <= _DEEPEST else ANYTHING
    if not isinstance(value, Var) or value == ANY:
        return ANY_NUMBER if isinstance(value, (Op, Range)) else ANYTHING
    if value.name in known:
        return known[value.name]
    return ANY_NUMBER if any(_calculates(literal, value) for literal in rule.value.body) else ANYTHING


def _calculates(literal: Literal, variable: Var) -> bool:
    """Whether a literal gives a variable a number."""
    match literal:
        case Compare(left, "=", right, 0):
            return variable in (left, right) and any(isinstance(side, (Op, Range)) for side in (left, right))
        case Aggregate("#sum" | "#sum+" | "#count", _, guards, 0):
            return ("=", variable) in guards
        case _:
            return False


# -- declarations taken apart ------------------------------------------------------------------------------------------


class _ColumnQuery:
    """A declaration with further conditions, and the terms whose values are wanted."""

    def __init__(self, declared: _Declared, more: Iterable[Literal], open: Mapping[str, Term | None]) -> None:
        """``more``: literals besides those of the rule; ``open``: terms by name."""
        literals = declared.rule.value.body
        groups = group_linked(literals, _variables_in)
        unlimited = {x for x in literals if isinstance(x, Atom) and x.signature in _UNLIMITED}
        free = set[str]().union(*(used for used, terms in groups if unlimited & set(terms)))
        own = [t for used, terms in groups if not used & free for t in terms if t not in unlimited]
        self.groups = group_linked([*own, *(t for t in more if not _variables_in(t) & free)], _variables_in)
        self.open = {n: None if t is None or _variables_in(t) & free else t for n, t in open.items()}

    def body(self, term: Term) -> tuple[Literal, ...]:
        """The conditions on the variables of a term, as the body of a rule."""
        own = _variables_in(term)
        return tuple(x for used, group in self.groups if used & own for x in group)


def _like(declared: _Declared, term: Term, place: int | None) -> _ColumnQuery | None:
    """The query for a declaration of facts like this one; None if there is no such declaration."""
    binding = unify(declared.term, _rename_apart(term), {})
    if binding is None:
        return None
    more = []
    for name, part in declared.parts.items():
        wanted = resolve_to_depth(Var(name), binding)
        if wanted != Var(name) and (not isinstance(wanted, Var) or wanted.name in declared.parts):
            more.append(Compare(_with_expressions(wanted, declared.parts), "=", part))
    shown = (
        {} if place is None else {_PLACE: _with_expressions(arguments(declared.term)[place], declared.parts)}
    )
    return _ColumnQuery(declared, more, shown)


def _with_expressions(term: Term, parts: Mapping[str, Term]) -> Term:
    """A term of a declaration, with the expressions of its open arguments."""
    return algebra.substitute_term(term_of(term), parts)


def _rename_apart(term: Term) -> Term:
    """The term with fresh variables, one for each ``_``."""
    fresh = count()

    def visit(part: Term) -> Term:
        if isinstance(part, Var):
            return Var(f"Asked__{next(fresh)}" if part.name == "_" else f"Asked__{part.name}")
        return Fun(part.name, tuple(map(visit, part.args))) if isinstance(part, Fun) else part

    return visit(term)


def _declared_terms(rules: Iterable[PlacedRule], predicate: Signature, place: int) -> list[_Declared]:
    """The terms that rules declare as an argument of their heads, one for each element of a pool ``decision(R,vote;R,turn)``."""
    found = []
    for rule in rules:
        for head in rule.value.heads:
            if head.signature == predicate:
                term = head.args[place]
                for one in term.terms if isinstance(term, Pool) else (term,):
                    parts: dict[str, Term] = {}
                    found.append(_Declared(rule, _open_term(one, parts), parts))
    return found


def _open_term(term: Term, parts: dict[str, Term]) -> Term:
    """The pattern with a name for each calculation, interval or pool; these expressions are recorded."""
    if isinstance(term, Fun) and term.name:
        return Fun(term.name, tuple(_open_term(part, parts) for part in term.args))
    pattern = Simplifier().simplify(term)
    if isinstance(pattern, CONSTANTS):
        return pattern
    name = term.name if isinstance(term, Var) and term != ANY else f"Place__{len(parts)}"
    parts[name] = term
    return Var(name)


def _variables_in(thing: Term | Literal) -> set[str]:
    """The variables in a term or a literal."""
    return set(algebra.variables(thing))
