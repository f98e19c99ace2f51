"""Which scenarios a difference concerns, and where readings diverge."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.opened import PIGEONS, changed, heap

from kaiser_logic.comparison import divergence as divergence_
from kaiser_logic.comparison.divergence import Divergence, Question, check, divergence
from kaiser_logic.comparison.scenarios import scenarios
from kaiser_logic.errors import NotDecided
from kaiser_logic.game import Game
from kaiser_logic.lang.printer import show_term
from kaiser_logic.lang.terms import Atom, Int, Name
from kaiser_logic.solving.build import atom, never


def labels(first: Game, second: Game) -> list[tuple[str, ...]]:
    found = []
    for scenario in scenarios(first.ruleset, second.ruleset):
        label = scenario.transition.label if scenario.transition is not None else "result"
        found.append((label, *(show_term(step) for step in scenario.steps)))
    return found


def first(one: Game, other: Game) -> Divergence | None:
    return divergence(one.ruleset, other.ruleset, scenarios(one.ruleset, other.ruleset)[0])


def checked(one: Game, other: Game) -> None:
    check(one.ruleset, other.ruleset, scenarios(one.ruleset, other.ruleset)[0])


def test_one_game_with_itself() -> None:
    assert scenarios(heap().ruleset, heap().ruleset) == []


def test_a_ruling_about_the_result() -> None:
    one, other = heap(), heap(last_stone="loses")
    assert labels(one, other) == [("result",)]
    found = first(one, other)
    assert found is not None
    assert found.actions == ()
    results = [game.position(found.facts).result() for game in (one, other)]
    assert results[0] != results[1]


ACTION = 'violates(R,take(K),"take.enough") :- candidate(R,take(K)), heap(N), not holds_at_least(K).'


def test_another_rule_about_an_action(tmp_path: Path) -> None:
    other = changed(
        tmp_path, {ACTION: ACTION + '\nviolates(R,take(3),"take") :- candidate(R,take(3)), heap(7).'}
    )
    assert labels(heap(), other) == [("take(K)",)]
    found = first(heap(), other)
    assert found is not None
    assert "heap(7)" in found.facts
    ((role, action),) = found.actions
    assert action == "take(3)"
    assert heap().position(found.facts).is_legal(role, action)
    assert not other.position(found.facts).is_legal(role, action)


def test_another_step_after_an_action(tmp_path: Path) -> None:
    """The steps that follow an action are looked at with it."""
    other = changed(tmp_path, {"took(R), left(R,Q), holds_at_least(1).": "took(Q), holds_at_least(1)."})
    assert labels(heap(), other) == [("take(K)", "pass_on")]
    found = first(heap(), other)
    assert found is not None
    after = [game.position(found.facts).apply(dict(found.actions)) for game in (heap(), other)]
    assert after[0].facts != after[1].facts


@pytest.mark.parametrize("more", ["heap(N), N > 20", "heap(0)", "took(R), heap(12)"])
def test_what_cannot_be_makes_no_difference(tmp_path: Path, more: str) -> None:
    """Rules differ, and no valid position shows it."""
    other = changed(
        tmp_path, {ACTION: f'{ACTION}\nviolates(R,take(1),"take") :- candidate(R,take(1)), {more}.'}
    )
    assert labels(heap(), other) == [("take(K)",)]
    shown = first(heap(), other)
    assert (shown is None) == (more != "took(R), heap(12)")


@pytest.mark.parametrize("effort", [20, 200_000])
def test_what_takes_too_many_conflicts_is_not_decided(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, effort: int
) -> None:
    """So it is not the same."""
    for folder in ("one", "other"):
        (tmp_path / folder).mkdir()
    rules = f"{PIGEONS}alone(P) :- P = 1..7, not at(P,_)."
    one = changed(tmp_path / "one", {ACTION: f"{ACTION}\n{rules}"})
    more = 'violates(R,take(1),"take") :- candidate(R,take(1)), not alone(_).'
    other = changed(tmp_path / "other", {ACTION: f"{ACTION}\n{rules}\n{more}"})
    for most in ("_EFFORT", "_AT_MOST"):
        monkeypatch.setattr(divergence_, most, effort)
    if effort > 20:
        assert first(one, other) is None
        return
    with pytest.raises(NotDecided, match="it takes more than"):
        first(one, other)


def test_two_runs_give_one_answer() -> None:
    one, other = heap(), heap(last_stone="loses")
    assert first(one, other) == first(one, other)


def excluding(monkeypatch: pytest.MonkeyPatch, what: Atom) -> None:
    """Makes the program say that something never is."""
    kept = Question._add_goals

    def add_goals(question: Question) -> None:
        question.program.add(never(what))
        kept(question)

    monkeypatch.setattr(Question, "_add_goals", add_goals)


@pytest.mark.slow
def test_what_excludes_too_much_finds_no_difference_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = changed(
        tmp_path, {ACTION: ACTION + '\nviolates(R,take(3),"take") :- candidate(R,take(3)), heap(7).'}
    )
    excluding(monkeypatch, atom("heap", Int(7)))
    assert first(heap(), other) is None
    with pytest.raises(NotDecided, match="its encoding is not what the rules say"):
        checked(heap(), other)


@pytest.mark.slow
def test_a_result_that_is_excluded_is_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    excluding(monkeypatch, atom("phase", Name("over")))
    one, other = heap(), heap(last_stone="loses")
    assert first(one, other) is None
    with pytest.raises(NotDecided, match="its encoding is not what the rules say"):
        checked(one, other)
