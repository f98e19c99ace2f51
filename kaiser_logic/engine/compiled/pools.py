"""Pools, of which each alternative is a rule of its own."""

from __future__ import annotations

from itertools import product
from typing import Any

from .trees import Alternatives, Comparison, Literal, Predicate, Tree
from .values import Unsupported


def unpooled(literal: Literal) -> list[Any]:
    """The alternatives of a literal with pools."""
    if isinstance(literal, Alternatives):
        if literal.sign:
            raise Unsupported(str(literal))
        return [x for atom in literal.among for x in unpooled(atom)]
    if isinstance(literal, Predicate):
        found = [Predicate(literal.name, args, literal.sign) for args in product(*map(_terms, literal.args))]
        if literal.sign and len(found) > 1:
            raise Unsupported(str(literal))
        return found
    if isinstance(literal, Comparison) and not literal.sign:
        sides = product(_terms(literal.left), *(_terms(term) for _, term in literal.guards))
        signs = [sign for sign, _ in literal.guards]
        return [Comparison(left, tuple(zip(signs, rest, strict=True))) for left, *rest in sides]
    return [literal]


def _terms(term: Tree) -> list[Tree]:
    """The alternatives of a term with pools."""
    if term[0] == "pool":
        return [x for part in term[1] for x in _terms(part)]
    if term[0] == "fun":
        return [("fun", term[1], args) for args in product(*map(_terms, term[2]))]
    if term[0] in ("op", "range"):
        return [(*term[:-2], left, right) for left, right in product(_terms(term[-2]), _terms(term[-1]))]
    return [term]
