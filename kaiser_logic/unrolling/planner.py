"""Plans: fixed and free decisions of a game's next steps that lead to an aim.

Where a `SymbolicState` says what may be the case, this keeps the decisions that lead there, and reads them from a model.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeAlias

from .. import clingo
from ..engine.ruleset import Ruleset
from .circuit import FALSE, TRUE, Circuit, Literal
from .symbolic_state import NARROWING, Open, SymbolicState

Taken: TypeAlias = Mapping[str, clingo.Symbol]
"""The decisions of one step, by role."""


class Planner:
    """The steps from a position on, and where they lead.

    Attributes:
        state: Where the game can be after them.
        circuit: What its unknowns are tied to; its limits are the planner's.
    """

    def __init__(
        self,
        ruleset: Ruleset,
        facts: Iterable[clingo.Symbol],
        circuit: Circuit,
        narrowing: float = NARROWING,
    ) -> None:
        """Without any step yet.

        Args:
            ruleset: The rules in force.
            facts: Those of the position where the plans begin.
            circuit: What its unknowns are tied to.
            narrowing: The share of the work that goes into finding out what is certain.
        """
        self.circuit = circuit
        self.state = SymbolicState(ruleset, facts, circuit, narrowing)
        self._steps: list[dict[str, Open]] = []

    def fix(self, taken: Taken) -> bool:
        """A step in which exactly these decisions are made; False where that is possible nowhere.

        Raises:
            NotDecided: A limit of the circuit has been reached.
        """
        self.circuit.check_limits()
        decides = self.state.decisions()
        for role in sorted(decides.keys() | taken.keys()):
            literal = decides.get(role, FALSE)
            self.circuit.require(literal if role in taken else -literal)
        self._steps.append({role: {action: TRUE} for role, action in taken.items()})
        for literal in self.state.play(taken, {}).values():
            self.circuit.require(-literal)
        self.state.settle()
        return self.state.narrow()

    def free(self, widest: int | None = None) -> bool:
        """A step in which everybody who decides does something legal; False where nobody can decide anything.

        Decisions with more actions than ``widest`` are excluded.

        Raises:
            NotDecided: A limit of the circuit has been reached, or there is too much to choose from.
        """
        self.circuit.check_limits()
        circuit, decides, legal = self.circuit, self.state.decisions(), self.state.legal()
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
        joint = several != FALSE and circuit.solve((), [several]) is not None
        for literal in self.state.play({}, step, joint).values():
            circuit.require(-literal)
        self.state.settle()
        return self.state.narrow()

    def plans(self, aim: Literal) -> Iterator[list[Taken]]:
        """The decisions of all steps that lead to where the aim holds now, in all ways.

        Raises:
            NotDecided: A limit of the circuit has been reached.
        """
        open = [v for step in self._steps for choices in step.values() for v in choices.values()]
        while aim != FALSE and (model := self.circuit.solve([TRUE, *open], [aim])) is not None:
            yield [_read(step, model) for step in self._steps]
            self.circuit.require(-self.circuit.conj([aim, *(v if v in model else -v for v in open)]))


def _read(step: Mapping[str, Open], model: set[Literal]) -> Taken:
    return {role: action for role, choices in step.items() for action, v in choices.items() if v in model}


def equals(state: SymbolicState, circuit: Circuit, facts: Iterable[clingo.Symbol]) -> Literal:
    """Whether the position is now the one with these facts."""
    wanted = set(facts)
    return circuit.conj(
        [*map(state.literal, wanted), *(-v for f, v in state.facts.items() if f not in wanted)]
    )
