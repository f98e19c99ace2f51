"""Memory for slices and other results that are needed again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from typing import Any, Final, TypeAlias, TypeVar

from ..lang.terms import Signature, Term
from ..rules.rule import Atom, Rule

Patterns: TypeAlias = Mapping[Signature, Iterable[tuple[Term, ...]]]
Cut: TypeAlias = Callable[..., list[Rule]]
S = TypeVar("S")
T = TypeVar("T")

_MOST: Final = 4096
"""So many slices of one list of rules are remembered."""


def memoized(cut: Callable[[S, Patterns, Iterable[Atom], frozenset[Signature]], list[Rule]]) -> Cut:
    """A method that remembers its results with the object, whose rules never change."""

    @wraps(cut)
    def again(
        self: Any, seeds: Patterns, outputs: Iterable[Atom], without: frozenset[Signature] = frozenset()
    ) -> list[Rule]:
        given = {signature: tuple(patterns) for signature, patterns in seeds.items()}
        wanted = tuple(outputs)
        known: dict[object, list[Rule]] = self.__dict__.setdefault("_slices", {})
        key = tuple(given.items()), wanted, without
        found = known.get(key)
        if found is None:
            if len(known) >= _MOST:
                known.clear()
            found = known[key] = cut(self, given, wanted, without)
        return list(found)

    return again
