"""Queries about actions that name sets of things, which cannot all be tried.

Whether *some* set is legal the solver tells by choosing one. That *no* set is legal it can only say of sets that it
knows: a position found so is asked again as a given one, and where a set is legal after all, that set is known from
then on.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property

import clingo

from .asked import Asked
from .game import Game
from .ir import Atom, Pattern, unify
from .query import LEGAL, VIOLATES, Query
from .sets import SETS, sets_in
from .specialise import ground, numbered

_FEW = 20
_SORT = re.compile(r"\bset\(")


class Naming:
    """The sets that a query is about.

    Attributes:
        asks: Whether it is about any.
        known: The sets that are tried.
    """

    def __init__(self, game: Game, query: Query) -> None:
        """Sets that the query itself names are known from the start."""
        self._game = game
        self._query = query
        known = SETS in game.book.manifest.get("engine", ())
        self._patterns = [numbered(k)[0] for k in game.book.kinds if known and _SORT.search(k.guard)]
        about = [a for a in (*query.asks(LEGAL), *query.asks(VIOLATES)) if self._names_sets(a)]
        self.asks = bool(about)
        self.known = {s for a in about for s in _sets(a.args[1])}

    def _names_sets(self, atom: Atom) -> bool:
        return any(unify(_apart(atom.args[1]), p, {}) is not None for p in self._patterns)

    @property
    def decides(self) -> bool:
        """Whether finding nothing proves that there is nothing: one set is chosen, and it has no shape of its own."""
        literals = [x for x in self._query.literals if "legal(" in x or "violates(" in x]
        positive = [x for x in literals if not x.startswith("not ")]
        shaped = any(_shaped(a.args[1]) for a in (*self._query.asks(LEGAL), *self._query.asks(VIOLATES)))
        several = len(positive) > 1 or any("#count" in x for x in literals)
        return not self.asks or not (several or (shaped and positive))

    @cached_property
    def _asked(self) -> Asked:
        return Asked(self._game, self._query)

    def holds(self, facts: Sequence[str]) -> bool:
        """Whether the query holds in the position, all sets considered; else sets that are legal there are known."""
        if not self.asks or not self._query.asks(LEGAL) or self._query.asks(VIOLATES):
            return True
        position = self._game.position(facts)
        if self._asked.holds(position):
            return True
        legal = [a for _, a in self._game.evaluator.legal(position.symbols)]
        new = [s for a in legal for s in sets_in(a) if s not in self.known]
        self.known.update(new[:_FEW])
        return False


def _sets(pattern: Pattern) -> list[clingo.Symbol]:
    """The sets named in a pattern."""
    if pattern[0] != "f":
        return []
    if pattern[1] == "with" and len(pattern[2]) == 3:
        return [ground(pattern)] if not _open(pattern) else []
    return [s for a in pattern[2] for s in _sets(a)]


def _shaped(pattern: Pattern) -> bool:
    """Whether the pattern holds a set of which only a part is said."""
    if pattern[0] != "f":
        return False
    return (pattern[1] == "with" and _open(pattern)) or any(map(_shaped, pattern[2]))


def _open(pattern: Pattern) -> bool:
    return pattern[0] == "v" or (pattern[0] == "f" and any(map(_open, pattern[2])))


def _apart(pattern: Pattern) -> Pattern:
    """The pattern with variables of its own."""
    if pattern[0] == "v":
        return ("v", f"Named{pattern[1]}")
    return ("f", pattern[1], tuple(map(_apart, pattern[2]))) if pattern[0] == "f" else pattern


__all__ = ["Naming"]
