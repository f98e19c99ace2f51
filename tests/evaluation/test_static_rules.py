"""Rules that read only static facts hold in all positions, and they are evaluated like all other rules."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.heap_game import variant
from support.heap_positions import OVER, START, facts

from kaiser_logic.engine import symbols
from kaiser_logic.errors import NotDecided
from kaiser_logic.evaluation.evaluator import Evaluator
from kaiser_logic.game import load

ENGINES = ["compiled", "clingo"]
GOALS = [
    "goal(R,1) :- terminal, took(R), ruling(last_stone,wins).",
    "goal(R,0) :- terminal, player(R), not took(R), ruling(last_stone,wins).",
    "goal(R,0) :- terminal, took(R), ruling(last_stone,loses).",
    "goal(R,1) :- terminal, player(R), not took(R), ruling(last_stone,loses).",
]


def with_rules(folder: Path, engine: str, rules: str, **more: str) -> Evaluator:
    """The heap game with more rules and other changes."""
    folder = variant(folder, {"amount(1..3).": f"amount(1..3).\n{rules}", **more})
    return load(folder, players=2, engine=engine).evaluator


@pytest.mark.parametrize("engine", ENGINES)
def test_points_may_depend_on_seats_only(engine: str, tmp_path: Path) -> None:
    evaluator = load(
        variant(tmp_path, dict(zip(GOALS, ["goal(R,I) :- seat(R,I).", "", "", ""], strict=True))),
        players=2,
        engine=engine,
    ).evaluator
    assert evaluator.outcome(OVER) == ({"red": 1, "green": 2}, ["green"])
    assert evaluator.outcome(START) is None


@pytest.mark.parametrize("engine", ENGINES)
def test_the_winner_may_depend_on_a_seat_only(engine: str, tmp_path: Path) -> None:
    changes = {'"decisions", "end"]': '"decisions"]'}
    rules = "terminal :- phase(over).\nwinner(R) :- seat(R,2)."
    assert with_rules(tmp_path, engine, rules, **changes).outcome(OVER) == ({"red": 1, "green": 0}, ["green"])


@pytest.mark.parametrize("engine", ENGINES)
def test_weights_may_be_facts(engine: str, tmp_path: Path) -> None:
    found = with_rules(
        tmp_path, engine, "weight(take(1),99). weight(take(K),1) :- amount(K), K > 1."
    ).weights(START)
    assert {symbols.text(a): n for a, n in found.items()} == {"take(1)": 99, "take(2)": 1, "take(3)": 1}


@pytest.mark.parametrize("engine", ENGINES)
def test_a_fact_may_be_concealed_in_all_positions(engine: str, tmp_path: Path) -> None:
    evaluator = with_rules(tmp_path, engine, "conceals(green,took(R)) :- player(R).\ninstead(green,someone).")
    assert evaluator.view(OVER, "green") == (OVER | facts("someone")) - facts("took(red)")
    assert evaluator.view(OVER, "red") == OVER


@pytest.mark.parametrize("engine", ENGINES)
def test_actions_may_be_too_many_in_all_positions(engine: str, tmp_path: Path) -> None:
    evaluator = with_rules(tmp_path, engine, "too_many(R,2) :- player(R).")
    with pytest.raises(NotDecided, match="has more than 2 actions"):
        evaluator.legal(START)


@pytest.mark.parametrize("engine", ENGINES)
def test_candidates_and_violations_may_be_static(engine: str, tmp_path: Path) -> None:
    rules = "candidate(green,take(1)).\n%! rule never -- Nobody takes two.\n%!   standard  Nowhere\n"
    evaluator = with_rules(tmp_path, engine, f'{rules}violates(R,take(2),"never") :- player(R).')
    legal = {(role, symbols.text(action)) for role, action in evaluator.legal(START)}
    assert legal == {("red", "take(1)"), ("red", "take(3)"), ("green", "take(1)")}
    assert [
        rule for _, _, rule in evaluator.judge(START, {"red": symbols.read_symbol("take(2)")}).violations
    ] == ["never"]
    for role, action in legal:  # a rule against an action does not forbid others
        found = evaluator.judge(START, {role: symbols.read_symbol(action)}).violations
        assert "never" not in {rule for _, _, rule in found}
