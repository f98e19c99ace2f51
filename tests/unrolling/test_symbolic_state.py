"""Symbolic states in the heap game: each model of the circuit is a reachable position."""

from __future__ import annotations

import subprocess
import sys

import pytest
from support.heap_game import FOLDER
from support.heap_positions import after, heap

from kaiser_logic.engine import symbols
from kaiser_logic.position import Position
from kaiser_logic.unrolling.circuit import FALSE, TRUE, Circuit, Literal
from kaiser_logic.unrolling.symbolic_state import SymbolicState


def free(state: SymbolicState, circuit: Circuit) -> None:
    """Adds a step in which whoever decides does something legal."""
    decides, taken = state.decisions(), {}
    for role, legal in state.legal().items():
        taken[role] = {action: circuit.choice() for action in legal}
        for action, choice in taken[role].items():
            circuit.require(circuit.disj([-choice, legal[action]]))
        circuit.require(circuit.disj([-decides[role], *taken[role].values()]))
        circuit.require_at_most_one(list(taken[role].values()))
    for broken in state.play({}, taken).values():
        circuit.require(-broken)
    state.settle()


def positions(state: SymbolicState, circuit: Circuit) -> set[frozenset[str]]:
    """The facts of all positions that the state stands for."""
    found = set()
    literals = state.facts.values()
    while (model := circuit.solve([TRUE, *literals])) is not None:
        found.add(frozenset(symbols.text(f) for f, v in state.facts.items() if v in model))
        values: list[Literal] = [v if v in model else -v for v in literals]
        circuit.require(-circuit.conj(values))
    return found


def reached(start: set[Position]) -> set[Position]:
    return {p.apply({role: a}) for p in start for role, actions in p.legal().items() for a in actions}


@pytest.mark.parametrize(("players", "before"), [(2, ()), (3, (1,)), (2, (3, 3, 2))])
@pytest.mark.parametrize("steps", [1, 2, 3])
def test_positions_agree_with_brute_force(players: int, before: tuple[int, ...], steps: int) -> None:
    start = after(*before, players=players)
    expected = {start}
    circuit = Circuit()
    state = SymbolicState(start.ruleset, start.symbols, circuit)
    for step in range(steps):
        over = {p for p in expected if not p.to_move}
        for position in over:  # games that are over cannot continue, so they are excluded
            literals = [state.literal(s) for s in position.symbols]
            circuit.require(-circuit.conj(literals))
        expected = reached(expected - over)
        free(state, circuit)
        assert state.narrow(), step
    assert positions(state, circuit) == {p.facts for p in expected}


def test_facts_after_known_moves_are_certain() -> None:
    start = heap().initial()
    state = SymbolicState(start.ruleset, start.symbols, Circuit())
    assert state.play({"red": symbols.read_symbol("take(3)")}, {}) == {}
    state.settle()
    assert {symbols.text(f) for f, v in state.facts.items() if v == TRUE} == after(3).facts
    assert set(state.facts.values()) == {TRUE}


def test_illegal_moves_have_their_broken_rules() -> None:
    start = after(3, 3, 3)
    circuit = Circuit()
    state = SymbolicState(start.ruleset, start.symbols, circuit)
    free(state, circuit)
    broken = state.play({"red": symbols.read_symbol("take(2)")}, {})
    assert set(broken) == {
        ("red", "take"),
        ("red", "take.enough"),
    }  # the game may also be over, so that it is not red's turn
    assert broken["red", "take.enough"] not in (TRUE, FALSE)
    for literal in broken.values():
        circuit.require(-literal)
    assert state.literal(symbols.read_symbol("taken(green,3)")) not in (TRUE, FALSE)
    state.narrow()
    assert circuit.solve((), [state.literal(symbols.read_symbol("taken(green,5)"))]) is None


def test_outcome_of_open_states() -> None:
    start = after(3, 3, 3)
    circuit = Circuit()
    state = SymbolicState(start.ruleset, start.symbols, circuit)
    free(state, circuit)
    over, winners = state.outcome()
    heap_empty = state.literal(symbols.read_symbol("heap(0)"))
    stones = [v for f, v in state.facts.items() if f.name == "heap"]
    assert circuit.solve((), [over, *(v for v in stones if v != heap_empty)]) is None
    assert circuit.solve((), [over, -winners["green"]]) is None
    assert circuit.solve((), [over]) is not None
    assert circuit.solve((), [-over]) is not None


TRACE = """
from pathlib import Path
from kaiser_logic.game import load
from kaiser_logic.unrolling.circuit import Circuit
from kaiser_logic.unrolling.symbolic_state import Planner
start = load(Path(%r), players=3).initial()
planner = Planner(start.ruleset, start.symbols, Circuit())
for _ in range(4):
    planner.free()
print(planner.circuit.work, [(str(f), v) for f, v in planner.state.facts.items()])
"""


def test_states_are_reproducible() -> None:
    """They do not depend on the order of Python's sets."""

    def traced(seed: str) -> str:
        command = [sys.executable, "-c", TRACE % str(FOLDER)]
        environment = {"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(filter(None, sys.path))}
        return subprocess.run(command, capture_output=True, text=True, check=True, env=environment).stdout

    assert traced("1") == traced("2") == traced("3") != ""
