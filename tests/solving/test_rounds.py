"""The questions of a proof are asked in rounds, and their answers make up the report."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from support.heap_game import ACTION, CANDIDATE, HEAD
from support.limits import NO_END
from support.opened import changed, heap
from support.proofs import report_on, statuses

from kaiser_logic.engine.invariants import invariants
from kaiser_logic.errors import WrongUsage
from kaiser_logic.game import load
from kaiser_logic.rules.predicates import ALWAYS, ENUMERATION
from kaiser_logic.solving import rounds
from kaiser_logic.solving.questions import PositionResult, TransitionQuestion, TransitionResult
from kaiser_logic.solving.rounds import Rounds
from kaiser_logic.workers import ChildAnswer

pytestmark = pytest.mark.by_hand


def test_the_heap_game_is_proved() -> None:
    report = report_on(heap())
    assert report.proved
    assert not report.undecided
    own = invariants(heap().ruleset).every
    assert list(statuses(report)) == [*own, *ALWAYS, "legal action at take", ENUMERATION]
    assert report.never_legal == []


@pytest.mark.slow
def test_only_the_requested_claims_are_reported() -> None:
    report = report_on(heap(), "one_taker")
    assert statuses(report) == {"one_taker": "proved"}
    report = report_on(heap(), "vocabulary")
    assert statuses(report) == {"vocabulary": "proved", "limit": "proved"}


def test_an_unknown_invariant_is_refused() -> None:
    with pytest.raises(WrongUsage, match="no invariant 'luck'"):
        report_on(heap(), "luck")


def test_a_counter_without_a_number_is_not_decided(tmp_path: Path) -> None:
    report = report_on(
        changed(tmp_path, {HEAD: f"fluent(jar(V)) :- kind(V).\nkind(x).\ncounted(jar,1).\n{HEAD}"})
    )
    assert set(statuses(report).values()) == {"undecided"}
    assert {note for proof in report.proofs for note in proof.notes} == {
        "jar(x) is a counter, and its last argument is no number"
    }


@pytest.mark.slow
def test_two_false_invariants_are_both_reported(tmp_path: Path) -> None:
    """Each position that breaks the second invariant also breaks the first one."""
    more = """%! invariant aaa -- The heap is not of five.
broken(aaa,x) :- heap(5).
%! invariant bbb -- Nor when red took last.
broken(bbb,x) :- heap(5), took(red).
"""
    report = report_on(changed(tmp_path, {HEAD: more + HEAD}))
    fallen = {claim for claim, status in statuses(report).items() if status == "falls"}
    assert fallen == {"aaa", "bbb"}
    assert not report.proved
    for proof in report.proofs:
        assert all(example.replayed for example in proof.counterexamples)


@pytest.mark.slow
def test_the_initial_position_is_checked(tmp_path: Path) -> None:
    more = "%! invariant full -- The heap is not full.\nbroken(full,x) :- heap(12).\n"
    report = report_on(changed(tmp_path, {HEAD: more + HEAD}))
    (proof,) = [p for p in report.proofs if p.status == "falls"]
    assert proof.claim == "full"
    assert [e.transition for e in proof.counterexamples] == ["start"]


@pytest.mark.slow
def test_a_legal_action_that_is_not_listed_is_found(tmp_path: Path) -> None:
    game = changed(tmp_path, {CANDIDATE: "candidate(R,take(1)) :- decision(R,take)."})
    report = report_on(game)
    fallen = [p for p in report.proofs if p.status == "falls"]
    assert [p.claim for p in fallen] == [ENUMERATION]
    ((role, action),) = fallen[0].counterexamples[0].actions
    assert action in ("take(2)", "take(3)")
    assert role in game.seats


def test_questions_without_an_answer_in_time_are_not_decided() -> None:
    report = Rounds(heap().ruleset).run(timeout=0.0, workers=1)
    assert report.undecided
    assert set(statuses(report).values()) == {"undecided"}
    assert all("the time was too short" in note for proof in report.proofs for note in proof.notes)


@pytest.mark.slow
def test_an_action_that_is_never_legal_is_reported(tmp_path: Path) -> None:
    forbidden = 'candidate(R,rest) :- decision(R,take).\nviolates(R,rest,"take") :- candidate(R,rest).'
    game = changed(
        tmp_path,
        {
            ACTION: f"{ACTION}\naction(take,rest).",
            'out_of_turn(take,"take").': f'out_of_turn(take,"take").\n{forbidden}',
        },
    )
    assert report_on(game).never_legal == ["rest"]


@pytest.mark.skipif(not os.environ.get("KAISER_LOGIC_PROOFS"), reason="minutes: set KAISER_LOGIC_PROOFS=1")
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("edition", ["standard", "it"])
def test_all_claims_of_kaiser_are_proved(edition: str, players: int) -> None:
    report = Rounds(load("kaiser", edition=edition, players=players).ruleset).run(
        timeout=NO_END, workers=None
    )
    assert report.proved, [str(p) for p in report.proofs if p.status != "proved"]


@pytest.mark.parametrize("lost", ["take(K)", "step pass_on"])
def test_no_claim_is_proved_if_an_answer_is_lost(lost: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A proof needs all answers. The absence of a counterexample is not enough."""
    enter = rounds.Round._enter_transition

    def lose(
        one: rounds.Round,
        question: TransitionQuestion,
        answer: ChildAnswer[TransitionResult | PositionResult],
    ) -> None:
        if question.label != lost:
            enter(one, question, answer)

    monkeypatch.setattr(rounds.Round, "_enter_transition", lose)
    assert set(statuses(report_on(heap())).values()) == {"undecided"}
