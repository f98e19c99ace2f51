"""Claims about positions proved, fallen, and what is said of those that are neither."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.heap_game import SCORED, variant
from support.opened import changed, heap

from kaiser_logic.claims.induction import inductive
from kaiser_logic.game import Game, load
from kaiser_logic.lang.reader import read
from kaiser_logic.solving.report import Proof
from kaiser_logic.solving.rounds import Resources


def proved(game: Game, *claims: str) -> dict[str, Proof]:
    return {p.claim: p for p in game.prove(claims=claims, jobs=1).proofs}


@pytest.mark.slow
def test_each_verdict() -> None:
    found = proved(
        heap(),
        "never heap(N), N > 12",
        "never heap(11), took(red), decision(red,take)",
        "never heap(1), taken(red,11)",
        "never taken(green,2)",
        "never heap(12)",
        "some heap(5), taken(green,2)",
        "some heap(5), taken(green,8)",
        "never heap(2), legal(R,take(3))",
        "never heap(1), legal(R,take(1))",
    )
    assert [p.status for p in found.values()] == [
        "proved", "proved", "undecided", "falls", "falls", "proved", "falls", "proved", "falls",
    ]  # fmt: skip
    follows, inductive, not_inductive, fallen, start, *_ = found.values()
    assert not follows.notes and not inductive.notes
    assert "not inductive" in not_inductive.notes[0]
    assert [e.replayed for e in not_inductive.counterexamples] == [True]
    assert fallen.counterexamples[0].actions
    assert start.counterexamples[0].transition == "start"


@pytest.mark.slow
def test_a_claim_may_lean_on_another_one() -> None:
    """The first is inductive only with the second, which says what is before it."""
    lean, needed = "never heap(11), took(R), taken(R,2)", "never heap(12), taken(_,_)"
    assert proved(heap(), needed)["claim"].status == "proved"
    assert proved(heap(), lean, needed)["claim1"].status == "proved"


@pytest.mark.slow
def test_what_does_not_need_an_invariant_that_falls_is_proved(tmp_path: Path) -> None:
    more = "%! invariant odd -- The heap is odd.\nbroken(odd,N) :- heap(N), N \\ 2 = 0.\n"
    head = "%! invariant heap_stated -- The heap is stated."
    game = changed(tmp_path, {head: more + head})
    found = proved(game, "never heap(N), N > 12", "never heap(6), decision(red,take)")
    assert found["claim1"].status == "proved"
    assert found["claim2"].status != "proved"


def test_a_false_claim_is_never_proved_though_few_games_show_it() -> None:
    found = proved(heap(), "never heap(0), taken(red,7), taken(green,5)")["claim"]
    assert found.status != "proved"


@pytest.mark.slow
@pytest.mark.parametrize(
    "claim", ["never legal(R,take(2)), heap(1)", "never violates(R,take(1),take.enough), heap(1)"]
)
def test_what_is_about_moves_follows_or_is_refused(claim: str) -> None:
    assert proved(heap(), claim)["claim"].status == "proved"


FULL = "never heap(11), took(red), decision(red,take)"
UNEVEN = "never winner(red), not winner(green)"
"""Not inductive, and about numbers without a limit."""
EVEN = "never points(R,N), points(Q,M), N > M"
"""About numbers without a limit, and broken by no move."""


@pytest.mark.slow
@pytest.mark.parametrize("other", [UNEVEN, EVEN])
def test_a_claim_without_a_limit_leaves_the_others_decided(tmp_path: Path, other: str) -> None:
    """Each move reads points where the claims are asked together."""
    game = changed(tmp_path, SCORED)
    assert proved(game, FULL)["claim"].status == "proved"
    found = proved(game, FULL, other)
    assert found["claim1"].status == "proved"
    assert found["claim2"].status == proved(game, other)["claim"].status


STOP = "candidate(R,stop) :- decision(R,go(_)).\nadd(decision(R,take)) :- does(R,stop)."
HALVES = {
    "fluent(decision(R,take))  :- player(R).": "fluent(decision(R,(take;go(a);go(b)))) :- player(R).\nfluent(large).",
    "may_decide(R,take)     :-": "may_decide(R,go(a;b)) :- player(R), heap(12).\nmay_decide(R,take) :-",
    'out_of_turn(take,"take").': f'out_of_turn((take;go(a);go(b)),"take").\nadd(large) :- made(R,go(a)).\n{STOP}',
}
"""One action at two decisions of one name, and only one of them adds something."""


@pytest.mark.slow
@pytest.mark.parametrize("order", ["ab", "ba"])
def test_what_an_action_does_at_one_of_two_decisions_is_seen(tmp_path: Path, order: str) -> None:
    once = "action(take,take(K))      :- amount(K)."
    kinds = "\n".join(f"action(go({x}),stop)." for x in order)
    game = changed(tmp_path, {**HALVES, once: f"{once}\n{kinds}"})
    assert proved(game, "never large")["claim"].status != "proved"
    lost = inductive(game.ruleset, {"c": read("broken(c,x) :- large.")}, Resources(1))
    assert (lost.proved, set(lost.broken)) == (set(), {"c"})


@pytest.mark.slow
def test_the_rulebooks_own_claim_about_what_cannot_be_is_not_decided(tmp_path: Path) -> None:
    files = 'files = ["vocabulary", "play", "invariants"]'
    folder = variant(tmp_path, {files: f'{files}\nclaims = ["claims"]'})
    text = "%! claim tall -- The heap is never so high.\n%!   never  heap(13)\n"
    (folder / "claims.lp").write_text(text, encoding="utf-8")
    (tall,) = (p for p in load(folder).prove(["tall"], jobs=1).proofs if p.claim == "tall")
    assert tall.status == "undecided"
    assert "it says nothing of any position here" in tall.notes[0]
