"""Positions with moves that no game has, made of what is known of a part."""

from __future__ import annotations

import pytest
from support.opened import heap

from kaiser_logic.game import load
from kaiser_logic.proof.known_part import PartialProgram
from kaiser_logic.proof.lifted import lifted
from kaiser_logic.symbolic.invariants import GENERAL, invariants
from kaiser_logic.symbolic.projected import decision_sorts
from kaiser_logic.symbolic.transitions import transitions

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("name", "label"), [("heap", "take(K)"), ("vive", "contest_again"), ("vive", "step claim")]
)
def test_they_are_valid_and_legal(name: str, label: str) -> None:
    game = heap() if name == "heap" else load("vive", players=3)
    ruleset = game.ruleset
    transition = next(t for t in transitions(ruleset, decision_sorts(ruleset)) if t.label == label)
    lemmas = [i for i in invariants(ruleset).assumed if i not in GENERAL]
    program = PartialProgram(game.evaluator, transition, lemmas)
    found = lifted(game.evaluator, transition, program, lemmas)
    assert found
    for pair in found:
        assert not {i for i, _ in game.evaluator.broken(pair.facts, waive=False)} & set(lemmas)
        assert not pair.actions or not game.evaluator.judge(pair.facts, dict(pair.actions)).violations
        assert program.differs(pair) is None


def test_none_where_a_transition_is_impossible() -> None:
    """As no position is looked at in which the step is due."""
    game = load("vive", players=3)
    ruleset = game.ruleset
    transition = next(t for t in transitions(ruleset, decision_sorts(ruleset)) if t.label == "step set_up")
    lemmas = [i for i in invariants(ruleset).assumed if i not in GENERAL]
    program = PartialProgram(game.evaluator, transition, lemmas)
    program.solver.add("none", ":- due(set_up).")
    assert lifted(game.evaluator, transition, program, lemmas) == []
