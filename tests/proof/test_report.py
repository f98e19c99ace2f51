"""What the proofs of a run come to."""

from __future__ import annotations

from kaiser_logic.proof.counterexample import Counterexample
from kaiser_logic.proof.report import Proof, ProofReport

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
