"""A query asked of given positions."""

from __future__ import annotations

import re

from ..engine.grounding import Grounding, Program
from ..errors import WrongUsage
from ..game import Game
from ..position import Position
from ..rules.loader import parse_rules
from ..rules.pattern import Pattern
from ..rules.rule import Rule, top
from ..transform.slicing import anywhere
from ..unrolling.circuit import FALSE, Circuit, Literal
from ..unrolling.symbolic_state import SymbolicState
from .language import LEGAL, VIOLATES, Query


class Goal:
    """A query asked of given positions: does it hold, and how much of it does not."""

    def __init__(self, game: Game, query: Query) -> None:
        """Prepares the program; ``violates`` can only be asked of open positions."""
        if query.asks(VIOLATES):
            raise WrongUsage("violates(...) cannot be asked together with --reachable; legal(...) can")
        self.query = query
        ruleset = game.ruleset
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
        self._known: dict[Position, tuple[bool, int]] = {}

    def _ask(self, position: Position) -> tuple[bool, int]:
        found = self._known.get(position)
        if found is None:
            grounding = Grounding(self._program, position.symbols)
            holds = bool(grounding.get("query", 0))
            met = len(grounding.get("met", 1))
            if len(self._known) > 200_000:
                self._known.clear()
            found = self._known[position] = (holds, 0 if holds else max(1, self._parts - met))
        return found

    def holds(self, position: Position) -> bool:
        """Whether the query holds there."""
        return self._ask(position)[0]

    def distance(self, position: Position) -> int:
        """How many of its literals do not hold there, each with those that bind its variables."""
        return self._ask(position)[1]

    @property
    def words(self) -> frozenset[str]:
        """The constants that the query mentions."""
        return frozenset(c for atom in self.query.atoms for a in atom.args for c in _constants(a))

    def literal(self, state: SymbolicState, circuit: Circuit) -> Literal:
        """Whether the query holds where a symbolic state has come to."""
        return state.derived(self._program, ("query", 0)).get((), FALSE)


def _constants(pattern: Pattern) -> set[str]:
    if pattern[0] == "f":
        return set().union(*(_constants(a) for a in pattern[2]))
    return {str(pattern[1])} if pattern[0] == "c" and str(pattern[1])[0].islower() else set()


def _alone(query: Query) -> list[str]:
    """Each literal with the facts that bind its variables."""
    bodies = []
    for text in query.literals:
        names = set(re.findall(r"\b[A-Z]\w*", text))
        if text in query.facts:
            bodies.append(text)
            continue
        binding = [f for f in query.facts if names & set(re.findall(r"\b[A-Z]\w*", f))]
        bodies.append("; ".join([*binding, text]))
    return bodies
