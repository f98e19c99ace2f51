"""Operations on terms and rules: variables, substitution, renaming apart, unification, one-way matching.

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

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import count
from typing import Any, TypeAlias, TypeVar, cast

from .terms import (
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
    Name,
    Op,
    Pool,
    Range,
    Rule,
    Signature,
    Term,
    Var,
)

Substitution: TypeAlias = Mapping[str, Term]
"""Terms in place of variables."""
L = TypeVar("L", bound=Literal)


# -- variables -------------------------------------------------------------------------------------------------------


def occurrences(*things: Any) -> list[str]:
    """The variables of terms, literals, elements and rules, as often as they occur, in order; not the anonymous one."""
    found: list[str] = []
    pending = list(reversed(things))
    while pending:
        thing = pending.pop()
        kind = type(thing)
        if kind is Var:
            if thing.name != "_":
                found.append(thing.name)
        elif kind is tuple:
            pending.extend(reversed(thing))
        elif kind is Atom or kind is Fun:
            pending.extend(reversed(thing.args))
        else:
            pending.extend(reversed(_parts(thing)))
    return found


def variables(*things: Any) -> tuple[str, ...]:
    """The variables of terms, literals, elements and rules, each once, by their first occurrence; not the anonymous one."""
    return tuple(dict.fromkeys(occurrences(*things)))


def walk(*things: Any) -> Iterator[Any]:
    """Terms, literals, elements and rules with all that they are made of, in order."""
    pending = list(reversed(things))
    while pending:
        thing = pending.pop()
        if isinstance(thing, tuple):
            pending += reversed(thing)
        else:
            yield thing
            pending += reversed(_parts(thing))


def names(*things: Any) -> tuple[str, ...]:
    """All names in terms, literals, elements and rules: of variables, constants, functions and predicates."""
    found: dict[str, None] = {}
    for thing in walk(*things):
        if isinstance(thing, (Var, Fun, Atom)):
            found[thing.name] = None
        elif isinstance(thing, Name):
            found[thing.text] = None
    return tuple(found)


def integers(*things: Any) -> set[int]:
    """All numbers as they are written in terms, literals, elements and rules."""
    return {thing.value for thing in walk(*things) if isinstance(thing, Int)}


def is_ground(*things: Any) -> bool:
    """Whether no variable stands in terms, literals, elements and rules, not even the anonymous one."""
    return not any(isinstance(thing, Var) for thing in walk(*things))


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
        case Choice(elements, guards):
            return (*(term for _, term in guards), *((atom, *its) for atom, its in elements))
        case Rule(head, body):
            return body if head is None else (head, *body)
        case _:
            return ()


def variables_outside(rule: Rule) -> tuple[str, ...]:
    """The variables of a rule that are its own: those that do not stand in elements and conditional literals only."""
    return variables(rule.head or (), *map(_outside, rule.body))


def _outside(literal: Literal) -> Any:
    """The parts of a literal that are not in an element or a condition."""
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


def is_simple(term: Term) -> bool:
    """Whether nothing is calculated in a term, and it stands for one value."""
    return all(map(is_simple, term.args)) if type(term) is Fun else type(term) not in (Op, Range, Pool)


def is_fixed(thing: Any) -> bool:
    """Whether nothing in a term or a literal stands for several values: no range, no pool."""
    return type(thing) not in (Range, Pool, Either) and all(map(is_fixed, _parts(thing)))


# -- substitution ----------------------------------------------------------------------------------------------------


TermMap: TypeAlias = Callable[[Term], Term]
AtomMap: TypeAlias = Callable[[Atom], Atom]


def rebuilt_term(term: Term, change: TermMap) -> Term:
    """A term in which ``put`` has been applied to each part, from the inside out."""
    if isinstance(term, Fun):
        term = Fun(term.name, tuple([rebuilt_term(arg, change) for arg in term.args]))
    elif isinstance(term, Op):
        term = Op(term.sign, rebuilt_term(term.left, change), rebuilt_term(term.right, change))
    elif isinstance(term, Range):
        term = Range(rebuilt_term(term.low, change), rebuilt_term(term.high, change))
    elif isinstance(term, Pool):
        term = Pool(tuple([rebuilt_term(part, change) for part in term.terms]))
    return change(term)


def rebuilt_literal(literal: L, change: TermMap, atom: AtomMap | None = None) -> L:
    """A literal in which ``put`` has been applied to each part of each term, and ``atom`` to each atom."""
    found: Any = literal
    kind = type(literal)
    if kind is Atom:
        found = Atom(found.name, tuple([rebuilt_term(arg, change) for arg in found.args]), found.sign)
        if atom is not None:
            found = atom(found)
    elif kind is Compare:
        found = Compare(
            rebuilt_term(found.left, change), found.op, rebuilt_term(found.right, change), found.sign
        )
    elif kind is Chain:
        links = tuple([(op, rebuilt_term(term, change)) for op, term in found.links])
        found = Chain(rebuilt_term(found.left, change), links, found.sign)
    elif kind is Either:
        found = Either(tuple([rebuilt_literal(one, change, atom) for one in found.atoms]), found.sign)
    elif kind is Aggregate:
        elements = tuple([_rebuilt_element(element, change, atom) for element in found.elements])
        guards = tuple([(op, rebuilt_term(term, change)) for op, term in found.guards])
        found = Aggregate(found.function, elements, guards, found.sign)
    elif kind is Conditional:
        condition = tuple([rebuilt_literal(one, change, atom) for one in found.condition])
        found = Conditional(rebuilt_literal(found.literal, change, atom), condition)
    return cast(L, found)


def _rebuilt_element(element: Element, change: TermMap, atom: AtomMap | None) -> Element:
    terms = tuple([rebuilt_term(term, change) for term in element.terms])
    return Element(terms, tuple([rebuilt_literal(one, change, atom) for one in element.condition]))


def rebuilt(rule: Rule, change: TermMap, atom: AtomMap | None = None) -> Rule:
    """A rule in which ``put`` has been applied to each part of each term, and ``atom`` to each atom."""
    head: Any = rule.head
    if isinstance(head, Choice):
        elements = tuple(
            [
                (rebuilt_literal(one, change, atom), tuple([rebuilt_literal(x, change, atom) for x in its]))
                for one, its in head.elements
            ]
        )
        head = Choice(elements, tuple([(op, rebuilt_term(term, change)) for op, term in head.guards]))
    elif head is not None:
        head = rebuilt_literal(head, change, atom)
    body = tuple([rebuilt_literal(literal, change, atom) for literal in rule.body])
    return Rule(head, body, rule.place, rule.id)


def _substitution(binding: Substitution) -> TermMap:
    return lambda term: binding.get(term.name, term) if type(term) is Var else term


def substitute_term(term: Term, binding: Substitution) -> Term:
    """A term with terms in place of variables, all at the same time."""
    return rebuilt_term(term, _substitution(binding))


def _everywhere(rule: Rule, binding: Substitution) -> Rule:
    """A rule with terms in place of all occurrences of variables."""
    return rebuilt(rule, _substitution(binding))


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


def rename_predicates(rule: Rule, names: Mapping[Signature, str]) -> Rule:
    """A rule whose predicates have other names."""

    def named(atom: Atom) -> Atom:
        return Atom(names.get(atom.signature, atom.name), atom.args, atom.sign)

    return rebuilt(rule, lambda term: term, named)


# -- atoms -----------------------------------------------------------------------------------------------------------


def atoms(literals: Iterable[Literal]) -> Iterator[tuple[Atom, bool]]:
    """The atoms of a body in the order of its text, each with whether it stands within an aggregate, a condition or a pool."""
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
                yield from ((atom, True) for atom, _ in atoms((inner, *condition)))
