"""A query as the goal of a search: does it hold in a given position, and how far is the position from it."""

from __future__ import annotations

import re
from typing import Final, Protocol

import clingo

from ..engine.grounding import Grounding, Program
from ..engine.ruleset import Ruleset
from ..errors import WrongUsage
from ..rules.loader import parse_rules
from ..rules.pattern import Pattern
from ..rules.predicates import LEGAL, VIOLATES
from ..rules.rule import Rule, top
from ..transform.slicing import anywhere
from ..unrolling.circuit import FALSE, Circuit, Literal
from ..unrolling.symbolic_state import SymbolicState
from .language import Query

_EQUATION: Final = re.compile(r"(?!#)(?!.*\{.*\} = 0$).*(?<![<>!])= ")
_REMEMBERED: Final = 200_000
"""Of so many positions at most the answer is kept."""


class Given(Protocol):
    """A given position, as far as a query is about it."""

    @property
    def symbols(self) -> frozenset[clingo.Symbol]:
        """Its facts."""


class Goal:
    """A query asked of given positions.

    Attributes:
        query: The query.
    """

    def __init__(self, ruleset: Ruleset, query: Query) -> None:
        """Prepares the program.

        Raises:
            WrongUsage: The query asks for ``violates``, which only open positions can tell.
        """
        if query.asks(VIOLATES):
            raise WrongUsage("violates(...) cannot be asked together with --reachable; legal(...) can")
        self.query = query
        lines = [f"query :- {query.body}."]
        lines += [f"met({k}) :- {body}." for k, body in enumerate(_alone(query))]
        rules = parse_rules("\n".join([*lines, "met(none) :- #false."]))
        fluents = ruleset.book.fluents
        wanted = {a.signature for a in query.atoms if a.signature not in fluents} - set(ruleset.static)
        slicer = ruleset.enumerating if query.asks(LEGAL) else ruleset.judging
        needed: dict[str, Rule] = {
            r.text: r for r in slicer.slice(anywhere(), [top(*s) for s in sorted(wanted)])
        }
        self._program: Program = ruleset.complete((*needed.values(), *rules))
        self._parts = len(query.literals)
        self._known: dict[frozenset[clingo.Symbol], int] = {}

    def unmet(self, facts: frozenset[clingo.Symbol]) -> int:
        """How many of its literals do not hold with these facts; 0 exactly where the query holds."""
        found = self._known.get(facts)
        if found is None:
            grounding = Grounding(self._program, facts)
            holds = bool(grounding.get("query", 0))
            met = len(grounding.get("met", 1))
            if len(self._known) > _REMEMBERED:
                self._known.clear()
            found = self._known[facts] = 0 if holds else max(1, self._parts - met)
        return found

    def holds(self, position: Given) -> bool:
        """Whether the query holds in a position."""
        return self.unmet(position.symbols) == 0

    def distance(self, position: Given) -> int:
        """How many of its literals do not hold there, each with those that bind its variables."""
        return self.unmet(position.symbols)

    @property
    def words(self) -> frozenset[str]:
        """The constants that the query mentions, such as ``green``."""
        return frozenset(c for atom in self.query.atoms for a in atom.args for c in _constants(a))

    def literal(self, state: SymbolicState, circuit: Circuit) -> Literal:
        """Whether the query holds where a run that is partly unknown has come to."""
        return state.derived(self._program, ("query", 0)).get((), FALSE)


def _constants(pattern: Pattern) -> set[str]:
    if pattern[0] == "f":
        return set().union(*(_constants(a) for a in pattern[2]))
    return {str(pattern[1])} if pattern[0] == "c" and str(pattern[1])[0].islower() else set()


def _alone(query: Query) -> list[str]:
    """Each literal with the facts and equations that bind its variables."""
    equations = [x for x in query.literals if x not in query.facts and _EQUATION.match(x)]
    bodies = []
    for text in query.literals:
        if text in query.facts:
            bodies.append(text)
            continue
        names, used = _names(text), {text: None}
        while True:
            more = [e for e in equations if e not in used and names & _names(e)]
            if not more:
                break
            used |= dict.fromkeys(more)
            names = names.union(*map(_names, more))
        bodies.append("; ".join([*(f for f in query.facts if names & _names(f)), *reversed(used)]))
    return bodies


def _names(text: str) -> set[str]:
    """The variables in a literal."""
    return set(re.findall(r"\b[A-Z]\w*", text))
