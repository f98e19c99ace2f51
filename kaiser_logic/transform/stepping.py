"""Rules followed forward: what one makes of the patterns that are known."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
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

Known: TypeAlias = dict[Signature, frozenset[tuple[Pattern, ...]]]
"""The patterns of each predicate's atoms that can hold."""


@dataclass(frozen=True, slots=True)
class Step:
    """A rule as it is followed forward: which patterns it joins, and what it makes of them."""

    rule: int
    joins: tuple[tuple[Signature, tuple[Pattern, ...], tuple[Pattern, ...]], ...]
    heads: tuple[tuple[Signature, tuple[Pattern, ...]], ...]
    reads: frozenset[Signature]

    def join(self, known: Known) -> list[Substitution]:
        """The ways in which the rule's carrying literals match what is known."""
        if not all(known.get(signature) for signature in self.reads):
            return []
        bindings: list[Substitution] = [{}]
        for k, (signature, args, names) in enumerate(self.joins):
            patterns = known[signature]
            if anything(len(args)) in patterns:
                continue
            renamed = [_apart(pattern, k) for pattern in patterns]
            found = [unify_all(args, pattern, binding) for pattern in renamed for binding in bindings]
            bindings = [binding for binding in found if binding is not None]
            if len(bindings) > 1:
                same = {canonical(tuple(substitute(v, b) for v in names)): b for b in bindings}
                bindings = list(same.values())
            if not bindings:
                return []
        return bindings


@lru_cache(maxsize=50_000)
def _apart(pattern: tuple[Pattern, ...], literal: int) -> tuple[Pattern, ...]:
    """The pattern with variables of its own, for one of a rule's literals."""
    return rename(pattern, str(literal))
