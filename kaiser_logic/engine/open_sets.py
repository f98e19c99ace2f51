"""Sets as arguments of actions in open positions: names stand for them.

There are thousands of sets of cards. In an open position an action has a name, ``set_of(Role,T)``, instead of a set, and the
solver chooses its parts; the rules read sets only by their parts (``asp/engine/open_sets.lp``). If an action has several sets,
each has its own name, as equal names would make them equal. A set that is known needs no name.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property, lru_cache

from .. import clingo
from ..rules.loader import engine_rules
from .ruleset import Ruleset
from .sets import NONE, OPEN_SETS, SETS, knows_sets, parts


@lru_cache(maxsize=16)
def with_open_sets(ruleset: Ruleset) -> Ruleset:
    """The ruleset with the engine's rules for names of sets; the same ruleset if the game has no sets."""
    book = ruleset.book
    if not knows_sets(book):
        return ruleset
    rules = tuple(r for r in book.rules if r not in engine_rules(SETS))
    return ruleset.with_rules((*rules, *engine_rules(OPEN_SETS)))


class Sets:
    """The sets of one game, from a ruleset that is `with_open_sets`. A game without sets has no things."""

    def __init__(self, ruleset: Ruleset) -> None:
        """Takes the ruleset; its facts are read when they are needed."""
        self._ruleset = ruleset

    @cached_property
    def things(self) -> Mapping[clingo.Symbol, int]:
        """Maps the elements of sets to their places in the order."""
        return {s.arguments[0]: s.arguments[1].number for s in self._ruleset.facts("thing", 3)}

    @property
    def roles(self) -> list[clingo.Symbol]:
        """The roles that can name sets."""
        return [s.arguments[0] for s in self._ruleset.facts("seat", 2)]

    def real(self, term: clingo.Symbol) -> bool:
        """Whether a term is a set: each thing occurs once and in order, with no more copies than the game has."""
        found = parts(term)
        most = {s.arguments[0]: s.arguments[2].number for s in self._ruleset.facts("thing", 3)}
        fit = all(n.type == clingo.SymbolType.Number and 1 <= n.number <= most.get(c, 0) for c, n in found)
        return fit and term == self.term(dict(found))

    def term(self, copies: Mapping[clingo.Symbol, clingo.Symbol]) -> clingo.Symbol:
        """The set with these numbers of copies."""
        found = NONE
        for thing in sorted(copies, key=lambda t: -self.things[t]):
            found = clingo.Function("with", [copies[thing], thing, found])
        return found
