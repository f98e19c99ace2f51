"""Operations on terms and rules: variables, substitution, renaming apart.

Code that builds a rule around the terms of another must not capture variables: it uses `Fresh` variables, or renames the rule
apart.

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
"""Maps names of variables to terms."""
L = TypeVar("L", bound=Literal)
T = TypeVar("T")


# -- variables -------------------------------------------------------------------------------------------------------


def occurrences(*things: Any) -> list[str]:
    """All occurrences of variables in terms, literals, elements and rules, in order, without the anonymous variable."""
    names_met: list[str] = []
    pending = list(reversed(things))
    while pending:
        thing = pending.pop()
        kind = type(thing)
        if kind is Var:
            if thing.name != "_":
                names_met.append(thing.name)
        elif kind is tuple:
            pending.extend(reversed(thing))
        elif kind is Atom or kind is Fun:
            pending.extend(reversed(thing.args))
        else:
            pending.extend(reversed(_parts(thing)))
    return names_met


def variables(*things: Any) -> tuple[str, ...]:
    """The variables of terms, literals, elements and rules in the order of their first occurrence, without the anonymous one."""
    return tuple(dict.fromkeys(occurrences(*things)))


def walk(*things: Any) -> Iterator[Any]:
    """Yields terms, literals, elements and rules with all their parts, in the order of the text."""
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
    texts: dict[str, None] = {}
    for thing in walk(*things):
        if isinstance(thing, (Var, Fun, Atom)):
            texts[thing.name] = None
        elif isinstance(thing, Name):
            texts[thing.text] = None
    return tuple(texts)


def integers(*things: Any) -> set[int]:
    """All numbers that are written in terms, literals, elements and rules."""
    return {thing.value for thing in walk(*things) if isinstance(thing, Int)}


def is_ground(*things: Any) -> bool:
    """Whether terms, literals, elements and rules have no variable, not even the anonymous one."""
    return not any(isinstance(thing, Var) for thing in walk(*things))


def _parts(thing: Any) -> tuple[Any, ...]:
    """The direct parts of a term, a literal, an element or a rule."""
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
            return (*(term for _, term in guards), *((atom, *condition) for atom, condition in elements))
        case Rule(head, body):
            return body if head is None else (head, *body)
        case _:
            return ()


def variables_outside(rule: Rule) -> tuple[str, ...]:
    """The global variables of a rule: those that occur outside the elements of aggregates and conditional literals."""
    return variables(rule.head or (), *map(_global_parts, rule.body))


def _global_parts(literal: Literal) -> Any:
    """The parts of a literal whose variables are global."""
    if isinstance(literal, Aggregate):
        return tuple(term for _, term in literal.guards)
    return () if isinstance(literal, Conditional) else literal


class Fresh:
    """A source of new variables: they differ from one another and do not occur in some given terms, literals and rules."""

    def __init__(self, *things: Any) -> None:
        self._things = things
        self._taken: set[str] | None = None

    def take(self, like: str = "V") -> Var:
        """A new variable: the name ``like`` and a number."""
        if self._taken is None:
            self._taken = set(variables(*self._things))
        name = next(name for k in count(1) if (name := f"{like}{k}") not in self._taken)
        self._taken.add(name)
        return Var(name)


def is_simple(term: Term) -> bool:
    """Whether a term has no operation, range or pool."""
    return all(map(is_simple, term.args)) if type(term) is Fun else type(term) not in (Op, Range, Pool)


def is_fixed(thing: Any) -> bool:
    """Whether a term or a literal has no range and no pool, which stand for several values."""
    return type(thing) not in (Range, Pool, Either) and all(map(is_fixed, _parts(thing)))


# -- substitution ----------------------------------------------------------------------------------------------------


TermMap: TypeAlias = Callable[[Term], Term]
AtomMap: TypeAlias = Callable[[Atom], Atom]


def rebuilt_term(term: Term, change: TermMap) -> Term:
    """Applies ``change`` to each part of a term, from the inside out."""
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
    """Applies ``change`` to each part of each term of a literal, and ``atom`` to each atom."""
    new: Any = literal
    kind = type(literal)
    if kind is Atom:
        new = Atom(new.name, tuple([rebuilt_term(arg, change) for arg in new.args]), new.sign)
        if atom is not None:
            new = atom(new)
    elif kind is Compare:
        new = Compare(rebuilt_term(new.left, change), new.op, rebuilt_term(new.right, change), new.sign)
    elif kind is Chain:
        links = tuple([(op, rebuilt_term(term, change)) for op, term in new.links])
        new = Chain(rebuilt_term(new.left, change), links, new.sign)
    elif kind is Either:
        new = Either(tuple([rebuilt_literal(one, change, atom) for one in new.atoms]), new.sign)
    elif kind is Aggregate:
        elements = tuple([_rebuilt_element(element, change, atom) for element in new.elements])
        guards = tuple([(op, rebuilt_term(term, change)) for op, term in new.guards])
        new = Aggregate(new.function, elements, guards, new.sign)
    elif kind is Conditional:
        condition = tuple([rebuilt_literal(one, change, atom) for one in new.condition])
        new = Conditional(rebuilt_literal(new.literal, change, atom), condition)
    return cast(L, new)


def _rebuilt_element(element: Element, change: TermMap, atom: AtomMap | None) -> Element:
    terms = tuple([rebuilt_term(term, change) for term in element.terms])
    return Element(terms, tuple([rebuilt_literal(one, change, atom) for one in element.condition]))


def rebuilt(rule: Rule, change: TermMap, atom: AtomMap | None = None) -> Rule:
    """Applies ``change`` to each part of each term of a rule, and ``atom`` to each atom."""
    head: Any = rule.head
    if isinstance(head, Choice):
        elements = tuple(
            [
                (rebuilt_literal(one, change, atom), tuple([rebuilt_literal(x, change, atom) for x in body]))
                for one, body in head.elements
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
    """A term with variables replaced simultaneously."""
    return rebuilt_term(term, _substitution(binding))


def substitute_everywhere(rule: Rule, binding: Substitution) -> Rule:
    """A rule with all variables replaced, also the local ones."""
    return rebuilt(rule, _substitution(binding))


def substitute(rule: Rule, binding: Substitution) -> Rule:
    """A rule with its global variables replaced.

    A local variable, of an element or a condition, is not replaced. It gets a new name if a term has a variable of its name.
    """
    outside = set(variables_outside(rule))
    inside = [name for name in variables(rule) if name not in outside]
    used = {name: term for name, term in binding.items() if name in outside}
    new = set(variables(*used.values()))
    clashes = [name for name in inside if name in new]
    fresh = Fresh(rule, *used.values())
    return substitute_everywhere(rule, {**{name: fresh.take(name) for name in clashes}, **used})


def rename_apart(rule: Rule, *others: Any) -> Rule:
    """Renames the variables of a rule that occur in other terms, literals or rules.

    >>> from .printer import show
    >>> from .reader import read_rule
    >>> show(rename_apart(read_rule("p(X,X1) :- q(X,X1,Y)."), Var("X"), Var("Z")))
    'p(X2,X1) :- q(X2,X1,Y).'
    """
    taken = set(variables(*others))
    fresh = Fresh(rule, *others)
    return substitute_everywhere(rule, {name: fresh.take(name) for name in variables(rule) if name in taken})


def rename_predicates(rule: Rule, names: Mapping[Signature, str]) -> Rule:
    """Renames the predicates of a rule."""

    def rename(atom: Atom) -> Atom:
        return Atom(names.get(atom.signature, atom.name), atom.args, atom.sign)

    return rebuilt(rule, lambda term: term, rename)


# -- atoms -----------------------------------------------------------------------------------------------------------


def atoms(literals: Iterable[Literal]) -> Iterator[tuple[Atom, bool]]:
    """Yields the atoms of a body in the order of its text, each with whether it is in an aggregate, a condition or a pool."""
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


def independent_groups(things: Iterable[T], names_in: Callable[[T], Iterable[str]]) -> list[tuple[set[str], list[T]]]:
    """Things, such as the literals of a body, in groups that share no name, each with its names."""
    groups: list[tuple[set[str], list[T]]] = []
    for thing in things:
        used = set(names_in(thing))
        linked = [group for group in groups if group[0] & used]
        groups = [group for group in groups if group not in linked]
        groups.append((used.union(*(names for names, _ in linked)), [*(t for g in linked for t in g[1]), thing]))
    return groups
