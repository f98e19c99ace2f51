"""The command prove, on the heap game and faulty variants of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.commands import Run
from support.heap_game import FOLDER, variant
from support.lamps import lamps, never, switch

TOO_MUCH = {
    'violates(R,take(K),"take.enough") :- candidate(R,take(K)), heap(N), not holds_at_least(K).': "",
    "%! rule take.enough -- Nobody takes more than the heap holds.\n%!   why       the heap holds only {N}\n"
    "%!   standard  The course of the game\n": "% -- helpers\n",
}
"""Changes of the heap game after which no rule forbids taking more than the heap holds."""

CHAIN = switch(1, "b", "a"), switch(2, "c", "b"), switch(3, "", "", "e")
"""Switches of which only the last one works in a game. It changes nothing."""


def test_all_claims_are_proved(run: Run) -> None:
    outcome = run("prove", str(FOLDER), "--jobs", "1")
    assert outcome.code == 0
    lines = outcome.out.splitlines()
    assert lines[:2] == ["Heap (an example)", "<Game heap, standard, red green>, 2 players"]
    assert "heap_stated           proved     The heap is stated." in lines
    assert " proved, 0 fallen, 0 not decided, in " in lines[-1]


@pytest.mark.slow
def test_a_single_invariant_is_proved(run: Run) -> None:
    outcome = run("prove", str(FOLDER), "one_taker", "--jobs", "1")
    assert outcome.code == 0
    assert "1 proved, 0 fallen" in outcome.out


@pytest.mark.slow
def test_counterexamples_are_shown_and_replayed(run: Run, tmp_path: Path) -> None:
    game = variant(tmp_path, TOO_MUCH)
    outcome = run("prove", str(game), "--jobs", "1")
    assert outcome.code == 1
    assert "falls" in outcome.out
    assert "played again: confirmed" in outcome.out
    assert "position {" in outcome.out


@pytest.mark.slow
def test_claims_that_depend_on_a_false_one_are_not_decided(run: Run, tmp_path: Path) -> None:
    game = lamps(tmp_path, 3, *CHAIN, never("third", "b"), never("second", "c"), never("other", "e"))
    outcome = run("prove", str(game.book.folder), "--jobs", "1")
    assert outcome.code == 1
    assert "second                 not decided  Never c.\n" in outcome.out
    assert "not decided: holds only given third, which falls\n" in outcome.out
    assert "% second falls without third, by flick(S): x (played again: confirmed)" in outcome.out
    assert "% from a position that is not valid itself: " in outcome.out
    assert outcome.out.splitlines()[-1].startswith("8 proved, 1 fallen, 1 not decided, in ")
    outcome = run("prove", str(game.book.folder), "--jobs", "1", "--format", "json")
    found = {claim["claim"]: claim for claim in map(json.loads, outcome.out.splitlines())}
    assert outcome.code == 1
    assert {c: its["given"] for c, its in found.items() if its["given"]} == {"second": ["third"]}
    assert found["other"] == {
        "claim": "other", "statement": "Never e.", "kind": "invariant", "status": "proved",
        "given": [], "notes": [], "counterexamples": [],
    }  # fmt: skip
    (example,) = found["second"]["counterexamples"]
    assert "lit(b)" in example["facts"]
    assert example["moves"] in (["red: flick(2)"], ["green: flick(2)"])
    assert (example["played again"], example["origin"]["verdict"]) == (True, "impossible")


def test_a_common_reason_is_printed_once(run: Run, tmp_path: Path) -> None:
    """No claim is proved if an action loses more coins than there are."""
    more = "fluent(coins(R,0..2)) :- player(R). stated(coins,2). init(coins(R,1)) :- player(R).\n"
    more += "lose(coins(R),1,fee) :- does(R,flick(3))."
    game = lamps(tmp_path, 3, *CHAIN, never("other", "e"), more=more)
    outcome = run("prove", str(game.book.folder), "--jobs", "1")
    assert outcome.code == 1
    assert outcome.out.count("proved only given count, which falls") == 1
    assert "\nnot decided: 7 claims, proved only given count, which falls\n" in outcome.out


@pytest.mark.slow
def test_counterexamples_have_an_origin(run: Run, tmp_path: Path) -> None:
    game = variant(
        tmp_path, {"broken(one_taker,x)    :-": "broken(never_six,x) :- heap(6).\nbroken(one_taker,x)    :-"}
    )
    text = (game / "invariants.lp").read_text(encoding="utf-8")
    assert "never_six" in text
    (game / "invariants.lp").write_text(
        text.replace(
            "broken(never_six", "%! invariant never_six -- There are never six.\nbroken(never_six", 1
        ),
        encoding="utf-8",
    )
    outcome = run("prove", str(game), "never_six", "--jobs", "1", "--all")
    assert outcome.code == 1
    assert "% the position before it is reachable: a legal game leads there after " in outcome.out
    assert "\n%   red: take(" in outcome.out
    outcome = run("prove", str(game), "never_six", "--jobs", "1", "--origin", "0")
    assert "% the position before it is " in outcome.out


def test_timeout_decides_nothing(run: Run) -> None:
    outcome = run("prove", str(FOLDER), "one_taker", "--timeout", "0.000001", "--jobs", "1")
    assert outcome.code == 3
    assert "one_taker  not decided" in outcome.out
    assert "0 proved, 0 fallen, 1 not decided" in outcome.out


def test_unknown_invariants_are_refused(run: Run) -> None:
    outcome = run("prove", str(FOLDER), "no_such_invariant")
    assert (outcome.code, outcome.out) == (2, "")
    assert "no_such_invariant" in outcome.err


def test_a_claim_is_proved(run: Run) -> None:
    outcome = run("prove", str(FOLDER), "--claim", "never heap(N), N > 12", "--jobs", "1")
    assert outcome.code == 0
    assert "claim  proved     never heap(N), N > 12" in outcome.out
    assert "1 proved, 0 fallen, 0 not decided" in outcome.out


@pytest.mark.slow
def test_false_and_non_inductive_claims(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "heap.claims"
    path.write_text("two: never taken(green,2)\nfar: never heap(1), taken(red,11)\n", encoding="utf-8")
    outcome = run("prove", str(FOLDER), "--claims", str(path), "--jobs", "1")
    assert outcome.code == 1
    assert "% two falls by take(K): in a random game (played again: confirmed)" in outcome.out
    assert "% far is not inductive, by take(K): the claim (played again: confirmed)" in outcome.out
    assert "not decided: not inductive" in outcome.out
    assert outcome.out.count("position {") == 2


def test_wrong_syntax_of_a_claim(run: Run) -> None:
    outcome = run("prove", str(FOLDER), "--claim", "never heap(N), N >< 3")
    assert (outcome.code, outcome.out) == (2, "")
    assert "claim:1:19: " in outcome.err


def test_meaningless_claims_are_refused(run: Run) -> None:
    for claim, message in {
        "never emperor(red), thalers(red) = 0": "write emperor(red), thalers(red,N), N = 0\n",
        "never elector(cologne,red,_,_)": "mainz, pfalz, sachsen or trier\n",
        "some emperor(blue)": "blue does not play here (red, green do): see --players and --seats\n",
    }.items():
        outcome = run("prove", "kaiser", "--players", "2", "--claim", claim)
        assert (outcome.code, outcome.out) == (2, "")
        assert outcome.err.endswith(message)
