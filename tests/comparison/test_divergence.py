"""The scenarios that a difference concerns are found, and a position in which the two games diverge."""

import pytest
from support.heap_game import ENOUGH, PIGEONS, changed, heap

from kaiser_logic.comparison import divergence as divergence_module
from kaiser_logic.comparison.divergence import Divergence, DivergenceQuestion, check, divergence
from kaiser_logic.comparison.scenarios import scenarios
from kaiser_logic.errors import NotDecided
from kaiser_logic.game import Game
from kaiser_logic.lang.terms import Atom, Int, Name
from kaiser_logic.solving.build import atom, never


def first_divergence(one: Game, other: Game) -> Divergence | None:
    return divergence(one.ruleset, other.ruleset, scenarios(one.ruleset, other.ruleset)[0])


def check_first(one: Game, other: Game) -> None:
    """Compares the encoding of the first scenario with the evaluation."""
    check(one.ruleset, other.ruleset, scenarios(one.ruleset, other.ruleset)[0])


@pytest.mark.parametrize("effort", [20, 200_000])
def test_a_question_that_takes_too_many_conflicts_is_not_decided(tmp_path, monkeypatch, effort):
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
def test_an_encoding_that_excludes_a_position_is_noticed(tmp_path, monkeypatch):
    other = changed(tmp_path, {ENOUGH: ENOUGH + '\nviolates(R,take(3),"take") :- candidate(R,take(3)), heap(7).'})
    exclude(monkeypatch, atom("heap", Int(7)))
    assert first_divergence(heap(), other) is None
    with pytest.raises(NotDecided, match="its encoding is not what the rules say"):
        check_first(heap(), other)


@pytest.mark.slow
def test_an_encoding_that_excludes_a_result_is_noticed(monkeypatch):
    exclude(monkeypatch, atom("phase", Name("over")))
    one, other = heap(), heap(last_stone="loses")
    assert first_divergence(one, other) is None
    with pytest.raises(NotDecided, match="its encoding is not what the rules say"):
        check_first(one, other)
