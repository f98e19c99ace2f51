"""Sets as arguments of actions, where a position is open: names that stand in for them.

A set of cards has thousands of values. In an open position an action's set is a name instead, ``set_of(Role,T)``, whose
parts the solver chooses; the rules read sets only by their parts (``asp/engine/open_sets.lp``). Of several sets that one
action names each has a name of its own: with one name for all they would be equal. Sets that are known stand in for
themselves.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import TypeAlias

from .. import clingo
from ..engine import symbols
from ..engine.ruleset import Ruleset
from ..engine.sets import NONE, OPEN_SETS, SETS, knows_sets, most_named, naming_kinds, parts, sets_in
from ..rules.loader import engine_rules
from ..rules.pattern import Pattern
from ..transform.action_splitting import Special
from .domains import Unbounded, argument_domains

Names: TypeAlias = Mapping[clingo.Symbol, clingo.Symbol]
"""For each role the name of an unknown set."""
CHOOSE = "{ chosen(M,C,1..N) } 1 :- free__(M), thing(C,_,N)."
"""The parts of an unknown set."""
EVERYTHING = "part(everything(R),C,N) :- stand_in(everything(R),R), pickable(R,C,N), not pickable(R,C,N+1)."
"""The parts of all that somebody can pick, at the first moment: no rule of the game's, or all sets would depend on it."""


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
        """Of an ruleset that is `opened`."""
        self._ruleset = ruleset

    @cached_property
    def things(self) -> Mapping[clingo.Symbol, int]:
        """What sets are made of, each thing with its place in the order."""
        return {s.arguments[0]: s.arguments[1].number for s in self._ruleset.facts("thing", 3)}

    @property
    def roles(self) -> list[clingo.Symbol]:
        """Who can name sets."""
        return [s.arguments[0] for s in self._ruleset.facts("seat", 2)]

    def unknown(self, transition: int, together: bool) -> list[Names]:
        """Of each set that an action of this transition can name the names: one for all who do not act together."""
        if not self.things:
            return []
        number = clingo.Number(transition)
        # the first one has no number of its own: most games name no second
        endings = [
            [number],
            *([number, clingo.Number(k)] for k in range(2, most_named(self._ruleset.book) + 1)),
        ]
        return [
            {role: clingo.Function("set_of", [role, *end] if together else end) for role in self.roles}
            for end in endings
        ]

    def about(self, unknown: Sequence[Names]) -> list[clingo.Symbol]:
        """What a program must be told of unknown sets."""
        facts = [clingo.Function("free__", [name]) for name in all_names(unknown)]
        facts += [
            clingo.Function("stand_in", [name, role]) for names in unknown for role, name in names.items()
        ]
        return facts + [
            clingo.Function("foreign__", [role, name])
            for names in unknown
            for role in names
            for name in names.values()
            if name != names[role]
        ]

    def known(self, terms: Iterable[clingo.Symbol]) -> list[clingo.Symbol]:
        """What a program must be told so that everybody may name these sets, nothing at all, and all that he can pick."""
        if not self.things:
            return []
        names = self.names(terms)
        facts = [clingo.Function("chosen", [name, c, n]) for name in names for c, n in parts(name)]
        return facts + [
            clingo.Function("stand_in", [name, r]) for r in self.roles for name in names if _may(r, name)
        ]

    def names(self, terms: Iterable[clingo.Symbol]) -> list[clingo.Symbol]:
        """These sets, the empty one, and for each role all that it can pick."""
        return [*{NONE, *terms}, *(clingo.Function("everything", [role]) for role in self.roles)]

    def read(self, action: Pattern, model: Sequence[clingo.Symbol]) -> Pattern:
        """An action with the sets that a model has chosen in the place of their names."""
        chosen: dict[Pattern, dict[clingo.Symbol, clingo.Symbol]] = {}
        for s in model:
            if s.name == "chosen" and len(s.arguments) == 3:
                name, thing, number = s.arguments
                chosen.setdefault(symbols.value_pattern(name), {})[thing] = number

        def visit(term: Pattern) -> Pattern:
            if term[0] != "f":
                return term
            if term[1] == "set_of":
                return symbols.value_pattern(self.term(chosen.get(term, {})))
            return ("f", term[1], tuple(map(visit, term[2])))

        return visit(action)

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


def all_names(unknown: Iterable[Names]) -> list[clingo.Symbol]:
    """The names of unknown sets, each once."""
    return list(dict.fromkeys(name for names in unknown for name in names.values()))


def apart(
    domains: Iterable[Sequence[clingo.Symbol]], unknown: Sequence[Names]
) -> Iterator[Sequence[clingo.Symbol]]:
    """The domains of an action's arguments: of those that are sets the n-th has the n-th names alone.

    Raises:
        Unbounded: There are more sets than names.
    """
    every, left = set(all_names(unknown)), iter(unknown)
    for values in domains:
        if not every.isdisjoint(values):
            names = next(left, None)
            if names is None:
                raise Unbounded("an action names more sets than its vocabulary says by set(...)")
            values = [v for v in values if v not in every or v in names.values()]
        yield values


def with_sets(
    ruleset: Ruleset, special: Special, unknown: Sequence[Names]
) -> Iterator[Sequence[clingo.Symbol]]:
    """The values of each argument of a kind of action, its sets apart: see :func:`apart`."""
    return apart(argument_domains(ruleset, special, all_names(unknown)), unknown)


def _may(role: clingo.Symbol, name: clingo.Symbol) -> bool:
    return name.name != "everything" or name.arguments == [role]


__all__ = [
    "CHOOSE",
    "EVERYTHING",
    "SETS",
    "Names",
    "Sets",
    "all_names",
    "apart",
    "knows_sets",
    "naming_kinds",
    "opened",
    "parts",
    "sets_in",
    "with_sets",
]
