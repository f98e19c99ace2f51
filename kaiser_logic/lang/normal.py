"""The normal form of rules, which every consumer takes. `normal` refuses rules without a normal form.

In normal form

* a rule has one atom as its head, or none,
* terms are *simple*: variables, numbers, names, texts, and functions of simple terms,
* a literal is an atom of simple terms with up to two ``not``; an operation ``X = L op R``; a range ``X = L..R``; another
  comparison of two simple terms, without ``not``; or an aggregate with one guard, without ``not``, whose elements have
  conditions of the same kind,
* there are no pools, no chains of comparisons, no conditional literals, no ``#true``, and
* ``_`` occurs under ``not`` only, where it means that there is no such value at all.

>>> from .printer import show
>>> from .reader import read_rule
>>> for rule in normal(read_rule("p(N+1,1..K) :- q((a;b),N,_), not r(_,N), 0 < K < N, s(X) : t(X).")):
...     print(show(rule))
p(V2,V3) :- q(a,N,V1); not r(_,N); 0 < K; K < N; 0 = #count { 1: t(X), not s(X) }; V2 = (N+1); V3 = (1..K).
p(V2,V3) :- q(b,N,V1); not r(_,N); 0 < K; K < N; 0 = #count { 1: t(X), not s(X) }; V2 = (N+1); V3 = (1..K).

The translation is correct if no predicate depends on itself through an aggregate or a conditional literal; the contract of
rulebooks forbids such loops. An operation on a constant has no value, except that clingo evaluates ``-a`` for a constant
``a``: ``X = -Y`` stays as it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import islice, product
from typing import Final, TypeAlias

from .algebra import Fresh, is_simple, variables, variables_outside
from .terms import (
    ABSOLUTE,
    ANY,
    COMPLEMENTS,
    NEGATIVE,
    ZERO,
    Aggregate,
    Atom,
    Chain,
    Choice,
    Compare,
    Conditional,
    Either,
    Element,
    Fun,
    Int,
    Literal,
    Op,
    Pool,
    Range,
    Refused,
    Rule,
    Term,
    Truth,
    Var,
)

_MOST: Final = 5_000
"""The largest number of alternatives of a rule."""
_Choices: TypeAlias = list[list[Literal]]
"""A disjunction of conjunctions of literals."""


def normal(rule: Rule) -> list[Rule]:
    """The rules in normal form that together are equivalent to a rule; none if it never fires.

    Raises:
        Refused: The rule has no normal form.
    """
    return list(_Normal(rule).rules())


class _Scope:
    """The operations and ranges that have been taken out of a conjunction.

    Attributes:
        more: The literals ``X = L op R`` and ``X = L..R`` to add to the conjunction.
        known: The variable for each operation.
    """

    def __init__(self) -> None:
        self.more: list[Literal] = []
        self.known: dict[Op, Var] = {}


class _Normal:
    """Normalises one rule."""

    def __init__(self, rule: Rule) -> None:
        self.rule = rule
        self.fresh = Fresh(rule)

    @cached_property
    def outside(self) -> tuple[str, ...]:
        """The global variables of the rule."""
        return variables_outside(self.rule)

    def refusal_of(self, what: str, instead: str) -> Refused:
        return Refused(self.rule.place, what, instead)

    def rules(self) -> Iterator[Rule]:
        rule = self.rule
        if isinstance(rule.head, Choice):
            raise self.refusal_of("a choice in a head", "write rules that derive what follows")
        heads: list[Atom | None] = [head for atom in rule.heads for head in _unpooled_atom(atom)]
        for body in self.limit_choices([_alternatives_of(literal) for literal in rule.body]):
            for head in heads or [None]:
                self.fresh = Fresh(rule)
                scope = _Scope()
                choices = self.conjunction(body, scope)
                atom = None if head is None else self.head(head, scope)
                for choice in choices:
                    yield Rule(atom, (*choice, *scope.more), rule.place, rule.id)

    def limit_choices(self, choices: Sequence[_Choices]) -> _Choices:
        """The alternatives of a conjunction, given those of each literal; refuses a rule that has too many."""
        alternatives = list(islice(product(*choices), _MOST + 1))
        if len(alternatives) > _MOST:
            raise self.refusal_of("a rule with too many alternatives", "define a predicate for each pool")
        return [[literal for part in parts for literal in part] for parts in alternatives]

    def head(self, head: Atom, scope: _Scope) -> Atom:
        if has_any(head.args):
            raise self.refusal_of("'_' in a head", "name a variable that the body binds")
        return Atom(head.name, self.terms(head.args, scope))

    # -- literals ------------------------------------------------------------------------------------------------

    def conjunction(self, literals: Iterable[Literal], scope: _Scope) -> _Choices:
        """The alternatives of a conjunction without pools; its operations and ranges go to the scope."""
        return self.limit_choices([self.literal(literal, scope) for literal in literals])

    def literal(self, literal: Literal, scope: _Scope) -> _Choices:
        match literal:
            case Atom(name, args, sign):
                return [[Atom(name, self.terms(args, scope, bool(sign)), sign)]]
            case Compare():
                return [[self.compare(literal, scope)]]
            case Chain():
                return self.chain(literal, scope)
            case Truth(holds):
                return [[]] if holds else []
            case Aggregate():
                return self.aggregate(literal, scope)
            case Conditional():
                return [self.conditional(literal)]
            case Either():
                raise AssertionError("pools are gone")

    def compare(self, literal: Compare, scope: _Scope) -> Compare:
        left, op, right, sign = literal.left, literal.op, literal.right, literal.sign
        if op == "=" and not sign:
            if type(right) is Var and type(left) in (Op, Range):
                left, right = right, left
            if type(left) is Var and left != ANY and type(right) in (Op, Range):
                return Compare(left, "=", self.parts(right, scope))
        op = COMPLEMENTS[op] if sign % 2 else op
        return Compare(self.term(left, scope), op, self.term(right, scope))

    def chain(self, literal: Chain, scope: _Scope) -> _Choices:
        """Splits a chain. A term between two comparisons has the same value in both."""
        terms = [literal.left, *(term for _, term in literal.links)]
        signs = [op for op, _ in literal.links]
        last = len(terms) - 1
        if literal.sign % 2:  # one of its comparisons does not hold; only the terms of that one must be defined
            terms = [self.without_ranges(term, scope) for term in terms]
            return [
                [self.compare(Compare(left, op, right, 1), own), *own.more]
                for left, right, op in zip(terms, terms[1:], signs, strict=False)
                for own in [_Scope()]
            ]
        terms = [self.term(term, scope) if literal.sign or 0 < k < last else term for k, term in enumerate(terms)]
        links = zip(terms, terms[1:], signs, strict=False)
        return [[self.compare(Compare(left, op, right), scope) for left, right, op in links]]

    def aggregate(self, literal: Aggregate, scope: _Scope) -> _Choices:
        guards = [(op, self.term(term, scope)) for op, term in literal.guards]
        elements = tuple(self.elements(literal.elements))
        if literal.sign % 2:
            return [[Aggregate(literal.function, elements, ((COMPLEMENTS[op], t),))] for op, t in guards]
        return [[Aggregate(literal.function, elements, (guard,)) for guard in guards]]

    def elements(self, elements: Iterable[Element]) -> Iterator[Element]:
        for element in elements:
            for condition in self.limit_choices([_alternatives_of(literal) for literal in element.condition]):
                for terms in product(*map(alternatives, element.terms)):
                    scope = _Scope()
                    choices = self.conjunction(condition, scope)
                    own = self.terms(terms, scope)
                    for choice in choices:
                        yield Element(own, (*choice, *scope.more))

    def conditional(self, literal: Conditional) -> list[Literal]:
        """Translates ``L : C`` into ``0 = #count { 1 : C, not L }``: no instance of the condition violates the literal.

        If the literal has local variables, a pool or an operation, it may have several instances or none. Then it becomes
        ``N = #count { X : C }, N = #count { X : C, L }`` with the variables X of the condition.
        """
        inner, condition = literal.literal, literal.condition
        own = set(variables(inner)).difference(variables(condition), self.outside)
        if own or _is_calculated(inner) or len(_alternatives_of(inner)) > 1:
            terms: tuple[Term, ...] = tuple(map(Var, variables(condition))) or (Int(1),)
            number = self.fresh.take()
            groups = (Element(terms, condition),), (Element(terms, (*condition, inner)),)
            return [Aggregate("#count", tuple(self.elements(elements)), (("=", number),)) for elements in groups]
        element = Element((Int(1),), (*condition, opposite(inner)))
        return [Aggregate("#count", tuple(self.elements([element])), (("=", Int(0)),))]

    # -- terms ---------------------------------------------------------------------------------------------------

    def terms(self, terms: Iterable[Term], scope: _Scope, denied: bool = False) -> tuple[Term, ...]:
        return tuple([self.term(term, scope, denied) for term in terms])

    def term(self, term: Term, scope: _Scope, denied: bool = False) -> Term:
        """The simple term for a term; its operations go to the scope. Under ``not`` (``denied``) a ``_`` stays."""
        if isinstance(term, Fun):
            return Fun(term.name, self.terms(term.args, scope, denied))
        if isinstance(term, (Op, Range)):
            return self.variable_for(term, scope)
        if not denied and term == ANY:
            return self.fresh.take()
        return term

    def variable_for(self, term: Op | Range, scope: _Scope) -> Var:
        """The variable for an operation or a range; the same operation has the same variable."""
        inner = self.parts(term, scope)
        variable = scope.known.get(inner) if isinstance(inner, Op) else None
        if variable is None:
            variable = self.fresh.take()
            scope.more.append(Compare(variable, "=", inner))
            if isinstance(inner, Op):
                scope.known[inner] = variable
        return variable

    def without_ranges(self, term: Term, scope: _Scope) -> Term:
        """The term with a variable for each range in it."""
        match term:
            case Fun(name, args):
                return Fun(name, tuple(self.without_ranges(arg, scope) for arg in args))
            case Op(sign, left, right):
                return Op(sign, self.without_ranges(left, scope), self.without_ranges(right, scope))
            case Range():
                return self.variable_for(term, scope)
            case _:
                return term

    def parts(self, term: Term, scope: _Scope) -> Op | Range:
        """The operation or range with simple terms as its parts."""
        if isinstance(term, Op):
            if term.sign in ("/", "\\") and _value(term.right) == 0:
                raise self.refusal_of("a division by 0, which has no value", "leave the rule out")
            return Op(term.sign, self.number(term.left, scope), self.number(term.right, scope))
        assert isinstance(term, Range)
        return Range(self.number(term.low, scope), self.number(term.high, scope))

    def number(self, term: Term, scope: _Scope) -> Term:
        """The simple term for a term that must be a number. Only then ``-X`` is ``0-X``, as clingo has ``-a`` for constants."""
        if isinstance(term, Op) and term.sign == NEGATIVE:
            term = Op("-", ZERO, term.right)
        return self.term(term, scope)


def has_any(terms: Iterable[Term]) -> bool:
    """Whether terms have the anonymous variable."""
    for term in terms:
        match term:
            case Fun(_, inner) | Pool(inner):
                if has_any(inner):
                    return True
            case Op(_, left, right) | Range(left, right):
                if has_any((left, right)):
                    return True
            case _:
                if term == ANY:
                    return True
    return False


def _value(term: Term) -> int | None:
    """The value of a term of numbers, ``+``, ``-``, ``*`` and absolute values; None for any other term."""
    match term:
        case Int(value):
            return value
        case Op(sign, left, right):
            one, other = _value(left), _value(right)
            if one is None or other is None:
                return None
            results = {
                "+": one + other,
                "-": one - other,
                "*": one * other,
                NEGATIVE: -other,
                ABSOLUTE: abs(other),
            }
            return results.get(sign)
        case _:
            return None


def _is_calculated(literal: Literal) -> bool:
    """Whether an atom or a comparison has an operation, a range or a pool."""
    match literal:
        case Atom(_, args):
            return not all(map(is_simple, args))
        case Compare(left, _, right):
            return not (is_simple(left) and is_simple(right))
        case Chain(left, links):
            return not all(map(is_simple, (left, *(term for _, term in links))))
        case _:
            return False


def opposite(literal: Literal) -> Literal:
    """The negation of a literal that is neither a pool nor conditional."""
    match literal:
        case Atom(name, args, sign):
            return Atom(name, args, 0 if sign % 2 else 1)
        case Compare(left, op, right, sign):
            return Compare(left, op, right, 1 - sign % 2)
        case Chain(left, links, sign):
            return Chain(left, links, 1 - sign % 2)
        case Truth(holds):
            return Truth(not holds)
        case Aggregate(function, elements, guards, sign):
            return Aggregate(function, elements, guards, 1 - sign % 2)
        case _:
            raise AssertionError(f"no literal that is negated: {literal}")


# -- pools -----------------------------------------------------------------------------------------------------------


def split_pools(rule: Rule) -> list[Rule]:
    """The rules without pools that together are equivalent to a rule; the literal of a conditional literal keeps its pools.

    >>> from .printer import show
    >>> from .reader import read_rule
    >>> for one in split_pools(read_rule("a(1;2) :- b((c;d)), N = #sum { V: p((1;2),V) }, q(1;2): r.")):
    ...     print(show(one))
    a(1) :- b(c); N = #sum { V: p(1,V); V: p(2,V) }; q(1;2): r.
    a(2) :- b(c); N = #sum { V: p(1,V); V: p(2,V) }; q(1;2): r.
    a(1) :- b(d); N = #sum { V: p(1,V); V: p(2,V) }; q(1;2): r.
    a(2) :- b(d); N = #sum { V: p(1,V); V: p(2,V) }; q(1;2): r.

    Raises:
        Refused: The rule has too many alternatives.
    """
    limited = _Normal(rule).limit_choices
    if isinstance(rule.head, Choice):
        raise AssertionError("only encodings have choices")
    heads: list[Atom | None] = [head for atom in rule.heads for head in _unpooled_atom(atom)]
    return [
        Rule(head, tuple([_unpooled_inside(literal) for literal in body]), rule.place, rule.id)
        for body in limited([_alternatives_of(literal) for literal in rule.body])
        for head in heads or [None]
    ]


def _unpooled_inside(literal: Literal) -> Literal:
    """An aggregate without pools in its elements; any other literal unchanged."""
    if not isinstance(literal, Aggregate):
        return literal
    elements = [
        Element(terms, tuple([one for part in condition for one in part]))
        for element in literal.elements
        for terms in product(*map(alternatives, element.terms))
        for condition in product(*map(_alternatives_of, element.condition))
    ]
    return Aggregate(literal.function, tuple(elements), literal.guards, literal.sign)


def alternatives_of(literal: Literal) -> list[Literal]:
    """The alternatives of a literal that is not conditional, without pools; the literal holds if one of them does."""
    return [one for (one,) in _alternatives_of(literal)]


def _alternatives_of(literal: Literal) -> _Choices:
    """The alternatives of a literal of a body. The pools in elements of aggregates stay; those of a condition are conjunctive."""
    match literal:
        case Atom():
            return [[atom] for atom in _unpooled_atom(literal)]
        case Either(among, sign):
            return [[atom] for one in among for atom in _unpooled_atom(Atom(one.name, one.args, sign))]
        case Compare(left, op, right, sign):
            sides = product(alternatives(left), alternatives(right))
            return [[Compare(one, op, other, sign)] for one, other in sides]
        case Chain(left, links, sign):
            signs = [op for op, _ in links]
            chains = product(alternatives(left), *(alternatives(term) for _, term in links))
            return [[Chain(first, tuple(zip(signs, rest, strict=True)), sign)] for first, *rest in chains]
        case Aggregate(function, elements, guards, sign):
            signs = [op for op, _ in guards]
            among_guards = product(*(alternatives(term) for _, term in guards))
            return [
                [Aggregate(function, elements, tuple(zip(signs, terms, strict=True)), sign)] for terms in among_guards
            ]
        case Conditional(inner, condition):
            # the pools of the literal itself stay: each instance of the condition may choose another alternative
            conditions = [
                tuple(literal for part in parts for literal in part)
                for parts in product(*map(_alternatives_of, condition))
            ]
            return [[Conditional(inner, each) for each in conditions]]
        case Truth():
            return [[literal]]


def _unpooled_atom(atom: Atom) -> list[Atom]:
    return [Atom(atom.name, args, atom.sign) for args in product(*map(alternatives, atom.args))]


def alternatives(term: Term) -> list[Term]:
    """The alternatives of a term, without pools.

    >>> from .printer import show_term
    >>> from .reader import read_term
    >>> [show_term(term) for term in alternatives(read_term("due((pass_on;refill(1;2)))"))]
    ['due(pass_on)', 'due(refill(1))', 'due(refill(2))']
    """
    match term:
        case Pool(terms):
            return [x for part in terms for x in alternatives(part)]
        case Fun(name, args):
            return [Fun(name, each) for each in product(*map(alternatives, args))]
        case Op(sign, left, right):
            return [Op(sign, *each) for each in product(alternatives(left), alternatives(right))]
        case Range(low, high):
            return [Range(*each) for each in product(alternatives(low), alternatives(high))]
        case _:
            return [term]
