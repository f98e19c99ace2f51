"""The scenarios that a difference concerns are found, and a position in which the two games diverge."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.heap_game import ENOUGH
from support.opened import PIGEONS, changed, heap

from kaiser_logic.comparison import divergence as divergence_module
from kaiser_logic.comparison.divergence import Divergence, DivergenceQuestion, check, divergence
from kaiser_logic.comparison.scenarios import scenarios
from kaiser_logic.errors import NotDecided
from kaiser_logic.game import Game
from kaiser_logic.lang.printer import show_term
from kaiser_logic.lang.terms import Atom, Int, Name
from kaiser_logic.solving.build import atom, never


def labels(one: Game, other: Game) -> list[tuple[str, ...]]:
    """The transition and the steps of each scenario that differs."""
    found = []
    for scenario in scenarios(one.ruleset, other.ruleset):
        label = scenario.transition.label if scenario.transition is not None else "result"
        found.append((label, *(show_term(step) for step in scenario.steps)))
    return found


def first_divergence(one: Game, other: Game) -> Divergence | None:
    """The divergence in the first scenario that differs."""
    return divergence(one.ruleset, other.ruleset, scenarios(one.ruleset, other.ruleset)[0])


def check_first(one: Game, other: Game) -> None:
    """Compares the encoding of the first scenario with the evaluation."""
    check(one.ruleset, other.ruleset, scenarios(one.ruleset, other.ruleset)[0])


def test_a_game_has_no_scenario_of_difference_with_itself() -> None:
    assert scenarios(heap().ruleset, heap().ruleset) == []


def test_a_ruling_about_the_result_diverges_at_the_end() -> None:
    one, other = heap(), heap(last_stone="loses")
    assert labels(one, other) == [("result",)]
    found = first_divergence(one, other)
    assert found is not None
    assert found.actions == ()
    results = [game.position(found.facts).result() for game in (one, other)]
    assert results[0] != results[1]


def test_another_rule_about_an_action_diverges_in_legality(tmp_path: Path) -> None:
    other = changed(
        tmp_path, {ENOUGH: ENOUGH + '\nviolates(R,take(3),"take") :- candidate(R,take(3)), heap(7).'}
    )
    assert labels(heap(), other) == [("take(K)",)]
    found = first_divergence(heap(), other)
    assert found is not None
    assert "heap(7)" in found.facts
    ((role, action),) = found.actions
    assert action == "take(3)"
    assert heap().position(found.facts).is_legal(role, action)
    assert not other.position(found.facts).is_legal(role, action)


def test_another_step_after_an_action_diverges_after_the_action(tmp_path: Path) -> None:
    """The steps that follow an action are compared together with it."""
    other = changed(tmp_path, {"took(R), left(R,Q), holds_at_least(1).": "took(Q), holds_at_least(1)."})
    assert labels(heap(), other) == [("take(K)", "pass_on")]
    found = first_divergence(heap(), other)
    assert found is not None
    after = [game.position(found.facts).apply(dict(found.actions)) for game in (heap(), other)]
    assert after[0].facts != after[1].facts


@pytest.mark.parametrize("more", ["heap(N), N > 20", "heap(0)", "took(R), heap(12)"])
def test_a_rule_that_no_valid_position_meets_makes_no_difference(tmp_path: Path, more: str) -> None:
    """The rules differ, but in two of the three cases no valid position shows it."""
    other = changed(
        tmp_path, {ENOUGH: f'{ENOUGH}\nviolates(R,take(1),"take") :- candidate(R,take(1)), {more}.'}
    )
    assert labels(heap(), other) == [("take(K)",)]
    shown = first_divergence(heap(), other)
    assert (shown is None) == (more != "took(R), heap(12)")


@pytest.mark.parametrize("effort", [20, 200_000])
def test_a_question_that_takes_too_many_conflicts_is_not_decided(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, effort: int
) -> None:
    """With more effort the solver shows that there is no difference."""
    for folder in ("one", "other"):
        (tmp_path / folder).mkdir()
    rules = f"{PIGEONS}alone(P) :- P = 1..7, not at(P,_)."
    one = changed(tmp_path / "one", {ENOUGH: f"{ENOUGH}\n{rules}"})
    more = 'violates(R,take(1),"take") :- candidate(R,take(1)), not alone(_).'
    other = changed(tmp_path / "other", {ENOUGH: f"{ENOUGH}\n{rules}\n{more}"})
    for limit in ("_EFFORT", "_AT_MOST"):
        monkeypatch.setattr(divergence_module, limit, effort)
    if effort > 20:
        assert first_divergence(one, other) is None
        return
    with pytest.raises(NotDecided, match="it takes more than"):
        first_divergence(one, other)


def exclude(monkeypatch: pytest.MonkeyPatch, excluded: Atom) -> None:
    """Adds to the program that this atom never holds: a fault of the encoding."""
    original = DivergenceQuestion._add_goals

    def add_goals(question: DivergenceQuestion) -> None:
        question.program.add(never(excluded))
        original(question)

    monkeypatch.setattr(DivergenceQuestion, "_add_goals", add_goals)


@pytest.mark.slow
def test_an_encoding_that_excludes_a_position_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = changed(
        tmp_path, {ENOUGH: ENOUGH + '\nviolates(R,take(3),"take") :- candidate(R,take(3)), heap(7).'}
    )
    exclude(monkeypatch, atom("heap", Int(7)))
    assert first_divergence(heap(), other) is None
    with pytest.raises(NotDecided, match="its encoding is not what the rules say"):
        check_first(heap(), other)


@pytest.mark.slow
def test_an_encoding_that_excludes_a_result_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    exclude(monkeypatch, atom("phase", Name("over")))
    one, other = heap(), heap(last_stone="loses")
    assert first_divergence(one, other) is None
    with pytest.raises(NotDecided, match="its encoding is not what the rules say"):
        check_first(one, other)
