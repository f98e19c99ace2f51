"""The possible values of each argument of the predicates of a query: words, numbers, structures.

For fluents they come from the vocabulary, for static predicates from the facts, and for actions from the declarations. For
derived predicates they come from the rules, as far as the variables occur in known literals. No possible value is missing:
if the rules do not determine an argument, anything is possible.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from itertools import count
from math import inf, isfinite
from typing import Final, TypeAlias

from .. import clingo
from ..engine import symbols
from ..engine.grounding import Grounding
from ..engine.ruleset import Ruleset
from ..lang import algebra
from ..lang.algebra import independent_groups, integers, is_ground, rebuilt_term
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
from ..solving.build import fun
from .formula import ACTED
from .program import fill_blanks

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
_DEEPEST: Final = 5
"""The largest depth of nested structures, the facts themselves included; for deeper ones nothing is known."""
_PLACE: Final = "place"
"""The name of the argument in question."""

Interval: TypeAlias = tuple[float, float]
"""The smallest and the largest number; infinite ones if there is none."""


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
        structures = dict(self.structures)
        for s, parts in other.structures.items():
            structures[s] = (
                tuple(a.union(b) for a, b in zip(structures[s], parts, strict=True)) if s in structures else parts
            )
        return Values(self.words | other.words, structures, _hull_of(self.numbers, other.numbers))

    def intersection(self, other: Values) -> Values:
        """The intersection of two sets of values."""
        if self.anything or other.anything:
            return other if self.anything else self
        words = frozenset(s for s in self.words | other.words if self.has(s) and other.has(s))
        structures = {}
        for s in self.structures.keys() & other.structures.keys():
            parts = tuple(a.intersection(b) for a, b in zip(self.structures[s], other.structures[s], strict=True))
            if all(parts):
                structures[s] = parts
        return Values(words, structures, _common(self.numbers, other.numbers))

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
        >>> Values(frozenset(map(clingo.Number, range(20))), numbers=(0, inf)).list_in_words(12)
        ['a number from 0']
        """
        words, numbers = self.names, self.integers
        if len(words) > most:
            words[most - 1 :] = [f"one of {len(words) - most + 1} others"]
        if self.range is not None:
            least, last = self.range
            gaps = self.numbers is None and len(numbers) <= min(most, last - least)
            if isfinite(last - least):
                return words + (list(map(str, numbers)) if gaps or least == last else [f"{least} to {last}"])
            begins, ends = (f" {word} {n}" if isfinite(n) else "" for word, n in (("from", least), ("up to", last)))
            words.append(f"a number{begins}{ends}")
        return words


ANYTHING: Final = Values(anything=True)
ANY_NUMBER: Final = Values(numbers=(-inf, inf))
Columns: TypeAlias = tuple[Values, ...]


def is_between(number: int, interval: Interval | None) -> bool:
    """Whether a number is in an interval; in none if there is none."""
    return interval is not None and interval[0] <= number <= interval[1]


def _hull_of(*intervals: Interval | None) -> Interval | None:
    """The smallest interval that contains all."""
    known = [i for i in intervals if i is not None]
    return (min(i[0] for i in known), max(i[1] for i in known)) if known else None


def _common(one: Interval | None, other: Interval | None) -> Interval | None:
    """The numbers that are in both."""
    if one is None or other is None:
        return None
    least, most = max(one[0], other[0]), min(one[1], other[1])
    return (least, most) if least <= most else None


def value_of(symbol: clingo.Symbol) -> Values:
    """A single symbol."""
    if symbol.type is clingo.SymbolType.Function and symbol.arguments:
        return Values(structures={symbols.signature(symbol): tuple(map(value_of, symbol.arguments))})
    return Values(frozenset([symbol]))


def _all(values: Iterable[Values]) -> Values:
    """The union of sets of values."""
    return reduce(Values.union, values, Values())


def _values_listed(values: Collection[clingo.Symbol]) -> Values:
    """These symbols. If they include the largest of the given numbers, larger ones are possible."""
    plain = frozenset(s for s in values if not (s.type is clingo.SymbolType.Function and s.arguments))
    nested = _all(map(value_of, set(values) - plain))
    numbers = Values(plain).integers or [0]
    downwards, upwards = numbers[0] <= _LAST - _NUMBERS, numbers[-1] >= _NUMBERS - _LAST
    if not upwards and not downwards:
        return nested.union(Values(plain))
    words = frozenset(s for s in plain if s.type is not clingo.SymbolType.Number)
    return nested.union(Values(words, numbers=(-inf if downwards else numbers[0], inf if upwards else numbers[-1])))


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
        self._known: dict[Signature, Values] = {}
        self._rules_by_head: dict[Signature, list[PlacedRule]] = {}
        for rule in ruleset.rules:
            for s in {h.signature for h in rule.heads}:
                self._rules_by_head.setdefault(s, []).append(rule)
        self._fluents = _declared_terms(self._rules_by_head.get(FLUENT, ()), FLUENT, 0)

    def columns_of(self, signature: Signature) -> Columns | None:
        """The possible values at each argument of a predicate; None if it never holds."""
        facts = self._facts_of(signature)
        return facts.structures.get(signature, ()) if facts else None

    def _facts_of(self, signature: Signature) -> Values:
        """The facts of a predicate, as terms."""
        if signature not in self._known:
            self._known |= self._derive_facts(signature)
        return self._known[signature]

    def _facts_stated(self, signature: Signature) -> Values | None:
        """The facts of a predicate that rules do not derive from others; None if they do."""
        ruleset, (name, arity) = self._ruleset, signature
        if signature in ACTED:
            roles = Values(frozenset(map(clingo.Function, ruleset.roles)))
            actions = self._declared_values(_declared_terms(self._rules_by_head.get(ACTION, ()), ACTION, 1))
            last = self._rules if signature == VIOLATES else ANYTHING
            return Values(structures={signature: (roles, actions, last)[:arity]})
        if signature in ruleset.static and signature not in _WITHOUT_END:
            return _all(map(value_of, ruleset.static[signature]))
        declared = [d for d in self._fluents if _signature(d.term) == signature]
        if declared:
            return self._declared_values(declared)
        if signature in ruleset.book.fluents or signature not in self._rules_by_head:
            whole = Values(structures={signature: (ANYTHING,) * arity})
            return whole if arity else value_of(clingo.Function(name))
        return None

    @property
    def _rules(self) -> Values:
        """The rules that an action can break."""
        ids = [id for id, doc in self._ruleset.book.docs.items() if doc.kind == "rule"]
        return Values(frozenset(clingo.String(id) for id in (*ids, *ENGINE_DOCS)))

    def _declared_values(self, declared: Sequence[_Declared]) -> Values:
        """The values that declared terms have."""
        values_of = self._values([_ColumnQuery(d, (), d.parts) for d in declared])
        pairs = zip(declared, values_of, strict=True)
        return _all(_values_of(d.term, values) for d, values in pairs if values is not None)

    def _values(self, queries: Sequence[_ColumnQuery], more: Iterable[int] = ()) -> list[dict[str, Values] | None]:
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
        all_values: list[dict[str, Values] | None] = []
        for k, one in enumerate(queries):
            listed = {
                name: ANYTHING if term is None else _values_listed(values.get((k, n), []))
                for n, (name, term) in enumerate(one.open.items())
            }
            all_values.append(listed if there[k] == len(one.groups) and all(listed.values()) else None)
        return all_values

    # -- what follows --------------------------------------------------------------------------------------------------

    def _derive_facts(self, signature: Signature) -> dict[Signature, Values]:
        """The facts of a predicate and of those that it depends on, by the rules: the least fixpoint."""
        facts: dict[Signature, Values] = {}
        derived, left = [], [signature]
        while left:
            s = left.pop()
            if s not in facts and s not in self._known:
                stated = self._facts_stated(s)
                facts[s] = stated or Values()
                if stated is None:
                    derived += [(s, rule) for rule in self._rules_by_head[s]]
                    left += [a.signature for rule in self._rules_by_head[s] for a in rule.positive]
        before: dict[Signature, Values] = {}
        while before != facts:
            before = dict(facts)
            for s, rule in derived:
                facts[s] = facts[s].union(self._derive_by(rule, s, facts))
        return facts

    def _derive_by(self, rule: PlacedRule, signature: Signature, derived: Mapping[Signature, Values]) -> Values:
        """The facts of a predicate that a rule can derive."""
        known: dict[str, Values] = {}
        for atom in rule.positive:
            facts = derived[atom.signature] if atom.signature in derived else self._known[atom.signature]
            term = fun(atom.name, atom.args)
            if not facts.admits(term):
                return Values()
            for name, inner in facts.variables_of(term):
                known[name] = known.get(name, ANYTHING).intersection(inner)
        if not all(known.values()):
            return Values()
        heads = zip(rule.heads, rule.value.heads, strict=True)
        return _all(
            _term(fun(h.name, h.args), fun(v.name, v.args), rule, known) for h, v in heads if h.signature == signature
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
        values = self._values(queries, integers(term))
        return _all(v.get(_PLACE, ANYTHING) for v in values if v is not None)

    def declares(self, signature: Signature) -> bool:
        """Whether the vocabulary, or the static facts, list all facts of a predicate."""
        return signature in self._ruleset.static or any(_signature(d.term) == signature for d in self._fluents)


def columns(ruleset: Ruleset) -> AllColumns:
    """The possible values at each argument of all predicates: one object for each ruleset."""
    return ruleset.remember("columns", lambda: AllColumns(ruleset))


def _signature(term: Term) -> Signature:
    return label(term), len(arguments(term))


def _fits(term: Term, fact: clingo.Symbol) -> bool:
    return unify(_rename_apart(term), symbols.term_of(fact), {}) is not None


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
        values = Values(structures={_signature(term): parts})
        return values if values.depth <= _DEEPEST else ANYTHING
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
        groups = independent_groups(literals, _variables_in)
        unlimited = {x for x in literals if isinstance(x, Atom) and x.signature in _UNLIMITED}
        free = set[str]().union(*(used for used, terms in groups if unlimited & set(terms)))
        own = [t for used, terms in groups if not used & free for t in terms if t not in unlimited]
        self.groups = independent_groups([*own, *(t for t in more if not _variables_in(t) & free)], _variables_in)
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
        argument = resolve_to_depth(Var(name), binding)
        if argument != Var(name) and (not isinstance(argument, Var) or argument.name in declared.parts):
            more.append(Compare(_with_expressions(argument, declared.parts), "=", part))
    shown = {} if place is None else {_PLACE: _with_expressions(arguments(declared.term)[place], declared.parts)}
    return _ColumnQuery(declared, more, shown)


def _with_expressions(term: Term, parts: Mapping[str, Term]) -> Term:
    """A term of a declaration, with the expressions of its open arguments."""
    return algebra.substitute_term(term_of(term), parts)


def _rename_apart(term: Term) -> Term:
    """The term with fresh variables, one for each ``_``."""
    open_ = fill_blanks(term, map(str, count()))
    return rebuilt_term(open_, lambda part: Var(f"Asked__{part.name}") if isinstance(part, Var) else part)


def _declared_terms(rules: Iterable[PlacedRule], predicate: Signature, place: int) -> list[_Declared]:
    """The terms that rules declare as an argument of their heads, one for each element of a pool ``decision(R,vote;R,turn)``."""
    declarations = []
    for rule in rules:
        for head in rule.value.heads:
            if head.signature == predicate:
                term = head.args[place]
                for one in term.terms if isinstance(term, Pool) else (term,):
                    parts: dict[str, Term] = {}
                    declarations.append(_Declared(rule, _open_term(one, parts), parts))
    return declarations


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
