"""Rules that are run in rounds: in each of them for what is new."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ...engine.compiled.trees import Literal, Predicate
from ...rules.pattern import Signature


@dataclass
class Recent(Predicate):
    """An atom of which only those rows are looked at that are new since the rule was run before."""


def rounds(body: tuple[Any, ...], again: frozenset[Signature]) -> list[tuple[Any, ...]]:
    """A body, for each of its atoms that are derived in rounds once with that one recent; as it is where there is none."""
    places = [k for k, x in enumerate(body) if derived_again(x, again)]
    return [
        (*body[:k], Recent(body[k].name, body[k].args, body[k].sign), *body[k + 1 :]) for k in places
    ] or [body]


def derived_again(literal: Literal, again: frozenset[Signature]) -> bool:
    """Whether a literal is an atom that is derived in rounds."""
    return isinstance(literal, Predicate) and not literal.sign and (literal.name, len(literal.args)) in again


def in_order(reads: Mapping[Signature, frozenset[Signature]]) -> list[Signature]:
    """Predicates that depend on one another, each after what it reads as far as there is no circle.

    >>> a, b, c = ("a", 0), ("b", 0), ("c", 0)
    >>> in_order({a: frozenset([c]), b: frozenset([a]), c: frozenset([b])})
    [('b', 0), ('c', 0), ('a', 0)]
    """
    found: dict[Signature, None] = {}
    seen: set[Signature] = set()

    def visit(one: Signature) -> None:
        seen.add(one)
        for other in sorted(reads[one]):
            if other not in seen:
                visit(other)
        found[one] = None

    for one in sorted(reads):
        if one not in seen:
            visit(one)
    return list(found)
