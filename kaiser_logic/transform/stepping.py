"""Forward propagation: the patterns that a rule derives from known patterns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import islice
from typing import TypeAlias

from ..lang.terms import Signature, Term
from ..lang.unification import Binding, canonical, most_general, rename_all, resolve_to_depth, unify_all

Args: TypeAlias = tuple[Term, ...]
Known: TypeAlias = dict[Signature, frozenset[Args]]
"""The patterns of each predicate's atoms that can hold."""
Made: TypeAlias = tuple[Args, ...]
"""The arguments of each of a rule's heads."""


class Step:
    """A rule prepared for forward propagation.

    Attributes:
        rule: Its place among all rules.
        joins: The patterns that it joins: predicate, arguments, and the variables that matter afterwards.
        heads: What it makes of them.
    """

    def __init__(
        self,
        rule: int,
        joins: tuple[tuple[Signature, Args, Args], ...],
        heads: tuple[tuple[Signature, Args], ...],
    ) -> None:
        """A rule that joins one pattern at least."""
        self.rule, self.joins, self.heads = rule, joins, heads
        self._reads = {signature for signature, _, _ in joins}
        self._alone: dict[Args, tuple[Made, ...]] = {}

    def follow(self, known: Known, new: Iterable[Args]) -> set[Made]:
        """The arguments of each head that the rule derives from known patterns.

        ``new``: the patterns that it has not been followed with; with one literal it is followed with these alone.
        """
        if len(self.joins) > 1:
            return set(map(self._made, self.join(known)))
        patterns = known[self.joins[0][0]]  # without those that have become one that matches all
        return {made for pattern in new if pattern in patterns for made in self._made_of(pattern)}

    def _made_of(self, pattern: Args) -> tuple[Made, ...]:
        """The heads that a rule with one literal derives from a pattern, at most one each. Remembered for many slices."""
        found = self._alone.get(pattern)
        if found is None:
            binding = unify_all(self.joins[0][1], _apart(pattern, 0), {})
            found = self._alone[pattern] = () if binding is None else (self._made(binding),)
        return found

    def _made(self, binding: Binding) -> Made:
        """The arguments of each head under a binding."""
        return tuple(canonical(tuple([resolve_to_depth(a, binding) for a in args])) for _, args in self.heads)

    def join(self, known: Known) -> list[Binding]:
        """The bindings with which the rule's carrying literals match known patterns."""
        for signature in self._reads:
            if not known.get(signature):
                return []
        bindings: list[Binding] = [{}]
        for k, (signature, args, names) in enumerate(self.joins):
            patterns = known[signature]
            if most_general(len(args)) in patterns:
                continue
            found = _matches(args, [_apart(pattern, k) for pattern in patterns], bindings)
            if not names:  # nothing that follows asks how it matches
                bindings = list(islice(found, 1))
            else:
                bindings = list(found)
                if len(bindings) > 1:
                    same = {canonical(tuple([resolve_to_depth(v, b) for v in names])): b for b in bindings}
                    bindings = list(same.values())
            if not bindings:
                return []
        return bindings


def _matches(args: Args, patterns: Iterable[Args], bindings: Iterable[Binding]) -> Iterator[Binding]:
    """The bindings under which a literal's arguments match one of the patterns."""
    for pattern in patterns:
        for binding in bindings:
            found = unify_all(args, pattern, binding)
            if found is not None:
                yield found


@lru_cache(maxsize=50_000)
def _apart(pattern: Args, literal: int) -> Args:
    """The pattern with variables of its own, for one of a rule's literals."""
    return rename_all(pattern, str(literal))
