"""Unknown sets: patterns for them, compared with all possible sets."""

from __future__ import annotations

from itertools import product

import clingo
import pytest
from support.heap_positions import heap

from kaiser_logic.engine import symbols
from kaiser_logic.engine.sets import parts
from kaiser_logic.game import load
from kaiser_logic.notation.syntax import parse_user_term
from kaiser_logic.notation.terms import UNKNOWN, Term, Value
from kaiser_logic.unrolling.circuit import FALSE, TRUE, Circuit
from kaiser_logic.unrolling.symbolic_state import UnknownSet, fitting, naming_decisions

KRONE = load("krone", players=2)


def matches(pattern: Value, value: Value) -> bool:
    if pattern == UNKNOWN or not isinstance(pattern, Term) or not isinstance(value, Term):
        return pattern in (UNKNOWN, value)
    same = (pattern.name, len(pattern.args)) == (value.name, len(value.args))
    return same and all(map(matches, pattern.args, value.args))


PATTERNS = [
    "?",
    "none",
    "with(1,?,none)",
    "with(?,?,?)",
    "with(2,?,?)",
    "with(?,ambush,?)",
    "with(?,ambush,none)",
    "with(?,?,with(?,?,none))",
    "with(1,truce,with(1,ambush,none))",
    "with(1,ambush,with(1,truce,?))",
    "with(?,nothing,?)",
    "other(1)",
]


@pytest.mark.parametrize("pattern", PATTERNS)
def test_patterns_agree_with_matching_of_terms(pattern: str) -> None:
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


def test_models_give_sets() -> None:
    circuit = Circuit()
    unknown = UnknownSet(circuit, KRONE.ruleset, "red")
    most = {s.arguments[0]: s.arguments[2].number for s in KRONE.ruleset.facts("thing", 3)}
    seen = set()
    for _ in range(20):
        model = circuit.solve(unknown.choices)
        assert model is not None
        found = parts(symbols.symbol(unknown.set_in(model)))
        assert all(1 <= number.number <= most[thing] for thing, number in found)
        assert len({thing for thing, _ in found}) == len(found)
        seen.add(unknown.set_in(model))
        circuit.require(-circuit.conj(v if v in model else -v for v in unknown.choices))
    assert len(seen) == 20


def test_unknown_sets_belong_to_an_action() -> None:
    circuit = Circuit()
    unknown = UnknownSet(circuit, KRONE.ruleset, "red")
    action = circuit.choice()
    force = clingo.Function("force", [unknown.name])
    unknown.belong_to({force: action, clingo.Function("pass"): circuit.choice()})
    assert circuit.solve((), [-action, unknown.choices[0]]) is None
    assert circuit.solve((), [action, unknown.choices[0]]) is not None


def test_actions_fit_patterns() -> None:
    circuit = Circuit()
    unknown = UnknownSet(circuit, KRONE.ruleset, "red")
    named = symbols.symbol(Term("force", (symbols.value(unknown.name),)))
    assert fitting(circuit, UNKNOWN, named, [unknown]) == TRUE
    assert fitting(circuit, parse_user_term("force(?)"), named, [unknown]) == TRUE
    assert fitting(circuit, parse_user_term("vote(?)"), named, [unknown]) == FALSE
    assert fitting(circuit, parse_user_term("force(none)"), named, [unknown]) == unknown.fits(Term("none"))
    plain = symbols.read_symbol("attack(a11)")
    assert fitting(circuit, parse_user_term("attack(?)"), plain, []) == TRUE
    assert fitting(circuit, parse_user_term("attack(a12)"), plain, []) == FALSE


def test_only_games_with_sets_have_names() -> None:
    assert heap().ruleset.with_open_sets() is heap().ruleset
    assert not naming_decisions(heap().book)
    assert KRONE.ruleset.with_open_sets(terms=True) is not KRONE.ruleset
    assert "force" in naming_decisions(KRONE.book)
