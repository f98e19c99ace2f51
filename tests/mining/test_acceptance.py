"""The last check: invariants are proved from the lines that are printed, or nothing is proposed."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from support.heap_game import variant
from support.mined import TAGGED, game

from kaiser_logic.errors import NotDecided
from kaiser_logic.game import Game, load
from kaiser_logic.linting.lint import lint
from kaiser_logic.mining.miner import Verdict, paste_invariants, prove_proposals, starts
from kaiser_logic.mining.writing import ProposedInvariant
from kaiser_logic.solving.rounds import Rounds


def proposal(name: str, body: str, witness: str = "x") -> ProposedInvariant:
    return ProposedInvariant(
        name, "This holds.", "this does not hold", (f"broken({name},{witness}) :- {body}.",)
    )


TRUE = proposal("taker_has_some", "took(X), not taken(X,_)", "X")
FALSE = proposal("never_two", "heap(2)")


def verdict(made: Game, *proposals: ProposedInvariant, timeout: float = 100) -> Verdict:
    return prove_proposals(made.ruleset, starts(made.ruleset)[0], proposals, time.monotonic() + timeout, 1)


@pytest.mark.slow
def test_true_invariants_are_proved() -> None:
    found = verdict(game("nim"), TRUE)
    assert found.refused == set()
    assert "2 players, edition standard" in found.given[0]


def test_false_invariants_are_refused() -> None:
    assert verdict(game("nim"), FALSE).refused == {"never_two"}


@pytest.mark.slow
def test_false_invariants_are_not_assumed_for_others() -> None:
    found = verdict(game("nim"), TRUE, FALSE)
    assert "never_two" in found.refused


def test_invariants_must_hold_at_every_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The prover, which knows only the configured start, is not called."""
    monkeypatch.setattr(Rounds, "run", lambda *_: pytest.fail("this falls at a start"))
    made = load(variant(tmp_path, TAGGED))
    assert len(starts(made.ruleset)[0]) == 2
    only = proposal("the_first_begins", "heap(12), not took(_), decision(R,take), not first(R)", "R")
    assert "the_first_begins" not in {
        i for i, _ in made.evaluator.broken_invariants(made.evaluator.initial())
    }
    assert verdict(made, only).refused == {"the_first_begins"}


@pytest.mark.slow
def test_false_invariants_of_the_game_decide_nothing(tmp_path: Path) -> None:
    made = load(
        variant(
            tmp_path,
            {
                "broken(heap_stated,x)  :- not heap(_).": "broken(heap_stated,x)  :- not heap(_).\n"
                "%! invariant never_five -- The heap never has five.\nbroken(never_five,x) :- heap(5)."
            },
        )
    )
    with pytest.raises(NotDecided, match="own invariants do not hold: never_five"):
        verdict(made, TRUE)


def test_faulty_lines_decide_nothing() -> None:
    with pytest.raises(NotDecided, match="no part of a rulebook"):
        verdict(game("nim"), proposal("typing", "heep(2)"))


def test_timeout_decides_nothing() -> None:
    with pytest.raises(NotDecided, match="too short"):
        verdict(game("nim"), TRUE, timeout=0.01)


@pytest.mark.slow
def test_the_rulebook_is_not_changed() -> None:
    folder = game("nim").book.folder
    before = {p.name: p.read_text(encoding="utf-8") for p in folder.iterdir()}
    verdict(game("nim"), TRUE)
    assert {p.name: p.read_text(encoding="utf-8") for p in folder.iterdir()} == before


def test_pasted_lines_pass_lint(tmp_path: Path) -> None:
    folder = variant(tmp_path, {})
    last = folder / "invariants.lp"
    text = paste_invariants(last.read_text(encoding="utf-8"), [TRUE])
    assert text.endswith("broken(taker_has_some,X) :- took(X), not taken(X,_).\n")
    last.write_text(text, encoding="utf-8")
    assert lint(folder) == ()
