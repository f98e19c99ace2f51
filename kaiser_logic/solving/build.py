"""Rules as values: short ways to write them.

Predicates of this package's own end in two underscores, and so does what it makes of a rulebook's: the contract has no
other names with two underscores (:mod:`..rules.contract.names`), so that nothing is taken for something else.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..lang.terms import (
    ANY,
    Aggregate,
    Atom,
    Element,
    Fun,
    Int,
    Literal,
    Name,
    Op,
    Rule,
    Signature,
    Term,
    Var,
    value,
)


@value
class Choice:
    """A free choice: of the atoms, each of which is there on its condition, at least and at most so many hold.

    This is no rule of a rulebook: none has choices.
    """

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
    """That it does not hold."""
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
    """What an aggregate ranges over."""
    return Element(tuple(terms), condition)


def total(elements: Iterable[Element], op: str, side: Term) -> Aggregate:
    """A sum, compared with something."""
    return Aggregate("#sum", tuple(elements), ((op, side),))


def number_of(elements: Iterable[Element], op: str, side: Term) -> Aggregate:
    """A number of tuples, compared with something."""
    return Aggregate("#count", tuple(elements), ((op, side),))


def minus(inner: Term) -> Op:
    """A number with the other sign."""
    return Op("-", Int(0), inner)


def anything(signature: Signature) -> Atom:
    """The predicate, whatever its arguments."""
    return Atom(signature[0], (ANY,) * signature[1])


def head_of(one: Rule) -> Atom:
    """The head of a rule in normal form that is no constraint."""
    assert isinstance(one.head, Atom)
    return one.head
