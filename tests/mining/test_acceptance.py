"""The last gate: what is printed is proved as it is printed, or nothing is proposed."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from support.heap_game import variant
from support.mined import TAGGED, game

from kaiser_logic.engine.configuration import Configuration
from kaiser_logic.errors import NotDecided
from kaiser_logic.game import Game, load
from kaiser_logic.linting.lint import lint
from kaiser_logic.mining.miner import Verdict, pasted, proved
from kaiser_logic.mining.queries import starts
from kaiser_logic.mining.writing import ProposedInvariant
from kaiser_logic.solving.rounds import Rounds


def proposal(name: str, body: str, witness: str = "x") -> ProposedInvariant:
    return ProposedInvariant(name, "So it is.", "it is not so", (f"broken({name},{witness}) :- {body}.",))


TRUE = proposal("taker_has_some", "took(X), not taken(X,_)", "X")
FALSE = proposal("never_two", "heap(2)")


def verdict(made: Game, *proposals: ProposedInvariant, timeout: float = 100) -> Verdict:
    begin: tuple[Configuration, ...] = starts(made.ruleset).configurations
    return proved(made.ruleset, begin, proposals, time.monotonic() + timeout, 1)


@pytest.mark.slow
def test_what_is_true_is_proved() -> None:
    found = verdict(game("nim"), TRUE)
    assert found.refused == set()
    assert "2 players, edition standard" in found.given[0]


def test_what_is_false_is_refused() -> None:
    assert verdict(game("nim"), FALSE).refused == {"never_two"}


@pytest.mark.slow
def test_what_leans_on_something_false_is_not_proved_beside_it() -> None:
    found = verdict(game("nim"), TRUE, FALSE)
    assert "never_two" in found.refused


def test_true_at_one_start_and_false_at_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The prover looks at the configured start alone; it is not even asked."""
    monkeypatch.setattr(Rounds, "run", lambda *_: pytest.fail("this falls at a start"))
    made = load(variant(tmp_path, TAGGED))
    assert len(starts(made.ruleset).configurations) == 2
    only = proposal("the_first_begins", "heap(12), not took(_), decision(R,take), not first(R)", "R")
    assert "the_first_begins" not in {i for i, _ in made.evaluator.broken(made.evaluator.initial())}
    assert verdict(made, only).refused == {"the_first_begins"}


@pytest.mark.slow
def test_where_the_game_is_wrong_itself_nothing_is_decided(tmp_path: Path) -> None:
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


def test_lines_that_are_no_part_of_a_rulebook() -> None:
    with pytest.raises(NotDecided, match="no part of a rulebook"):
        verdict(game("nim"), proposal("typing", "heep(2)"))


def test_without_time_nothing_is_decided() -> None:
    with pytest.raises(NotDecided, match="too short"):
        verdict(game("nim"), TRUE, timeout=0.01)


@pytest.mark.slow
def test_the_rulebook_itself_stays_as_it_is() -> None:
    folder = game("nim").book.folder
    before = {p.name: p.read_text(encoding="utf-8") for p in folder.iterdir()}
    verdict(game("nim"), TRUE)
    assert {p.name: p.read_text(encoding="utf-8") for p in folder.iterdir()} == before


def test_pasted_lines_pass_lint(tmp_path: Path) -> None:
    folder = variant(tmp_path, {})
    last = folder / "invariants.lp"
    text = pasted(last.read_text(encoding="utf-8"), [TRUE])
    assert text.endswith("broken(taker_has_some,X) :- took(X), not taken(X,_).\n")
    last.write_text(text, encoding="utf-8")
    assert lint(folder) == ()
