"""Modes: the variables that a literal binds once others are bound, and the safety of rules in normal form."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any, Final

from .algebra import variables, variables_outside
from .normal import has_any, normal
from .terms import (
    NEGATIVE,
    Aggregate,
    Atom,
    Compare,
    Element,
    Fun,
    Int,
    Literal,
    Name,
    Op,
    Range,
    Rule,
    Term,
    Text,
    Var,
)

_SOLVED: Final = frozenset({"+", "-", NEGATIVE})
"""The operations whose result and one side determine the other side."""


def solves(term: Op, known: Callable[[Term], bool]) -> Var | None:
    """The variable on one side of an operation that the result and the other side determine, if there is one.

    A product determines it only if the other side is written as a number other than 0.
    """
    left, right = known(term.left), known(term.right)
    if left == right:
        return None
    unknown, other = (term.right, term.left) if left else (term.left, term.right)
    solved = term.sign in _SOLVED or (term.sign == "*" and type(other) is Int and other.value != 0)
    return unknown if solved and isinstance(unknown, Var) else None


def binds(literal: Literal, bound: Collection[str], shared: Collection[str] = ()) -> frozenset[str] | None:
    """The variables that a literal in normal form binds once others are bound; None if it cannot be evaluated yet.

    Args:
        literal: The literal.
        bound: The variables that are bound.
        shared: The global variables of the rule: those in the elements of an aggregate must be bound before it.

    >>> from .reader import read_rule
    >>> [literal] = read_rule("p :- X = Y+1.").body
    >>> binds(literal, {"Y"}), binds(literal, {"X"}), binds(literal, ())
    (frozenset({'X'}), frozenset({'Y'}), None)
    """
    if isinstance(literal, Atom):
        names = frozenset(variables(literal))
        return None if literal.sign and not names.issubset(bound) else names.difference(bound)
    if isinstance(literal, Aggregate):
        if not all(name in bound for name in variables(literal.elements) if name in shared):
            return None
        ((op, term),) = literal.guards
        return _variables_assigned(op, (term,), bound)
    assert isinstance(literal, Compare)
    left, right = literal.left, literal.right
    if isinstance(right, Range):
        return frozenset(variables(left)).difference(bound) if _are_bound((right.low, right.high), bound) else None
    if isinstance(right, Op):
        return _variables_calculated(left, right, bound)
    if _are_bound((right,), bound):
        return _variables_assigned(literal.op, (left,), bound)
    return _variables_assigned(literal.op, (right,), bound) if _are_bound((left,), bound) else None


def _are_bound(things: Iterable[Any], bound: Collection[str]) -> bool:
    return all(name in bound for name in variables(*things))


def _variables_assigned(op: str, terms: Sequence[Term], bound: Collection[str]) -> frozenset[str] | None:
    """The variables that a comparison with a known value binds; None if it cannot be evaluated yet."""
    names = frozenset(variables(*terms)).difference(bound)
    return names if not names or op == "=" else None


def _variables_calculated(result: Term, term: Op, bound: Collection[str]) -> frozenset[str] | None:
    if _are_bound((term.left, term.right), bound):
        return frozenset(variables(result)).difference(bound)
    unknown = solves(term, lambda side: _are_bound((side,), bound)) if _are_bound((result,), bound) else None
    return None if unknown is None else frozenset({unknown.name})


def bound_by(literals: Iterable[Literal], given: Iterable[str] = (), shared: Collection[str] = ()) -> set[str]:
    """All variables that literals bind in the best order, together with the given ones."""
    bound = set(given)
    pending = list(literals)
    while True:
        waiting = []
        for literal in pending:
            names = binds(literal, bound, shared)
            if names is None:
                waiting.append(literal)
            else:
                bound |= names
        if len(waiting) == len(pending):
            return bound
        pending = waiting


def unsafe(rule: Rule) -> tuple[str, ...]:
    """The variables of a rule in normal form that no literal binds.

    >>> from .reader import read_rule
    >>> unsafe(read_rule("p(X,Y) :- q(X), not r(Z), N = #sum { V : s(W) }."))
    ('Y', 'Z', 'V')
    """
    own = variables_outside(rule)
    bound = bound_by(rule.body, (), own)
    names = dict.fromkeys(name for name in own if name not in bound)
    for literal in rule.body:
        for element in literal.elements if isinstance(literal, Aggregate) else ():
            names |= dict.fromkeys(_unsafe_in(element, {*bound, *own}))
    return tuple(names)


def unbound(rule: Rule) -> tuple[str, ...]:
    """The variables of a rule that clingo calls unsafe, among them ``_``.

    The normal form binds more variables than clingo does: there ``not not N = #count { ... }`` binds ``N``.

    >>> from .reader import read_rule
    >>> unbound(read_rule("p(X) :- q(Y), X != Y.")), unbound(read_rule("p(X) :- q(X), not X+_ > 2."))
    (('X',), ('_',))
    """
    if _is_evident(rule):
        return ()
    head = rule.head
    names: dict[str, None] = {}
    if head is not None and has_any(tuple(arg for atom in rule.heads for arg in atom.args)):
        names["_"] = None
        head = None
    own = variables(rule)
    for one in normal(Rule(head, tuple(map(_not_binding, rule.body)))):
        names |= {name if name in own else "_": None for name in unsafe(one)}
    own_names = {name: None for name in names if name != "_"}
    return tuple(own_names or names)


_HARMLESS: Final = frozenset("+-*")
"""The signs of operations that are defined for all numbers."""


def _is_evident(rule: Rule) -> bool:
    """Whether the rule is obviously safe: its positive atoms bind all variables, and it need not be normalised.

    Most rules are of this kind. The check saves them the normal form.
    """
    bound, needed = set[str](), list[Any]([rule.head])
    for literal in rule.body:
        if type(literal) is Atom and not literal.sign:
            needed += literal.args if _bind(literal.args, bound) else ()
        elif type(literal) is Atom or type(literal) is Compare:
            needed.append(literal)
        else:
            return False
    pending = needed
    while pending:
        thing = pending.pop()
        kind = type(thing)
        if kind is Var:
            if thing.name not in bound:
                return False
        elif kind is Atom or kind is Fun:
            pending += thing.args
        elif kind is Compare:
            pending += (thing.left, thing.right)
        elif kind is Op:
            if thing.sign not in _HARMLESS:
                return False
            pending += (thing.left, thing.right)
        elif not (kind is Int or kind is Name or kind is Text or thing is None):
            return False
    return True


def _bind(terms: Iterable[Any], bound: set[str]) -> bool:
    """Adds the variables that a match of the terms binds; whether they also have parts that must be evaluated."""
    more = False
    for term in terms:
        kind = type(term)
        if kind is Var:
            if term.name != "_":
                bound.add(term.name)
        elif kind is Fun:
            more |= _bind(term.args, bound)
        elif kind is not Int and kind is not Name and kind is not Text:
            more = True
    return more


def _not_binding(literal: Literal) -> Literal:
    """A literal that binds only what it binds in clingo, where an aggregate under ``not`` binds nothing."""
    match literal:
        case Aggregate(function, elements, guards, sign) if sign:
            return Aggregate(function, elements, tuple(("<", term) for _, term in guards))
        case _:
            return literal


def _unsafe_in(element: Element, bound: set[str]) -> list[str]:
    inner = bound_by(element.condition, bound)
    return [name for name in variables(element) if name not in inner]
