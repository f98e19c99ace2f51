"""What is done with values: their variables, substitution, renaming apart, unification, one-way matching.

Whoever builds a rule around another one's terms takes `Fresh` variables, or renames the rule apart: nothing is captured.

>>> from .printer import show
>>> from .reader import read_rule, read_term
>>> rule = read_rule("p(X) :- q(X), N = #count { Y : r(X,Y) }, N > 1.")
>>> variables(rule), variables_outside(rule)
(('X', 'N', 'Y'), ('X', 'N'))
>>> show(substitute(rule, {"X": read_term("f(Y)")}))
'p(f(Y)) :- q(f(Y)); N = #count { Y1: r(f(Y),Y1) }; N > 1.'
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import count
from typing import Any, TypeAlias, TypeVar

from .terms import (
    ANY,
    Aggregate,
    Atom,
    Chain,
    Compare,
    Conditional,
    Either,
    Element,
    Fun,
    Literal,
    Op,
    Pool,
    Range,
    Rule,
    Term,
    Truth,
    Var,
)

Substitution: TypeAlias = Mapping[str, Term]
"""Terms in place of variables."""
L = TypeVar("L", bound=Literal)


# -- variables -------------------------------------------------------------------------------------------------------


def variables(*things: Any) -> tuple[str, ...]:
    """The variables of terms, literals, elements and rules, each once, by their first occurrence; not the anonymous one."""
    found: dict[str, None] = {}
    pending = list(reversed(things))
    while pending:
        thing = pending.pop()
        kind = type(thing)
        if kind is Var:
            if thing != ANY:
                found.setdefault(thing.name)
        elif kind is tuple:
            pending.extend(reversed(thing))
        else:
            pending.extend(reversed(_parts(thing)))
    return tuple(found)


def _parts(thing: Any) -> tuple[Any, ...]:
    """The terms and literals of which something is made."""
    match thing:
        case Fun(_, args) | Atom(_, args):
            return args
        case Op(_, left, right) | Range(left, right) | Compare(left, _, right):
            return (left, right)
        case Pool(parts) | Either(parts):
            return parts
        case Chain(left, links):
            return (left, *(term for _, term in links))
        case Aggregate(_, elements, guards):
            return (*(term for _, term in guards), *elements)
        case Element(terms, condition):
            return (*terms, *condition)
        case Conditional(literal, condition):
            return (*condition, literal)
        case Rule(head, body):
            return body if head is None else (head, *body)
        case _:
            return ()


def variables_outside(rule: Rule) -> tuple[str, ...]:
    """The variables of a rule that are its own: those that do not stand in elements and conditional literals only."""
    return variables(rule.head or (), *map(_outside, rule.body))


def _outside(literal: Literal) -> Any:
    """What of a literal is not within an element or a condition."""
    if isinstance(literal, Aggregate):
        return tuple(term for _, term in literal.guards)
    return () if isinstance(literal, Conditional) else literal


class Fresh:
    """Gives variables that do not occur in some things, nor twice."""

    def __init__(self, *things: Any) -> None:
        self._things = things
        self._taken: set[str] | None = None

    def take(self, like: str = "V") -> Var:
        """A new variable, called like another one."""
        if self._taken is None:
            self._taken = set(variables(*self._things))
        name = next(name for k in count(1) if (name := f"{like}{k}") not in self._taken)
        self._taken.add(name)
        return Var(name)


# -- substitution ----------------------------------------------------------------------------------------------------


def substitute_term(term: Term, binding: Substitution) -> Term:
    """A term with terms in place of variables, all at the same time."""
    match term:
        case Var(name):
            return binding.get(name, term)
        case Fun(name, args):
            return Fun(name, tuple([substitute_term(a, binding) for a in args]))
        case Op(sign, left, right):
            return Op(sign, substitute_term(left, binding), substitute_term(right, binding))
        case Range(low, high):
            return Range(substitute_term(low, binding), substitute_term(high, binding))
        case Pool(terms):
            return Pool(tuple([substitute_term(t, binding) for t in terms]))
        case _:
            return term


def substitute_literal(literal: L, binding: Substitution) -> L:
    """A literal with terms in place of all occurrences of variables, also of those that are an element's own."""

    def put(term: Term) -> Term:
        return substitute_term(term, binding)

    def pairs(guards: Iterable[tuple[str, Term]]) -> tuple[tuple[str, Term], ...]:
        return tuple((op, put(term)) for op, term in guards)

    found: Literal
    match literal:
        case Atom(name, args, sign):
            found = Atom(name, tuple(map(put, args)), sign)
        case Compare(left, op, right, sign):
            found = Compare(put(left), op, put(right), sign)
        case Chain(left, links, sign):
            found = Chain(put(left), pairs(links), sign)
        case Truth():
            found = literal
        case Either(atoms, sign):
            found = Either(tuple(substitute_literal(a, binding) for a in atoms), sign)
        case Aggregate(function, elements, guards, sign):
            inner = tuple(
                Element(tuple(map(put, e.terms)), tuple(substitute_literal(x, binding) for x in e.condition))
                for e in elements
            )
            found = Aggregate(function, inner, pairs(guards), sign)
        case Conditional(inner_literal, condition):
            inner_condition = tuple(substitute_literal(x, binding) for x in condition)
            found = Conditional(substitute_literal(inner_literal, binding), inner_condition)
    return found  # type: ignore[return-value] # of the same class


def _everywhere(rule: Rule, binding: Substitution) -> Rule:
    """A rule with terms in place of all occurrences of variables."""
    head = None if rule.head is None else substitute_literal(rule.head, binding)
    body = tuple(substitute_literal(x, binding) for x in rule.body)
    return Rule(head, body, rule.place, rule.id)


def substitute(rule: Rule, binding: Substitution) -> Rule:
    """A rule with terms in place of its own variables.

    A variable of an element or a condition alone is another one: it stays, and gets a new name where the terms have it.
    """
    outside = set(variables_outside(rule))
    inside = [name for name in variables(rule) if name not in outside]
    used = {name: term for name, term in binding.items() if name in outside}
    new = set(variables(*used.values()))
    clashes = [name for name in inside if name in new]
    fresh = Fresh(rule, *used.values())
    return _everywhere(rule, {**{name: fresh.take(name) for name in clashes}, **used})


def rename_apart(rule: Rule, *others: Any) -> Rule:
    """A rule that has no variable in common with some other things.

    >>> from .printer import show
    >>> from .reader import read_rule
    >>> show(rename_apart(read_rule("p(X,X1) :- q(X,X1,Y)."), Var("X"), Var("Z")))
    'p(X2,X1) :- q(X2,X1,Y).'
    """
    taken = set(variables(*others))
    fresh = Fresh(rule, *others)
    return _everywhere(rule, {name: fresh.take(name) for name in variables(rule) if name in taken})


def rename_predicates(rule: Rule, names: Mapping[tuple[str, int], str]) -> Rule:
    """A rule whose predicates have other names."""

    def named(literal: L) -> L:
        found: Literal = literal
        match literal:
            case Atom(name, args, sign):
                found = Atom(names.get((name, len(args)), name), args, sign)
            case Either(atoms, sign):
                found = Either(tuple(map(named, atoms)), sign)
            case Aggregate(function, elements, guards, sign):
                inner = tuple(Element(e.terms, tuple(map(named, e.condition))) for e in elements)
                found = Aggregate(function, inner, guards, sign)
            case Conditional(inner_literal, condition):
                found = Conditional(named(inner_literal), tuple(map(named, condition)))
        return found  # type: ignore[return-value] # of the same class

    head = None if rule.head is None else named(rule.head)
    return Rule(head, tuple(map(named, rule.body)), rule.place, rule.id)


# -- unification -----------------------------------------------------------------------------------------------------


def is_simple(term: Term) -> bool:
    """Whether nothing is calculated in a term, and it stands for one value."""
    return all(map(is_simple, term.args)) if type(term) is Fun else type(term) not in (Op, Range, Pool)


def unify(one: Term, other: Term, binding: Substitution | None = None) -> dict[str, Term] | None:
    """The most general binding, extending one, by which two simple terms become equal; None if there is none.

    Terms in it may have variables that it binds, too: `resolve` puts them in.

    >>> from .reader import read_term
    >>> unify(read_term("f(X,g(Y))"), read_term("f(a,X)"))
    >>> unify(read_term("f(X,g(Y))"), read_term("f(Z,Z)"))
    {'X': Var(name='Z'), 'Z': Fun(name='g', args=(Var(name='Y'),))}
    """
    found = dict(binding or {})
    pending = [(one, other)]
    while pending:
        a, b = (_walk(term, found) for term in pending.pop())
        if a == b or ANY in (a, b):
            continue
        if isinstance(b, Var) and not isinstance(a, Var):
            a, b = b, a
        if isinstance(a, Var):
            if _occurs(a.name, b, found):
                return None
            found[a.name] = b
        elif isinstance(a, Fun) and isinstance(b, Fun) and a.name == b.name and len(a.args) == len(b.args):
            pending += zip(reversed(a.args), reversed(b.args), strict=True)
        else:
            _check_simple(a, b)
            return None
    return found


def _check_simple(*terms: Term) -> None:
    if not all(map(is_simple, terms)):
        raise ValueError("only simple terms are unified and matched: rules have them in normal form")


def _walk(term: Term, binding: Substitution) -> Term:
    while isinstance(term, Var) and term.name in binding:
        term = binding[term.name]
    return term


def _occurs(name: str, term: Term, binding: Substitution) -> bool:
    pending = [term]
    while pending:
        term = _walk(pending.pop(), binding)
        _check_simple(term)
        if isinstance(term, Var) and term.name == name:
            return True
        if isinstance(term, Fun):
            pending += term.args
    return False


def resolve(term: Term, binding: Substitution) -> Term:
    """A term under the binding that `unify` gives."""
    term = _walk(term, binding)
    if isinstance(term, Fun):
        return Fun(term.name, tuple(resolve(arg, binding) for arg in term.args))
    return term


def match(pattern: Term, term: Term, binding: Substitution | None = None) -> dict[str, Term] | None:
    """The binding, extending one, by which a simple pattern becomes a term; the term's own variables are constants.

    >>> from .reader import read_term
    >>> match(read_term("f(X,Y,_)"), read_term("f(a,g(X),b)"))
    {'X': Name(text='a'), 'Y': Fun(name='g', args=(Var(name='X'),))}
    >>> match(read_term("f(X,X)"), read_term("f(a,Y)"))
    """
    found = dict(binding or {})
    pending = [(pattern, term)]
    while pending:
        a, b = pending.pop()
        if a == ANY:
            continue
        if isinstance(a, Var):
            if found.setdefault(a.name, b) != b:
                return None
        elif isinstance(a, Fun):
            if not isinstance(b, Fun) or a.name != b.name or len(a.args) != len(b.args):
                return None
            pending += zip(reversed(a.args), reversed(b.args), strict=True)
        elif a != b:
            _check_simple(a)
            return None
    return found


# -- atoms -----------------------------------------------------------------------------------------------------------


def atoms(literals: Iterable[Literal]) -> Iterator[tuple[Atom, bool]]:
    """The atoms of a body, each with whether it stands within an aggregate, a condition or a pool."""
    for literal in literals:
        match literal:
            case Atom():
                yield literal, False
            case Either(among, sign):
                for atom in among:
                    yield Atom(atom.name, atom.args, sign), True
            case Aggregate(_, elements):
                for element in elements:
                    yield from ((atom, True) for atom, _ in atoms(element.condition))
            case Conditional(inner, condition):
                yield from ((atom, True) for atom, _ in atoms((*condition, inner)))
