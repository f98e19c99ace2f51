"""Counterexamples are played again."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.opened import changed, heap

from kaiser_logic.proof.counterexample import Counterexample, replayed

FACTS = (
    "seat(red,1)",
    "seat(green,2)",
    "phase(play)",
    "heap(2)",
    "taken(red,10)",
    "took(green)",
    "decision(red,take)",
)


def example(*actions: tuple[str, str], facts: tuple[str, ...] = FACTS) -> Counterexample:
    return Counterexample("take(K)", facts, actions)


def test_what_breaks_the_invariant_is_confirmed(tmp_path: Path) -> None:
    line = "del(took(Q))                 :- does(R,take(_)), took(Q), Q != R."
    spoilt = changed(tmp_path, {line: ""})
    found = replayed(spoilt.evaluator, example(("red", "take(1)")), "one_taker", "x")
    assert found.replayed
    assert found.witness == "x"
    assert not replayed(heap().evaluator, example(("red", "take(1)")), "one_taker", "x").replayed


def test_an_illegal_action_confirms_nothing() -> None:
    assert not replayed(heap().evaluator, example(("red", "take(3)")), "vocabulary", "x").replayed


@pytest.mark.parametrize(("heap_is", "confirmed"), [(2, False), (0, True)])
def test_steps_are_played_too(tmp_path: Path, heap_is: int, confirmed: bool) -> None:
    spoilt = changed(tmp_path, {"enter(over)                  :- due(pass_on), not holds_at_least(1).": ""})
    facts = (
        *(f for f in FACTS if f[:4] not in ("heap", "deci", "take")),
        f"heap({heap_is})",
        f"taken(red,{12 - heap_is})",
        "due(pass_on)",
    )
    found = replayed(spoilt.evaluator, example(facts=facts), "one_decision", "x")
    assert found.replayed == confirmed
