"""Proved claims are found in the cache if nothing has changed. All other claims are proved again."""

from pathlib import Path

import pytest
from support.heap_game import ACTION, ENOUGH, FOLDER, HEAD, TOOK, changed, heap
from support.new_process import forget

from kaiser_logic.errors import FaultyRulebook
from kaiser_logic.expectations.mutants import mutants_of
from kaiser_logic.game import Game, load
from kaiser_logic.solving.proof_cache import of_all
from kaiser_logic.solving.report import ProofReport
from kaiser_logic.solving.rounds import Rounds

pytestmark = [pytest.mark.usefixtures("kept_folder"), pytest.mark.by_hand]

RESTS = {
    ACTION: f"{ACTION}\naction(take,rest).",
    ENOUGH: f'{ENOUGH}\ncandidate(R,rest) :- decision(R,take).\nviolates(R,rest,"take.enough") :- candidate(R,rest).',
}
"""A kind of action that is never legal."""
NAMED = Path(__file__).parents[1] / "support" / "named"
MUTANTS = 20
ODD = "%! invariant odd -- The heap is odd.\nbroken(odd,N) :- heap(N), N \\ 2 = 0."
EDITS = [
    (ENOUGH, ""),
    (ENOUGH, ENOUGH.replace("heap(N)", "heap(N), N < 12")),
    (HEAD, f"{ODD}\n{HEAD}"),
    ("limit(stones,12,12).", "limit(stones,11,12)."),
    (TOOK, "add(took(R)) :- does(R,take(K)), K > 1."),
]


def report(game: Game, fresh: bool = False, bound: int | None = None, wanted: tuple[str, ...] = ()) -> ProofReport:
    """The report of a proof that may use the cache."""
    return Rounds(game.ruleset, bound, fresh).run(wanted)


def verdicts(of: ProofReport) -> tuple[list[tuple[str, str, list[str]]], list[str]]:
    """The verdicts with their notes, and the actions that are never legal."""
    return [(p.claim, p.status, p.notes) for p in of.proofs], list(of.never_legal)


@pytest.mark.slow
def test_unchanged_rules_need_no_question(monkeypatch, tmp_path):
    game = changed(tmp_path, RESTS)
    first = report(game)
    assert verdicts(first)[1] == ["rest"] and first.answered[0] == 0 and first.answered[1] > 3
    forget(monkeypatch)
    again = report(game)
    assert verdicts(again) == verdicts(first) and again.answered[0] == again.answered[1]
    assert report(game, fresh=True).answered == first.answered, "a fresh run proves all claims again"
    assert report(game, bound=9).answered[0] == 0, "another bound means other questions"


@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(EDITS)))
def test_edited_rules_are_proved_again(tmp_path, number):
    report(heap())
    edited = changed(tmp_path, dict([EDITS[number]]))
    expected = verdicts(report(edited, fresh=True))
    for _ in range(2):
        assert verdicts(report(edited)) == expected


@pytest.mark.slow
@pytest.mark.parametrize("folder", [FOLDER, NAMED / "feud", NAMED / "spat"])
def test_kept_answers_are_those_of_a_fresh_run(folder, tmp_path):
    """One rule after another is changed. Questions that do not read it keep their answers, and no answer is another one."""
    kept = 0
    report(load(folder))
    for number, mutant in enumerate(mutants_of(folder)[:MUTANTS]):
        edited = mutant.write(folder, tmp_path / str(number))
        try:
            game = load(edited)
        except FaultyRulebook:
            continue
        found = report(game)
        assert verdicts(found) == verdicts(report(game, fresh=True)), f"{mutant.old} -> {mutant.new}"
        kept += found.answered[0]
    assert kept


def test_a_comment_or_another_order_changes_no_key(tmp_path):
    report(heap())
    moved = changed(tmp_path, {ENOUGH: "", HEAD: f"{ENOUGH}\n% a comment\n{HEAD}"})
    kept, asked = report(moved).answered
    assert kept == asked > 2


@pytest.mark.slow
def test_the_cache_knows_whether_all_claims_were_proved(tmp_path, monkeypatch):
    def proved_before(game: Game) -> bool:
        forget(monkeypatch)
        return Rounds(game.ruleset, fresh=False).proved_before()

    assert not proved_before(heap())
    report(heap(), wanted=("exclusive",))
    assert proved_before(heap())
    assert not proved_before(changed(tmp_path, RESTS))
    assert not Rounds(heap().ruleset).proved_before()


@pytest.mark.slow
def test_a_refuted_claim_was_not_proved_before(tmp_path, monkeypatch):
    game = changed(tmp_path, {HEAD: f"{ODD}\n{HEAD}"})
    assert report(game).unproved
    forget(monkeypatch)
    assert not Rounds(game.ruleset, fresh=False).proved_before()


@pytest.mark.slow
def test_undecided_claims_are_not_cached():
    Rounds(heap().ruleset, fresh=False).run(timeout=0.0)
    assert report(heap()).answered[0] == 0


def test_the_key_depends_on_all_rules_and_questions(tmp_path):
    keys = [of_all(heap().ruleset)]
    for n, (old, new) in enumerate(EDITS):
        (folder := tmp_path / str(n)).mkdir()
        keys.append(of_all(changed(folder, {old: new}).ruleset))
    keys.append(of_all(load(FOLDER, players=3).ruleset))
    keys.append(of_all(heap(last_stone="loses").ruleset))
    keys.append(of_all(heap().ruleset.dropping(["heap_stated"])))
    keys += [of_all(heap().ruleset, *more) for more in (["ab"], ["a", "b"], ["a", "b", ""])]
    assert len(set(keys)) == len(keys)
