"""Rules followed forward: what one makes of the patterns that are known."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import TypeAlias

from ..rules.pattern import (
    Pattern,
    Signature,
    Substitution,
    anything,
    canonical,
    rename,
    substitute,
    unify_all,
)

Args: TypeAlias = tuple[Pattern, ...]
Known: TypeAlias = dict[Signature, frozenset[Args]]
"""The patterns of each predicate's atoms that can hold."""


@dataclass(frozen=True, slots=True)
class Step:
    """A rule as it is followed forward: which patterns it joins, and what it makes of them."""

    rule: int
    joins: tuple[tuple[Signature, Args, Args], ...]
    heads: tuple[tuple[Signature, Args], ...]
    reads: frozenset[Signature]

    def join(self, known: Known) -> list[Substitution]:
        """The ways in which the rule's carrying literals match what is known."""
        for signature in self.reads:
            if not known.get(signature):
                return []
        bindings: list[Substitution] = [{}]
        for k, (signature, args, names) in enumerate(self.joins):
            patterns = known[signature]
            if anything(len(args)) in patterns:
                continue
            found = _matches(args, [_apart(pattern, k) for pattern in patterns], bindings)
            if not names:  # nothing that follows asks how it matches
                bindings = list(islice(found, 1))
            else:
                bindings = list(found)
                if len(bindings) > 1:
                    same = {canonical(tuple([substitute(v, b) for v in names])): b for b in bindings}
                    bindings = list(same.values())
            if not bindings:
                return []
        return bindings


def _matches(
    args: Args, patterns: Iterable[Args], bindings: Iterable[Substitution]
) -> Iterator[Substitution]:
    """The bindings under which a literal's arguments match one of the patterns."""
    for pattern in patterns:
        for binding in bindings:
            found = unify_all(args, pattern, binding)
            if found is not None:
                yield found


@lru_cache(maxsize=50_000)
def _apart(pattern: Args, literal: int) -> Args:
    """The pattern with variables of its own, for one of a rule's literals."""
    return rename(pattern, str(literal))
