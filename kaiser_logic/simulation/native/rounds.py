"""Rules that are run in rounds: in each of them for what is new."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ...engine.compiled.syntax import Literal, Predicate
from ...rules.pattern import Signature


@dataclass(frozen=True)
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
