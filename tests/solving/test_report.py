"""What the proofs of a run come to."""

from __future__ import annotations

from support.heap_game import FOLDER

from kaiser_logic.game import load
from kaiser_logic.solving.report import Counterexample, Proof, ProofReport, place

EXAMPLE = Counterexample("take(K)", ())


def report(*proofs: Proof) -> ProofReport:
    return ProofReport(list(proofs), [])


def fallen() -> Proof:
    proof = Proof("a", "A.")
    proof.falls(EXAMPLE)
    return proof


def opened() -> Proof:
    proof = Proof("b", "B.")
    proof.stays_open("take(K): timeout")
    return proof


def test_all_is_proved() -> None:
    assert report(Proof("c", "C.")).proved
    assert not report(Proof("c", "C."), opened()).proved
    assert not report(Proof("c", "C."), fallen()).proved


def test_undecided_is_what_neither_stands_nor_falls() -> None:
    assert report(Proof("c", "C."), opened()).undecided
    assert not report(opened(), fallen()).undecided
    assert not report(Proof("c", "C.")).undecided


def test_what_has_fallen_stays_fallen() -> None:
    proof = fallen()
    proof.stays_open("timeout")
    assert proof.status == "falls"
    assert proof.counterexamples == [EXAMPLE]
    proof = opened()
    proof.falls(EXAMPLE)
    assert proof.status == "falls"


def test_as_a_line() -> None:
    assert str(opened()) == "b: undecided (take(K): timeout)"
    assert str(Proof("c", "C.")) == "c: proved"


def test_where_the_positions_of_counterexamples_come_from() -> None:
    """By a game, or not at all if something proved excludes them; the first two are looked at."""
    evaluator = load(FOLDER).evaluator
    start = tuple(map(str, evaluator.initial()))
    alone = ("seat(red,1)", "seat(green,2)", "phase(play)", "heap(8)", "taken(red,4)", "decision(green,take)")
    first = Proof("a", "A.")
    for label, facts in (("take(K)", alone), ("take(K)", start), ("step pass_on", alone)):
        first.falls(Counterexample(label, facts))
    place(evaluator, [first, Proof("one_taker", "B.")], 5)
    found = [e.origin and (e.origin.verdict, e.origin.invariant) for e in first.counterexamples]
    assert found == [("impossible", "one_taker"), ("reachable", ""), None]
    other = Proof("a", "A.")
    other.falls(Counterexample("take(K)", alone))
    place(evaluator, [other], 5)
    assert other.counterexamples[0].origin is not None
    assert other.counterexamples[0].origin.verdict == "open"


def test_what_a_game_shows_comes_first() -> None:
    proof = Proof("a", "A.")
    proof.falls(Counterexample("one", ()))
    proof.falls(Counterexample("two", ()), first=True)
    assert [e.transition for e in proof.counterexamples] == ["two", "one"]


def test_the_same_is_said_once() -> None:
    proof = Proof("a", "A.")
    for _ in range(2):
        proof.falls(Counterexample("one", ()))
    assert len(proof.counterexamples) == 1
