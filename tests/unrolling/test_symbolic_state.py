"""Symbolic states in the heap game: each model of the circuit is a reachable position."""

import subprocess
import sys
from itertools import product

import pytest
from support.heap_game import FOLDER, after, heap
from support.tables import rows

from kaiser_logic.engine import symbols
from kaiser_logic.game import load
from kaiser_logic.notation.syntax import parse_user_term
from kaiser_logic.notation.terms import UNKNOWN, Term, Value
from kaiser_logic.position import Position
from kaiser_logic.unrolling.circuit import FALSE, TRUE, Circuit, Literal
from kaiser_logic.unrolling.symbolic_state import Planner, SymbolicState, Taken, UnknownSet, equals, fitting


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
def test_positions_agree_with_brute_force(players, before, steps):
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


def test_illegal_moves_have_their_broken_rules():
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


@pytest.mark.slow
def test_states_are_reproducible():
    """They do not depend on the order of Python's sets."""

    def traced(seed: str) -> str:
        command = [sys.executable, "-c", TRACE % str(FOLDER)]
        environment = {"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(filter(None, sys.path))}
        return subprocess.run(command, capture_output=True, text=True, check=True, env=environment).stdout

    assert traced("1") == traced("2") == traced("3") != ""


# Plans in the heap game, compared with brute force.
Plan = tuple[tuple[str, str], ...]


def planner(position: Position, effort: float = float("inf")) -> Planner:
    return Planner(position.ruleset, position.symbols, Circuit(effort=effort))


def written(plan: list[Taken]) -> Plan:
    return tuple((role, symbols.text(action)) for taken in plan for role, action in taken.items())


def plans(position: Position, steps: int, end: Position) -> set[Plan]:
    """All plans of so many steps to a position, by brute force."""
    if not steps:
        return {()} if position == end else set()
    return {
        (*zip(legal, actions, strict=True), *more)
        for legal in [position.legal()]
        if legal
        for actions in product(*legal.values())
        for more in plans(position.apply(dict(zip(legal, actions, strict=True))), steps - 1, end)
    }


@pytest.mark.parametrize(("players", "amounts"), [(2, (1, 3)), (2, (2, 2, 1, 3)), (3, (3, 1, 2)), (2, (3, 3, 3, 3))])
def test_plans_agree_with_brute_force(players, amounts):
    start, end = heap(players).initial(), after(*amounts, players=players)
    made = planner(start)
    for _ in amounts:
        assert made.free()
    found = [written(plan) for plan in made.plans(equals(made.state, made.circuit, end.symbols))]
    assert len(found) == len(set(found))
    assert set(found) == plans(start, len(amounts), end)


# Unknown sets: patterns for them, compared with all possible sets.
KRONE = load("krone", players=2)


def matches(pattern: Value, value: Value) -> bool:
    if pattern == UNKNOWN or not isinstance(pattern, Term) or not isinstance(value, Term):
        return pattern in (UNKNOWN, value)
    same = (pattern.name, len(pattern.args)) == (value.name, len(value.args))
    return same and all(map(matches, pattern.args, value.args))


@pytest.mark.parametrize("pattern", rows("unrolling/unrolling", "pattern"))
def test_patterns_agree_with_matching_of_terms(pattern):
    """Of all sets of two kinds of things, a pattern fits those that it matches as terms."""
    circuit = Circuit()
    unknown = UnknownSet(circuit, KRONE.ruleset, "red")
    wanted = parse_user_term(pattern) if pattern != "?" else UNKNOWN
    fits = unknown.fits(wanted)
    copies = {(str(thing), n): literal for thing, some in unknown._things for n, literal in some.items()}
    for ambushes, truces in product([0, 1, 2], repeat=2):
        chosen = {copies.get(("ambush", ambushes)), copies.get(("truce", truces))} - {None}
        assumed = [v if v in chosen else -v for v in unknown.choices]
        model = circuit.solve(unknown.choices, assumed)
        if model is None:  # there are not enough copies
            assert len(chosen) < (ambushes > 0) + (truces > 0)
            continue
        assert (circuit.solve((), [*assumed, fits]) is not None) == matches(wanted, unknown.set_in(model))


def test_an_unknown_set_belongs_to_its_action_and_fits_patterns_in_it():
    circuit = Circuit()
    unknown, action = UnknownSet(circuit, KRONE.ruleset, "red"), circuit.choice()
    force = symbols.symbol(Term("force", (symbols.value(unknown.name),)))
    unknown.belong_to({force: action, symbols.read_symbol("pass"): circuit.choice()})
    assert [circuit.solve((), [v, unknown.choices[0]]) is None for v in (-action, action)] == [True, False]
    named = ["force(?)", "vote(?)", "force(?,?)", "force(none)"]
    fits = [fitting(circuit, parse_user_term(text), force, [unknown]) for text in named]
    assert fits == [TRUE, FALSE, FALSE, unknown.fits(Term("none"))]
    assert fitting(circuit, UNKNOWN, force, [unknown]) == TRUE


def test_a_fixed_step_is_taken_by_those_who_decide_and_no_others():
    made = planner(heap().initial())
    assert made.free() and made.fix({"green": symbols.read_symbol("take(2)")})
    found = {written(plan) for plan in made.plans(equals(made.state, made.circuit, after(1, 2).symbols))}
    assert found == {(("red", "take(1)"), ("green", "take(2)"))}
    assert not planner(heap().initial()).fix({"green": symbols.read_symbol("take(2)")})
    assert not planner(after(3, 3, 3, 2)).fix({"red": symbols.read_symbol("take(2)")})
