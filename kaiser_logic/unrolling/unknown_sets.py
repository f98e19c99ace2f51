"""Sets that are unknown in a symbolic state, such as cards laid face down: names whose parts are choices of a circuit.

To list all sets that somebody may lay out of a hand that is itself unknown would be far too much. An action has the
name of a set in its place instead, and the rules read the set by its parts (``asp/engine/open_sets.lp``), beside the
sets that are written out.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache
from typing import Final

from .. import clingo
from ..engine import symbols
from ..engine.ruleset import Ruleset
from ..engine.sets import OPEN_SETS, SETS, knows_sets, naming_kinds
from ..notation.terms import UNKNOWN, Term, Value
from ..rules.loader import engine_rules
from ..rules.rulebook import Rulebook
from .circuit import FALSE, TRUE, Circuit, Literal

_PICK: Final = ("pick", 2)
_NONE: Final = Term("none")
_NAME: Final = "unknown_set"


@lru_cache(maxsize=16)
def with_names(ruleset: Ruleset) -> Ruleset | None:
    """The ruleset that reads sets as terms and as names, and lists only names; None where a game has no sets."""
    book = ruleset.book
    if not knows_sets(book):
        return None
    listing = {r for r in engine_rules(SETS) if any(h.signature == _PICK for h in r.heads)}
    rules = tuple(r for r in book.rules if r not in listing)
    return ruleset.with_rules((*rules, *engine_rules(OPEN_SETS)))


@lru_cache(maxsize=16)
def naming_decisions(book: Rulebook) -> frozenset[str]:
    """The names of the decisions in which an action can name a set."""
    return frozenset(str(kind.decision[1]) for kind in naming_kinds(book))


class UnknownSet:
    """A set that somebody names without saying what is in it.

    Attributes:
        name: What stands in its place in an action.
        facts: What a program must be told of it.
    """

    def __init__(self, circuit: Circuit, ruleset: Ruleset, role: str, place: int = 1) -> None:
        """The set that a role names as its first, second ...: of each thing there are any number of copies, or none."""
        self._circuit = circuit
        owner = symbols.symbol(Term(role))
        self.name = clingo.Function(_NAME, [owner, clingo.Number(place)])
        self.facts: dict[clingo.Symbol, Literal] = {clingo.Function("stand_in", [self.name, owner]): TRUE}
        self._things: list[tuple[Value, dict[int, Literal]]] = []
        for thing, _, most in sorted(
            (s.arguments for s in ruleset.facts("thing", 3)), key=lambda s: s[1].number
        ):
            copies = {number: circuit.choice() for number in range(1, most.number + 1)}
            circuit.require_at_most_one(copies.values())
            self._things.append((symbols.value(thing), copies))
            for number, literal in copies.items():
                self.facts[clingo.Function("chosen", [self.name, thing, clingo.Number(number)])] = literal

    @property
    def choices(self) -> list[Literal]:
        """The literals that say what is in it."""
        return [literal for _, copies in self._things for literal in copies.values()]

    def belong_to(self, taken: Mapping[clingo.Symbol, Literal]) -> None:
        """Demands that it is empty unless one of the actions that name it is taken, in a structure maybe."""
        named = self._circuit.disj(literal for action, literal in taken.items() if _within(self.name, action))
        for literal in self.choices:
            self._circuit.require(self._circuit.disj([-literal, named]))

    def fits(self, pattern: Value, begin: int = 0) -> Literal:
        """Whether what it has of the things from the ``begin``-th on is what a pattern says."""
        if pattern == UNKNOWN:
            return TRUE
        if pattern == _NONE:
            return self._circuit.conj(-v for _, copies in self._things[begin:] for v in copies.values())
        if not isinstance(pattern, Term) or pattern.name != "with" or len(pattern.args) != 3:
            return FALSE
        number, thing, rest = pattern.args
        found: list[Literal] = []
        absent: list[Literal] = []
        for at, (other, copies) in enumerate(self._things[begin:], begin):
            if thing in (UNKNOWN, other):
                several = [v for n, v in copies.items() if number in (UNKNOWN, n)]
                here = self._circuit.conj([*absent, self._circuit.disj(several)])
                found.append(FALSE if here == FALSE else self._circuit.conj([here, self.fits(rest, at + 1)]))
            absent += (-v for v in copies.values())
        return self._circuit.disj(found)

    def read(self, model: Collection[Literal]) -> Term:
        """The set that a model has chosen."""
        found = _NONE
        for thing, copies in reversed(self._things):
            for number, literal in copies.items():
                if literal in model:
                    found = Term("with", (number, thing, found))
        return found


def _within(name: clingo.Symbol, term: clingo.Symbol) -> bool:
    if term.type is not clingo.SymbolType.Function:
        return False
    return term == name or any(_within(name, a) for a in term.arguments)


def written_out(term: Value, sets: Iterable[UnknownSet], model: Collection[Literal]) -> Value:
    """A term with the sets that a model has chosen in the place of their names."""
    if not isinstance(term, Term):
        return term
    chosen = next((s for s in sets if symbols.value(s.name) == term), None)
    if chosen is not None:
        return chosen.read(model)
    return Term(term.name, tuple(written_out(part, sets, model) for part in term.args))


def fitting(circuit: Circuit, pattern: Value, action: clingo.Symbol, sets: Collection[UnknownSet]) -> Literal:
    """Whether an action is what a pattern says, `?` standing for anything."""
    if pattern == UNKNOWN:
        return TRUE
    if (unknown := next((s for s in sets if s.name == action), None)) is not None:
        return unknown.fits(pattern)
    value = symbols.value(action)
    if not isinstance(pattern, Term) or not isinstance(value, Term):
        return TRUE if pattern == value else FALSE
    if pattern.name != value.name or len(pattern.args) != len(value.args):
        return FALSE
    pairs = zip(pattern.args, action.arguments, strict=True)
    return circuit.conj(fitting(circuit, part, argument, sets) for part, argument in pairs)


def facts_of(sets: Iterable[UnknownSet]) -> dict[clingo.Symbol, Literal]:
    """What a program must be told of several sets."""
    return {fact: literal for one in sets for fact, literal in one.facts.items()}
