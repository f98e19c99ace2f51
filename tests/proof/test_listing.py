"""Enumerations followed into structures: what they say is proved, and faults seeded into the following are caught."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from support.opened import changed

from kaiser_logic.errors import NotDecided
from kaiser_logic.game import Game
from kaiser_logic.proof import induction, listing
from kaiser_logic.proof.induction import Induction
from kaiser_logic.proof.prover import Prover
from kaiser_logic.proof.sample import sampled
from kaiser_logic.symbolic import domains as sorts_of
from kaiser_logic.symbolic import encoding as encodings
from kaiser_logic.symbolic.domains import domains, structured, unlistable
from kaiser_logic.symbolic.invariants import GENERAL, invariants
from kaiser_logic.symbolic.transitions import transitions
from kaiser_logic.transform import action_splitting
from kaiser_logic.transform.following import Followed

pytestmark = pytest.mark.slow

ENOUGH = 'violates(R,take(K),"take.enough") :- candidate(R,take(K)), heap(N), not holds_at_least(K).'
HANDS = {
    "amount(1..3).": "amount(1..3).\nhand(0..2).",
    "action(take,take(K))      :- amount(K).": "action(take,take(hands(I,J))) :- hand(I), hand(J).",
    "candidate(R,take(K))          :- decision(R,take), amount(K).": "candidate(R,take(Y)) :- decision(R,take), "
    "fills(Y,K), amount(K).\nfills(hands(I,J),I+J) :- hand(I), hand(J), heap(_).\n"
    "asked(Y) :- candidate(_,take(Y)).\nheld(hands(I,J),I+J) :- asked(hands(I,J)).",
    "shift(heap,taken(R),K,taken) :- does(R,take(K)).": "shift(heap,taken(R),K,taken) :- does(R,take(Y)), held(Y,K).",
    ENOUGH: 'violates(R,take(Y),"take.enough") :- candidate(R,take(Y)), held(Y,K), heap(N), not holds_at_least(K).\n'
    'violates(R,take(Y),"take.enough") :- candidate(R,take(Y)), held(Y,K), heap(N), not amount(K).',
}
"""The heap game in which a player takes stones with both hands: an action's argument is a structure of two parts."""
LISTED = "fills(Y,K), amount(K)."
LABEL = "take(hands(I,J))"


@pytest.fixture(autouse=True)
def few_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sorts_of, "_LISTED", 2)
    monkeypatch.setattr(action_splitting, "_APART", 2)


def hands(folder: Path, **changes: str) -> Game:
    return changed(folder, {**HANDS, **changes})


def examined(game: Game) -> tuple[str | None, bool, tuple[str, ...]]:
    """What the proof says of the enumeration (undecided, or a legal action missed), and where encodings differ."""
    sorts = domains(game.ruleset)
    (taking,) = (t for t in transitions(game.ruleset, sorts) if t.label == LABEL)
    assumed = invariants(game.ruleset).assumed
    pairs = sampled(game.evaluator, transitions(game.ruleset, sorts)).pairs.get(LABEL, [])
    found = Induction(game.evaluator, taking, sorts).examine(assumed, [*assumed, *GENERAL], pairs)
    return found.unread, found.unlisted is not None, found.differs


def test_what_needs_no_list_of_structures_is_proved(tmp_path: Path) -> None:
    report = Prover(hands(tmp_path).evaluator).run(workers=1)
    (open_,) = (p for p in report.proofs if p.status != "proved")
    assert open_.claim == "legal action at take"
    assert "too many take(hands(I,J)) to list" in open_.notes[0]
    assert "enumeration" in {p.claim for p in report.proofs}


def test_the_same_as_without_following(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = hands(tmp_path)
    assert examined(game) == (None, False, ())
    monkeypatch.setattr(sorts_of, "_LISTED", 100)
    assert examined(game) == (None, False, ())


SHIFT = "shift(heap,taken(R),K,taken) :- does(R,take(K))."
TO_BOTH = {SHIFT: "shift(heap,taken(Q),K,taken) :- does(R,take(Y)), held(Y,K), player(Q)."}


@pytest.mark.parametrize(("changes", "broken"), [({}, set()), (TO_BOTH, {"count"})], ids=["one", "both"])
def test_counters_one_by_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, changes: dict[str, str], broken: set[str]
) -> None:
    """Where the goals are hard together, what a structure takes is looked at counter by counter."""
    monkeypatch.setattr(induction, "_FIRST", 0)
    game = hands(tmp_path, **changes)
    sorts = domains(game.ruleset)
    (taking,) = (t for t in transitions(game.ruleset, sorts) if t.label == LABEL)
    found = Induction(game.evaluator, taking, sorts).examine(invariants(game.ruleset).assumed, GENERAL)
    assert {claim for claim, _ in found.broken} & {"count"} == broken


def test_a_structure_that_is_missed_is_found(tmp_path: Path) -> None:
    narrow = {k: v.replace(LISTED, "fills(Y,K), amount(K), K < 3.") for k, v in HANDS.items()}
    game = changed(tmp_path, narrow)
    assert examined(game)[:2] == (None, True)
    (proof,) = (p for p in Prover(game.evaluator).run(workers=1).proofs if p.claim == "enumeration")
    assert proof.status == "falls"
    assert proof.counterexamples[0].actions[0][1] in ("take(hands(1,2))", "take(hands(2,1))")


Change = Callable[[str], str]
FAULTS: dict[str, Change] = {
    "a condition": lambda line: line.replace("amount(K); ", ""),
    "a rule": lambda line: "" if line.startswith("fills") else line,
    "an argument": lambda line: line.replace("arg__0(Role_,0,1,A_1)", "arg__0(Role_,0,1,_); A_1 = 0"),
    "its place": lambda line: line.replace("arg__0(Role_,0,1,A_1)", "arg__0(Role_,0,0,A_1)"),
    "its kind": lambda line: line.replace("does__0(Role_,0)", "does__0(Role_,5)"),
}


@pytest.mark.parametrize("change", FAULTS.values(), ids=FAULTS)
def test_a_fault_in_the_following_is_caught(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: Change
) -> None:
    kept = listing.follow

    def wrong(*given: object) -> Followed:
        found = kept(*given)  # type: ignore[arg-type]
        return replace(found, lines=tuple((r, new) for r, line in found.lines if (new := change(line))))

    monkeypatch.setattr(listing, "follow", wrong)
    unread, unlisted, _ = examined(hands(tmp_path))
    assert unread is not None and "its enumeration" in unread
    assert not unlisted


@pytest.mark.parametrize("missing", ["apart__k0_", "held("])
def test_a_fault_in_taking_arguments_apart_is_caught(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, missing: str
) -> None:
    kept = encodings.specialise

    def wrong(*given: object) -> object:
        special = kept(*given)  # type: ignore[arg-type]
        gone = next(pair for pair in special.lines if pair[1].startswith(missing))
        return replace(special, lines=tuple(pair for pair in special.lines if pair != gone))

    monkeypatch.setattr(encodings, "specialise", wrong)
    assert examined(hands(tmp_path))[2]


def test_only_structures_make_a_kind_unlistable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ruleset = hands(tmp_path).evaluator.ruleset
    (kind,) = ruleset.book.kinds
    assert structured(ruleset, kind)
    assert "too many take(hands(I,J))" in str(unlistable(ruleset, [kind]))
    monkeypatch.setattr(sorts_of, "_LISTED", 9)
    assert unlistable(ruleset, [kind]) is None


def test_what_cannot_be_listed_is_refused_by_name(tmp_path: Path) -> None:
    game = hands(tmp_path)
    with pytest.raises(NotDecided, match=r"too many take\(hands\(I,J\)\)"):
        game.find("legal(red,take(_))")
    assert game.find("violates(red,take(hands(2,1)),_), heap(2)")


def test_an_action_that_is_missed_is_confirmed_and_said_once(tmp_path: Path) -> None:
    old = "candidate(R,take(K))          :- decision(R,take), amount(K)."
    game = changed(tmp_path, {old: "candidate(R,take(K)) :- decision(R,take), amount(K), K < 3."})
    (proof,) = (p for p in Prover(game.evaluator).run(workers=1).proofs if p.claim == "enumeration")
    (example,) = proof.counterexamples
    assert proof.status == "falls"
    assert example.replayed
    assert example.actions[0][1] == "take(3)"


def test_what_reads_what_else_is_in_question_stays_open(tmp_path: Path) -> None:
    """Listed with the others only take(3) is legal, judged alone each is: nothing is missed was said of that."""
    old = 'violates(R,take(K),"take.enough") :-'
    more = 'asked(K) :- candidate(_,take(K)).\nviolates(R,take(K),"take.enough") :- candidate(R,take(K)), asked(J), J > K.'
    game = changed(tmp_path, {old: f"{more}\n{old}"})
    found = {p.claim: p for p in Prover(game.evaluator).run(workers=1).proofs}
    assert found["enumeration"].status == "undecided"
    assert found["legal action at take"].status != "proved"
    assert "asked/1" in found["enumeration"].notes[-1]
