"""Short functions that build rules as values.

The names of this package's own predicates, and of the copies of a rulebook's predicates, contain two underscores. The contract
allows no such name in a rulebook (:mod:`..rules.contract.names`), so no two predicates are confused.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..lang.terms import (
    ANY,
    Aggregate,
    Atom,
    Element,
    Fun,
    Literal,
    Name,
    Rule,
    Signature,
    Term,
    Var,
    value,
)


@value
class ChoiceRule:
    """A choice rule ``least { atom : condition; ... } most :- body.`` Only encodings contain choices, rulebooks do not."""

    elements: tuple[tuple[Atom, tuple[Literal, ...]], ...]
    body: tuple[Literal, ...] = ()
    least: int | None = None
    most: int | None = None


def variables_x(number: int) -> tuple[Var, ...]:
    """The variables X0, X1, ..."""
    return tuple(Var(f"X{k}") for k in range(number))


def atom(name: str, *args: Term) -> Atom:
    """An atom."""
    return Atom(name, args)


def no(positive: Atom) -> Atom:
    """The negated atom ``not p(..)``."""
    return Atom(positive.name, positive.args, 1)


def rule(head: Atom | None, *body: Literal) -> Rule:
    """A rule."""
    return Rule(head, body)


def never(*body: Literal) -> Rule:
    """A constraint."""
    return Rule(None, body)


def term(fact: Atom) -> Term:
    """An atom as a term."""
    return fun(fact.name, fact.args)


def fun(name: str, args: Iterable[Term]) -> Term:
    """A function term, or a constant where there are no arguments."""
    args = tuple(args)
    return Fun(name, args) if args else Name(name)


def element(terms: Iterable[Term], *condition: Literal) -> Element:
    """An element ``terms : condition`` of an aggregate."""
    return Element(tuple(terms), condition)


def total(elements: Iterable[Element], op: str, side: Term) -> Aggregate:
    """The literal ``#sum { elements } op side``."""
    return Aggregate("#sum", tuple(elements), ((op, side),))


def number_of(elements: Iterable[Element], op: str, side: Term) -> Aggregate:
    """The literal ``#count { elements } op side``."""
    return Aggregate("#count", tuple(elements), ((op, side),))


def anything(signature: Signature) -> Atom:
    """An atom of the predicate with ``_`` for each argument."""
    return Atom(signature[0], (ANY,) * signature[1])


def head_of(one: Rule) -> Atom:
    """The head of a rule in normal form; the rule must not be a constraint."""
    assert isinstance(one.head, Atom)
    return one.head
