"""Ranges: each is a choice of one of its numbers, wherever it stands; ``not p(1..2)`` holds as soon as one of both is missing."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from .trees import Aggregate, Comparison, Literal, Predicate, Tree


def all_apart(literals: Iterable[Literal], fresh: Callable[[], str]) -> list[Literal]:
    """Literals that must hold together, with their ranges beside them: see :func:`apart`."""
    return [part for literal in literals for part in apart(literal, fresh)]


def apart(literal: Literal, fresh: Callable[[], str]) -> list[Literal]:
    """A literal with a variable for each range in it, and what the variables are; without pools.

    A range that is a side of an equation stays there. Conditions have ranges of their own, which stay, too.

    >>> apart(Predicate("p", (("range", ("num", 1), ("var", "K")),), 1), lambda: "0")[1]
    Comparison(left=('var', 'é0'), guards=(('=', ('range', ('num', 1), ('var', 'K'))),), sign=0)
    """
    found: list[Literal] = []

    def visit(term: Tree) -> Tree:
        kind = term[0]
        if kind == "fun":
            return ("fun", term[1], tuple(map(visit, term[2])))
        if kind not in ("op", "range"):
            return term
        term = inside(term)
        if kind == "op":
            return term
        name = ("var", f"é{fresh()}")
        found.append(Comparison(name, (("=", term),)))
        return name

    def inside(term: Tree) -> Tree:
        return (*term[:-2], visit(term[-2]), visit(term[-1]))

    def side(term: Tree) -> Tree:
        return inside(term) if term[0] == "range" else visit(term)

    if isinstance(literal, Predicate):
        args = tuple(map(visit, literal.args))
        literal = replace(literal, args=args) if found else literal
    elif isinstance(literal, Comparison):
        equation = not literal.sign and [sign for sign, _ in literal.guards] == ["="]
        change = side if equation else visit
        guards = tuple((sign, change(term)) for sign, term in literal.guards)
        literal = replace(literal, left=change(literal.left), guards=guards)
    elif isinstance(literal, Aggregate):
        literal = replace(literal, guards=tuple((sign, visit(term)) for sign, term in literal.guards))
    return [literal, *found]


def terms_apart(terms: Iterable[Tree], fresh: Callable[[], str]) -> tuple[tuple[Tree, ...], list[Literal]]:
    """Terms with a variable for each range in them, and what the variables are."""
    atom, *found = apart(Predicate("", tuple(terms)), fresh)
    assert isinstance(atom, Predicate)
    return atom.args, found


def ranged(term: Tree) -> bool:
    """Whether there is a range or a pool in a term: it may have several values."""
    if term[0] in ("range", "pool"):
        return True
    parts = term[2] if term[0] == "fun" else term[2:] if term[0] == "op" else ()
    return any(map(ranged, parts))
