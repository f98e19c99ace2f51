"""Sets as arguments of actions in open positions: names stand for them.

A set of cards has thousands of values. In an open position an action's set is a name instead, ``set_of(Role,T)``, whose
parts the solver chooses; the rules read sets only by their parts (``asp/engine/open_sets.lp``). Of several sets that one
action names each has a name of its own: with one name for all they would be equal. Sets that are known stand in for
themselves.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property, lru_cache

from .. import clingo
from ..rules.loader import engine_rules
from .ruleset import Ruleset
from .sets import NONE, OPEN_SETS, SETS, knows_sets, parts


@lru_cache(maxsize=16)
def opened(ruleset: Ruleset) -> Ruleset:
    """The ruleset whose rules read sets that are only names; the same one where the game knows no sets."""
    book = ruleset.book
    if not knows_sets(book):
        return ruleset
    rules = tuple(r for r in book.rules if r not in engine_rules(SETS))
    return ruleset.with_rules((*rules, *engine_rules(OPEN_SETS)))


class Sets:
    """The sets that actions of one game name; of no things where it knows none."""

    def __init__(self, ruleset: Ruleset) -> None:
        """The sets of a ruleset that is `opened`."""
        self._ruleset = ruleset

    @cached_property
    def things(self) -> Mapping[clingo.Symbol, int]:
        """The elements of sets, each with its place in the order."""
        return {s.arguments[0]: s.arguments[1].number for s in self._ruleset.facts("thing", 3)}

    @property
    def roles(self) -> list[clingo.Symbol]:
        """The roles that can name sets."""
        return [s.arguments[0] for s in self._ruleset.facts("seat", 2)]

    def real(self, term: clingo.Symbol) -> bool:
        """Whether a term is a set: each thing once, in order, no more copies than there are."""
        found = parts(term)
        most = {s.arguments[0]: s.arguments[2].number for s in self._ruleset.facts("thing", 3)}
        fit = all(n.type == clingo.SymbolType.Number and 1 <= n.number <= most.get(c, 0) for c, n in found)
        return fit and term == self.term(dict(found))

    def term(self, copies: Mapping[clingo.Symbol, clingo.Symbol]) -> clingo.Symbol:
        """The set with so many copies of each thing."""
        found = NONE
        for thing in sorted(copies, key=lambda t: -self.things[t]):
            found = clingo.Function("with", [copies[thing], thing, found])
        return found
