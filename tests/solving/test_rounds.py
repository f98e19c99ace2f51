"""The questions of a proof are asked in rounds, and their answers make up the report."""

import pytest
from support.heap_game import CANDIDATE, HEAD, changed, heap, variant
from support.limits import ring
from support.proofs import report_on, statuses

from kaiser_logic.engine.invariants import invariants
from kaiser_logic.errors import WrongUsage
from kaiser_logic.game import load
from kaiser_logic.rules.predicates import ALWAYS, ENUMERATION
from kaiser_logic.solving import rounds
from kaiser_logic.solving.positions import Answer
from kaiser_logic.solving.prover import TransitionVerdicts
from kaiser_logic.solving.questions import TransitionQuestion
from kaiser_logic.solving.rounds import Rounds
from kaiser_logic.workers import ChildAnswer

pytestmark = pytest.mark.by_hand


def test_the_heap_game_is_proved():
    report = report_on(heap())
    assert report.proved
    assert not report.undecided
    own = invariants(heap().ruleset).every
    assert list(statuses(report)) == [*own, *ALWAYS, "legal action at take", ENUMERATION]
    assert report.never_legal == []


@pytest.mark.slow
def test_the_start_of_which_a_proof_speaks_is_said(tmp_path):
    """What falls at another start was once called proved without a word about it."""
    tags = {
        "\n\n[rulings.last_stone]": '\n\n[tags.Mode]\nabout = "m"\nvalues = ["plain", "odd"]\ndefault = "plain"\n'
        "\n[rulings.last_stone]",
        "init(heap(12)).": "init(heap(12)).\nfluent(odd). init(odd) :- start(mode,odd).\n"
        "%! invariant plain -- Plain.\nbroken(plain,x) :- odd.",
    }
    folder = variant(tmp_path, tags)
    found = {mode: report_on(load(folder, mode=mode), "plain") for mode in ("plain", "odd")}
    for mode, verdict in (("plain", "proved"), ("odd", "falls")):
        assert statuses(found[mode]) == {"plain": verdict}
        assert f"Games start with mode {mode}; nothing is said of other starts." in found[mode].given


def test_an_unknown_invariant_is_refused():
    with pytest.raises(WrongUsage, match="no invariant 'luck'"):
        report_on(heap(), "luck")


def test_a_counter_without_a_number_is_not_decided(tmp_path):
    report = report_on(changed(tmp_path, {HEAD: f"fluent(jar(V)) :- kind(V).\nkind(x).\ncounted(jar,1).\n{HEAD}"}))
    assert set(statuses(report).values()) == {"undecided"}
    assert {note for proof in report.proofs for note in proof.notes} == {
        "jar(x) is a counter, and its last argument is no number"
    }


def test_the_search_for_games_ends_if_nobody_can_act(tmp_path):
    game = changed(tmp_path, {CANDIDATE: f"{CANDIDATE[:-1]}, heap(0)."})
    assert not any(game.initial().legal().values())
    found = statuses(report_on(game))
    assert (found["enumeration"], found["legal action at take"]) == ("falls", "undecided")


@pytest.mark.parametrize("late", [{"timeout": 0.0}, {"progress": ring}])
def test_questions_without_an_answer_in_time_are_not_decided(late):
    report = Rounds(heap().ruleset).run(workers=1, **late)
    assert report.undecided
    assert set(statuses(report).values()) == {"undecided"}
    assert all("the time was too short" in note for proof in report.proofs for note in proof.notes)


@pytest.mark.parametrize("lost", ["take(K)", "step pass_on"])
def test_no_claim_is_proved_if_an_answer_is_lost(lost, monkeypatch):
    """A proof needs all answers. The absence of a counterexample is not enough."""
    enter = rounds.Round._enter_transition

    def lose(one: rounds.Round, question: TransitionQuestion, answer: ChildAnswer[TransitionVerdicts | Answer]) -> None:
        if question.label != lost:
            enter(one, question, answer)

    monkeypatch.setattr(rounds.Round, "_enter_transition", lose)
    assert set(statuses(report_on(heap())).values()) == {"undecided"}
