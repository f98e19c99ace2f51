"""A course of a game of which some steps are open: whoever decides then may do whatever is legal.

Where a `Trail` says what may be the case, this keeps the decisions that lead there, and reads them from a model.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeAlias

import clingo

from ..engine import symbols
from ..engine.grounding import Program
from ..position import Position
from ..rules.pattern import Signature
from .circuit import FALSE, TRUE, Circuit, Literal
from .external_grounding import Open
from .symbolic_state import Trail

Taken: TypeAlias = Mapping[str, clingo.Symbol]
"""The decisions of one step, by role."""


class Loosened:
    """A course from a position on.

    Attributes:
        trail: Where it can be by now.
        circuit: What its unknowns are tied to.
    """

    def __init__(self, start: Position, deadline: float, effort: float = 0.4) -> None:
        """Without any step yet.

        Args:
            start: Where the course begins.
            deadline: When to give up, on the clock `time.monotonic`.
            effort: How much of the time to spend on finding out what is certain.
        """
        self.circuit = Circuit(deadline)
        self.trail = Trail(start.ruleset, start.symbols, self.circuit, effort)
        self._steps: list[dict[str, Open]] = []

    def keep(self, taken: Taken) -> bool:
        """A step in which exactly these decisions are made; False where that is possible nowhere.

        Raises:
            NotDecided: The deadline has passed.
        """
        self.circuit.check_time()
        decides = self.trail.decisions()
        for role in decides.keys() | taken.keys():
            literal = decides.get(role, FALSE)
            self.circuit.require(literal if role in taken else -literal)
        self._steps.append({role: {action: TRUE} for role, action in taken.items()})
        for literal in self.trail.play(taken, {}).values():
            self.circuit.require(-literal)
        self.trail.settle()
        return self.trail.narrow()

    def open(self, widest: int | None = None) -> bool:
        """A step in which everybody who decides does something legal; False where nobody can decide anything.

        Decisions with more actions than ``widest`` are excluded.

        Raises:
            NotDecided: The deadline has passed, or there is too much to choose from.
        """
        self.circuit.check_time()
        circuit, decides, legal = self.circuit, self.trail.decisions(), self.trail.legal()
        wide = [role for role in decides if widest is not None and len(legal.get(role, ())) > widest]
        for role in wide:
            circuit.require(-decides.pop(role))
        circuit.require(circuit.disj(decides.values()))
        step: dict[str, Open] = {}
        for role, literal in decides.items():
            choices = {action: (circuit.choice(), allowed) for action, allowed in legal.get(role, {}).items()}
            for choice, allowed in choices.values():
                circuit.require(circuit.disj([-choice, allowed]))
            circuit.require(circuit.disj([-literal, *(choice for choice, _ in choices.values())]))
            circuit.require_at_most_one([choice for choice, _ in choices.values()])
            step[role] = {action: circuit.value(choice) for action, (choice, _) in choices.items()}
        self._steps.append(step)
        several = circuit.at_least(2, [(literal, 1) for literal in decides.values()])
        together = several != FALSE and circuit.solve((), [several]) is not None
        for literal in self.trail.play({}, step, together).values():
            circuit.require(-literal)
        self.trail.settle()
        return self.trail.narrow()

    def courses(self, aim: Literal) -> Iterator[list[Taken]]:
        """The decisions that lead to where the aim holds now, in all ways.

        Raises:
            NotDecided: The deadline has passed.
        """
        open = [v for step in self._steps for choices in step.values() for v in choices.values()]
        while aim != FALSE and (model := self.circuit.solve([TRUE, *open], [aim])) is not None:
            yield [_read(step, model) for step in self._steps]
            self.circuit.require(-self.circuit.conj([aim, *(v if v in model else -v for v in open)]))


def _read(step: Mapping[str, Open], model: set[Literal]) -> Taken:
    return {role: action for role, choices in step.items() for action, v in choices.items() if v in model}


def equals(trail: Trail, circuit: Circuit, facts: Iterable[clingo.Symbol]) -> Literal:
    """Whether the position is now the one with these facts."""
    wanted = set(facts)
    return circuit.conj(
        [*map(trail.literal, wanted), *(-v for f, v in trail.facts.items() if f not in wanted)]
    )


def follows(trail: Trail, circuit: Circuit, program: Program, signature: Signature) -> Literal:
    """Whether a program derives some atom of a predicate from the facts that hold now."""
    return circuit.disj(trail.derived(program, signature).values())


def actions_of(taken: Taken) -> dict[str, str]:
    """The decisions as texts."""
    return {role: symbols.text(action) for role, action in taken.items()}
