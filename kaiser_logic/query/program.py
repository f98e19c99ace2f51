"""Translates a query to rules. They are built from names, numbers and variables. No text of the user is inserted.

Each alternative becomes a rule. A formula inside a nested ``not (...)`` or inside braces becomes a predicate of its own, because
clingo has no aggregates within aggregates. Its arguments are the variables that it shares with its context, and its rule
repeats the literals that bind them.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import combinations, count, pairwise
from typing import Any, Final, TypeAlias

from ..errors import WrongUsage
from ..lang import terms as lang
from ..lang.algebra import TermMap, independent_groups, occurrences, rebuilt_literal, rebuilt_term
from ..lang.terms import ANY, COMPLEMENTS, FLIPPED, Fun, Op, Signature, Term, Var
from ..lang.unification import resolve
from .formula import (
    BraceAggregate,
    Compared,
    Disjunction,
    Expression,
    FactPattern,
    Formula,
    Part,
    Some,
    Together,
    Without,
    aggregates,
    direct,
    equations,
    is_anonymous,
    names,
    replace_variables,
)


def is_extreme(expression: Expression) -> bool:
    """Whether an expression is a maximum or a minimum."""
    return isinstance(expression, BraceAggregate) and expression.is_extreme


def against(
    left: BraceAggregate, sign: str, right: BraceAggregate, bound: frozenset[str], fresh: Iterator[str]
) -> tuple[Part, ...]:
    """Rewrites a comparison of two extremes so that neither has to be computed.

    ``max{X : a} < max{Y : b}`` says that for some Y of b no X of a is as large. Both sets may be empty: the
    maximum of an empty set is below everything and the minimum above everything, and neither needs a value.
    """
    own = {n: Var(next(fresh)) for n in sorted(names(right) - bound)}
    other = replace_variables(right, own)
    if sign == "=":
        return _order_of(left, "<=", other), _order_of(left, ">=", other)
    if sign == "!=":
        return (Without(Together((_order_of(left, "<=", other), _order_of(left, ">=", other)))),)
    return (_order_of(left, sign, other),)


def _order_of(left: BraceAggregate, sign: str, right: BraceAggregate) -> Part:
    """The formula that the left extreme is smaller, or larger, than the right one."""
    if sign in (">", ">="):
        return _order_of(right, FLIPPED[sign], left)
    one, other = left.terms[0], right.terms[0]
    if (left.function, right.function) == ("min", "max"):  # something here is smaller than something there
        return Some(Together((left.formula, right.formula, Compared(one, sign, other))))
    if (left.function, right.function) == ("max", "min"):  # nothing here is not smaller than something there
        return Without(Together((left.formula, right.formula, Compared(one, COMPLEMENTS[sign], other))))
    strict = sign == "<"
    # The largest: something there is above all that is here; or all that is here is not above all that is there.
    inner, outer = (left, right) if strict is (left.function == "max") else (right, left)
    order = COMPLEMENTS[sign] if strict else sign
    denied = Without(Together((inner.formula, Compared(one, order, other))))
    valued = Compared(outer.terms[0], "=", outer.terms[0])  # words cannot be calculated with
    return (Some if strict else Without)(Together((outer.formula, valued, denied)))


MOST: Final = 200
"""The largest number of alternatives of a query."""


@dataclass(frozen=True)
class Branch:
    """One alternative: literals that all hold.

    Attributes:
        parts: The literals.
        binder: For each variable that is bound here, the fact or equation that binds it. The order is such that each needs
            only earlier variables.
        outer: The variables that are bound around it.
        opened: The variables in whose place a term stands: ``A`` in ``legal(R,A), A = buy(X,_)``.
    """

    parts: tuple[Part, ...]
    binder: Mapping[str, Part]
    outer: frozenset[str]
    opened: Mapping[str, Term] = field(default_factory=dict)

    @property
    def bound(self) -> frozenset[str]:
        """All variables that have a value."""
        return self.outer.union(self.binder)

    @property
    def values(self) -> dict[str, Term]:
        """Each variable that gets a value here, with the term that has it."""
        return {**{name: Var(name) for name in self.binder}, **self.opened}

    @property
    def components(self) -> list[Branch]:
        """The alternative in parts that share no variable: each can be answered by itself."""
        branches = []
        for used, parts in independent_groups(self.parts, lambda part: names(part).intersection(self.binder)):
            own = {name: part for name, part in self.binder.items() if name in used}
            opened = {name: term for name, term in self.opened.items() if names(term) & used}
            branches.append(Branch(tuple(parts), own, self.outer, opened))
        return branches


def branches(formula: Formula, outer: frozenset[str] = frozenset()) -> list[Branch]:
    """The alternatives of a formula, and the variables that each of them binds.

    ``a(X), (b(X) ; c)`` is ``a(X), b(X)`` or ``a(X), c``: each alternative is a query of its own. In an alternative the
    positive facts bind variables, and so do equations with bound terms. Any other variable inside of ``not (...)`` or of
    braces is local there.

    >>> a, b, c = (FactPattern(lang.Atom(name, (Var("X"),))) for name in "abc")
    >>> [[p.atom.name for p in branch.parts] for branch in branches(Together((a, Disjunction((b, c)))))]
    [['a', 'b'], ['a', 'c']]

    Args:
        formula: The formula.
        outer: The variables that have a value already.

    Raises:
        WrongUsage: There are too many alternatives, or one compares a variable that nothing binds.
    """
    return [branch_of(parts, outer) for parts in alternatives_of(formula)]


def alternatives_of(formula: Formula) -> list[tuple[Part, ...]]:
    """The formula with ``;`` outermost, outside of ``not`` and braces."""
    match formula:
        case Together(parts):
            alternatives: list[tuple[Part, ...]] = [()]
            for part in parts:
                more = alternatives_of(part)
                if len(alternatives) * len(more) > MOST:
                    raise WrongUsage(f"the query has more than {MOST} alternatives when ';' is multiplied out")
                alternatives = [one + other for one in alternatives for other in more]
            return alternatives
        case Disjunction(parts):
            return [one for part in parts for one in alternatives_of(part)]
        case _:
            return [(formula,)]


def branch_of(parts: tuple[Part, ...], outer: frozenset[str] = frozenset()) -> Branch:
    """The literals, with those that bind their variables. Equations with terms or extremes that bind are split."""
    new: tuple[Part, ...] | None = parts
    opened: dict[str, Term] = {}
    while new is not None:
        parts = tuple(_simple(new, outer))
        binder = find_binders(parts, outer)
        new = _taken_apart(parts, binder, outer, opened)
    _look_over(parts, outer.union(binder))
    return Branch(parts, binder, outer, opened)


def find_binders(parts: tuple[Part, ...], outer: frozenset[str] = frozenset()) -> dict[str, Part]:
    """The literals that bind variables: facts, and equations with bound terms."""
    binders: dict[str, Part] = {}
    for part in parts:
        if isinstance(part, FactPattern):
            for name in sorted(names(part) - outer):
                binders.setdefault(name, part)
    direct_names = all_of(map(direct, parts))
    while True:
        new: dict[str, Part] = {}
        known = outer.union(binders)
        for part, name, other in ((p, *e) for p in parts for e in equations(p)):
            if name in known and isinstance(other, Fun):
                new |= dict.fromkeys(sorted(names(other) - known), part)
            elif name not in known and not is_extreme(other):
                inside = all_of(map(names, aggregates(other)))
                if direct(other) | inside & direct_names <= known and not is_anonymous(other):
                    new[name] = part
        if not new.keys() - binders.keys():
            return binders
        binders |= {n: p for n, p in new.items() if n not in binders}


def list_binders(wanted: Iterable[str], binder: Mapping[str, Part]) -> list[Part]:
    """The facts and equations that bind these variables, directly or through other variables."""
    binders: dict[Part, None] = {}
    pending, seen = list(wanted), set(wanted)
    while pending:
        part = binder[pending.pop()]
        if part not in binders:
            binders[part] = None
            if not isinstance(part, FactPattern):
                new = names(part) & binder.keys() - seen
                seen |= new
                pending += sorted(new)
    return list(binders)


def all_of(groups: Iterable[set[str]]) -> set[str]:
    """The union of some sets of names."""
    return set[str]().union(*groups)


# -- what is taken apart -------------------------------------------------------------------------------------------------


def _simple(parts: tuple[Part, ...], outer: frozenset[str]) -> Iterator[Part]:
    """Comparisons with at most one aggregate, which is on the left; other aggregates are replaced by names.

    Maxima and minima stay where they are compared, even two of them, because those of an empty set have no value.
    """
    fresh = fresh_names(parts, outer)
    for part in parts:
        if not isinstance(part, Compared) or not aggregates(part):
            yield part
            continue
        left, sign, right = part.left, part.sign, part.right
        if is_extreme(left) and is_extreme(right):
            yield part
            continue
        if is_extreme(right) or (not isinstance(left, BraceAggregate) and isinstance(right, BraceAggregate)):
            left, sign, right = right, FLIPPED[sign], left
        if not isinstance(left, BraceAggregate):
            left = yield from _name_aggregates(left, fresh)
        right = yield from _name_aggregates(right, fresh)
        yield Compared(left, sign, right)


def _name_aggregates(expression: Expression, fresh: Iterator[str]) -> Generator[Part, None, Expression]:
    """The expression with names in place of aggregates, after the equations for these names."""
    if isinstance(expression, BraceAggregate):
        name = Var(next(fresh))
        yield Compared(expression, "=", name)
        return name
    if isinstance(expression, Op):
        left: Any = yield from _name_aggregates(expression.left, fresh)
        right: Any = yield from _name_aggregates(expression.right, fresh)
        return Op(expression.sign, left, right)
    return expression


def _taken_apart(
    parts: tuple[Part, ...], binder: Mapping[str, Part], outer: frozenset[str], opened: dict[str, Term]
) -> tuple[Part, ...] | None:
    """The literals with one of them split; None if none needs to be split.

    ``A = buy(X,_)`` replaces ``A`` by the term, in ``opened``, too. ``N = max{M : p(M)}`` becomes ``p(L), N = L`` and "there
    is no larger one".
    """
    direct_names = all_of(map(direct, parts))
    for k, part in enumerate(parts):
        rest, bound = parts[:k] + parts[k + 1 :], outer.union(binder)
        match part:
            case Compared(BraceAggregate() as one, sign, BraceAggregate() as two) if (
                names(part) & direct_names <= bound
            ):
                return (*rest, *against(one, sign, two, bound, fresh_names(parts, bound)))
        for name, other in equations(part):
            if isinstance(other, Fun) and _opens(name, other, binder, rest):
                pattern = fill_blanks(other, fresh_names(parts, bound))
                opened |= {n: resolve(term, {name: pattern}) for n, term in opened.items()} | {name: pattern}
                return tuple(replace_variables(p, {name: pattern}) for p in rest)
            if not isinstance(other, BraceAggregate) or not is_extreme(other) or name in bound:
                continue
            if names(other) & direct_names - {name} <= bound:
                return (*rest, *_extreme(name, other, bound, fresh_names(parts, bound)))
    return None


def _opens(name: str, term: Fun, binder: Mapping[str, Part], rest: tuple[Part, ...]) -> bool:
    """Whether an equation describes the term that a fact binds: ``legal(R,A), A = buy(X,_)``."""
    if name in names(term) or not isinstance(binder.get(name), FactPattern):
        return False
    known = all_of(names(p) for p in rest if isinstance(p, FactPattern))
    return is_anonymous(term) or not names(term) <= known


def fresh_names(parts: tuple[Part, ...], bound: frozenset[str] = frozenset()) -> Iterator[str]:
    """Fresh names, which no user can write."""
    used = all_of(map(names, parts)) | bound
    return (name for name in (f"_V{k}" for k in count()) if name not in used)


def fill_blanks(pattern: Term, fresh: Iterator[str]) -> Term:
    """The pattern with a fresh variable for each ``_``."""
    return rebuilt_term(pattern, lambda part: Var(next(fresh)) if part == ANY else part)


def _extreme(name: str, aggregate: BraceAggregate, bound: frozenset[str], fresh: Iterator[str]) -> Iterator[Part]:
    """``name`` is the maximum or minimum of an aggregate."""
    term, own = aggregate.terms[0], names(aggregate) - bound
    binding = {v: Var(next(fresh)) for v in sorted(own)}
    value = Var(name)
    beyond = Compared(term, ">" if aggregate.function == "max" else "<", value)
    yield from multiplied_once(replace_variables(aggregate.formula, binding))
    yield Compared(value, "=", replace_variables(term, binding))
    yield Without(Together((aggregate.formula, beyond)))


def multiplied_once(formula: Formula) -> tuple[Part, ...]:
    """The literals of a formula with one alternative."""
    alternatives = alternatives_of(formula)
    if len(alternatives) > 1:
        raise WrongUsage("a variable cannot be the largest or smallest of several alternatives: compare it instead")
    return alternatives[0]


# -- what has no meaning --------------------------------------------------------------------------------------------------


def _look_over(parts: tuple[Part, ...], bound: frozenset[str]) -> None:
    """Refuses comparisons of terms that have no value.

    Raises:
        WrongUsage: There is one.
    """
    for part in parts:
        if isinstance(part, (Without, Some)):
            branches(part.formula, bound)
        if not isinstance(part, Compared):
            continue
        loose = sorted(direct(part) - bound)
        if loose:
            raise WrongUsage(f"nothing in the query says what {loose[0].lstrip('_')} is")
        matched = any(isinstance(other, Fun) for _, other in equations(part))
        if (is_anonymous(part.left) or is_anonymous(part.right)) and not matched:
            raise WrongUsage("_ cannot be compared or calculated with: write a variable that a fact binds")
        for aggregate in aggregates(part):
            for branch in branches(aggregate.formula, bound):
                for term in aggregate.terms:
                    free = sorted(direct(term) - branch.bound)
                    where = f"{aggregate.function}{{...}}"
                    if free:
                        raise WrongUsage(f"nothing in {where} says what {free[0]} is")
                    if aggregates(term) or is_anonymous(term):
                        raise WrongUsage(f"before the ':' of {where} stand variables, numbers and terms")


_TOGETHER: Final = 3
"""So many parts of an alternative that share no variable are in one rule."""
JOINED: Final = 3
"""So many variables of an alternative are joined in one rule, if their literals can be divided."""
_Literals: TypeAlias = tuple[lang.Literal, ...]


def order_alike(branch: Branch) -> Branch:
    """The alternative with ``X < Y, Y < Z`` in place of ``X != Y, X != Z, Y != Z`` if the rest says the same of all three.

    It holds for the same positions, as different values can be put in order. Fewer values of the variables fit, but the first
    of all that fit are among them.
    """
    unequal: dict[frozenset[str], Part] = {}
    for part in branch.parts:
        match part:
            case Compared(Var(one), "!=", Var(other)) if {one, other} <= branch.binder.keys():
                unequal[frozenset((one, other))] = part
    rest = [part for part in branch.parts if part not in unequal.values()]
    alike: dict[frozenset[Part], list[str]] = {}
    for name in [name for name in branch.binder if any(name in pair for pair in unequal)]:
        said = frozenset(replace_variables(p, {name: Var("*")}) for p in rest if name in names(p))
        alike.setdefault(said, []).append(name)
    ordered: list[Part] = []
    for group in alike.values():
        inner = {frozenset(pair) for pair in combinations(group, 2)}
        beside = [{*pair} - {name} for name in group for pair in unequal if name in pair and pair not in inner]
        if len(group) > 1 and inner <= unequal.keys() and not beside:
            ordered += [Compared(Var(one), "<", Var(other)) for one, other in pairwise(group)]
            unequal = {pair: part for pair, part in unequal.items() if pair not in inner}
    return Branch((*rest, *unequal.values(), *ordered), branch.binder, branch.outer, branch.opened)


class QueryProgram:
    """The rules of a query.

    Attributes:
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
        self._alternatives = tuple(alternatives)

    def rules(self, head: lang.Atom) -> list[lang.Rule]:
        """The rules that derive ``head`` if the query holds.

        Of many parts that share no variable each gets a rule of its own: their instances would be multiplied in one rule. So
        would those of many variables, of which each is joined to few others.
        """
        rules_of_head, part_rules = list[lang.Rule](), list[lang.Rule]()
        for branch in self._alternatives:
            parts = branch.components
            if head.args:
                rules_of_head.append(lang.Rule(head, self._body(branch)))
                continue
            if any(len(part.binder) > JOINED for part in parts):
                parts = [self.divide(order_alike(part), part_rules) for part in parts]
                binder = {name: one for part in parts for name, one in part.binder.items()}
                branch = Branch(tuple(one for part in parts for one in part.parts), binder, branch.outer)
            if len(parts) <= _TOGETHER:
                rules_of_head.append(lang.Rule(head, self._body(branch)))
                continue
            heads = [lang.Atom(f"{self._prefix}__apart{len(part_rules) + k}", ()) for k in range(len(parts))]
            part_rules += [lang.Rule(one, self._body(part)) for one, part in zip(heads, parts, strict=True)]
            rules_of_head.append(lang.Rule(head, tuple(heads)))
        return [*self.parts, *part_rules, *rules_of_head]

    def divide(self, branch: Branch, rules: list[lang.Rule]) -> Branch:
        """The alternative with at most `JOINED` variables if possible: atoms stand for the literals of the others.

        ``a(X), b(Y), X < Y, ...`` becomes ``joined(Y), b(Y), ...`` with the rule ``joined(Y) :- b(Y), a(X), X < Y``, which is
        added to ``rules``.
        """
        parts, binder = list(branch.parts), dict(branch.binder)
        while len(binder) > JOINED:
            choices = []
            for name in sorted(binder):
                own = [part for part in parts if name in names(part)]
                others = sorted(all_of(map(names, own)) & binder.keys() - {name})
                body = list(dict.fromkeys([*list_binders(others, binder), *own]))
                choices.append((len(all_of(map(names, body)) & binder.keys()), name, own, others, body))
            width, name, own, others, body = min(choices, key=lambda one: one[:2])
            if width > JOINED:
                break
            atom = lang.Atom(f"{self._prefix}__joined{len(rules)}", tuple(map(Var, others)))
            rules.append(lang.Rule(atom, self._body(Branch(tuple(body), binder, branch.outer))))
            parts = [FactPattern(atom), *(part for part in parts if part not in own)]
            binder = {n: FactPattern(atom) if n in others else p for n, p in binder.items() if n != name}
        return Branch(tuple(parts), binder, branch.outer)

    def _body(self, branch: Branch) -> _Literals:
        return tuple(x for part in branch.parts for x in self._outermost(part, branch.bound, branch.binder))

    def _atom(self, atom: lang.Atom, sign: int = 0) -> lang.Atom:
        return lang.Atom(self._called.get(atom.signature, atom.name), atom.args, sign)

    # -- a literal of a body, where aggregates may stand ---------------------------------------------------------------

    def _outermost(self, part: Part, bound: frozenset[str], context: Mapping[str, Part]) -> _Literals:
        match part:
            case FactPattern(atom):
                return (self._atom(atom),)
            case Without(FactPattern(atom)) if not _repeats_variable(atom, bound):
                return (rebuilt_literal(self._atom(atom, 1), _anything(bound)),)
            case Without(formula) | Some(formula):
                elements = self._elements((), formula, bound, context)
                op = "=" if isinstance(part, Without) else ">"
                return (lang.Aggregate("#count", elements, ((op, lang.ZERO),)),)
            case Compared(BraceAggregate(function, (term, *_), formula), sign, right) if function in (
                "min",
                "max",
            ):
                return self._extreme(function, term, formula, sign, right, bound, context)
            case Compared(BraceAggregate(function, terms, formula), sign, right):
                every = function == "sum" and len(terms) == 1
                elements = self._elements(terms, formula, bound, context, every)
                return (lang.Aggregate(f"#{function}", elements, ((sign, _term(right)),)),)
            case Compared(left, sign, right):
                return (lang.Compare(_term(left), sign, _term(right)),)
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
        elements = []
        alternatives = branches(formula, bound)
        for branch in alternatives:
            inner = ChainMap(dict(branch.binder), dict(context))
            own = sorted(branch.binder) if every else []
            key = [lang.Text(" ".join(own))] if every and len(alternatives) > 1 else []
            head = *(map(_term, terms) if terms else [lang.Int(1)]), *key, *map(lang.Var, own)
            condition = (x for part in branch.parts for x in self._inner(part, branch.bound, inner))
            elements.append(lang.Element(head, tuple(condition)))
        return tuple(elements)

    def _inner(self, part: Part, bound: frozenset[str], context: Mapping[str, Part]) -> _Literals:
        """The literals for a part within an aggregate; if they need an aggregate, an atom of a new predicate."""
        simple = isinstance(part, (FactPattern, Compared)) and not aggregates(part)
        if isinstance(part, Without) and isinstance(part.formula, FactPattern):
            simple = not _repeats_variable(part.formula.atom, bound)
        return self._outermost(part, bound, context) if simple else self._separate(part, bound, context)

    def _separate(self, part: Part, bound: frozenset[str], context: Mapping[str, Part]) -> _Literals:
        """An atom of a new predicate for a part, whose rule is added to `parts`."""
        shared = sorted(names(part) & bound)
        binding = [self._outermost(p, bound, context) for p in list_binders(shared, context)]
        needed = tuple(x for literals in binding for x in literals)
        key = (part, tuple(shared), needed)
        first = key not in self._names
        name = self._names.setdefault(key, f"{self._prefix}__{len(self._names)}")
        atom = lang.Atom(name, tuple(map(lang.Var, shared)))
        if first:
            body = dict.fromkeys((*needed, *self._outermost(part, bound, context)))
            self.parts[lang.Rule(atom, tuple(body))] = None
        return (atom,)


# -- terms ---------------------------------------------------------------------------------------------------------------


def _term(expression: Expression) -> lang.Term:
    """An expression that is a term of a rule."""
    if isinstance(expression, BraceAggregate):
        raise TypeError(f"no plain expression: {expression!r}")
    return expression


def _anything(bound: frozenset[str]) -> TermMap:
    """Replaces the unbound variables of a negated atom by ``_``."""
    return lambda term: lang.ANY if isinstance(term, lang.Var) and term.name not in bound else term


def _repeats_variable(atom: lang.Atom, bound: frozenset[str]) -> bool:
    """Whether an unbound variable occurs twice in an atom, so that it is not just ``_``."""
    variables_met = occurrences(atom)
    return any(variables_met.count(name) > 1 for name in set(variables_met) - bound)
