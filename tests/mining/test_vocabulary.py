"""The features of small games: constants if they are few, variables of sorts, no names of players."""

from __future__ import annotations

from pathlib import Path

from support.heap_game import SCORED, variant
from support.mined import vocabulary

from kaiser_logic.game import load
from kaiser_logic.lang.printer import show_term
from kaiser_logic.mining.candidates import Vocabulary


def texts(found: Vocabulary) -> set[str]:
    return {show_term(f.pattern) for f in found.features}


def test_features_of_the_heap() -> None:
    assert texts(vocabulary("heap")) == {
        *("phase(_)", "phase(over)", "phase(play)", "heap(_)", "heap(0)", "took(_)", "took(X)"),
        *("taken(_,_)", "taken(X,_)", "decision(_,take)", "decision(X,take)", "due(pass_on)"),
        *("decision(_,_)", "due(_)"),
    }


def test_contexts_are_phases_decisions_and_steps() -> None:
    contexts = {show_term(f.pattern) for f in vocabulary("heap").features if f.context}
    assert contexts == {
        *("phase(over)", "phase(play)", "decision(_,take)", "due(pass_on)", "decision(_,_)", "due(_)"),
    }


def test_players_are_not_distinguished() -> None:
    for name in ("heap", "sealed", "cards", "bank"):
        assert not any("red" in text or "green" in text for text in texts(vocabulary(name)))


def test_other_constants_are_distinguished() -> None:
    assert {"shown(X,up)", "shown(_,down)"} <= texts(vocabulary("sealed"))
    assert {"at(goat,_)", "at(_,left)"} <= texts(vocabulary("ferry"))


def test_unlimited_numbers_are_left_out(tmp_path: Path) -> None:
    game = load(variant(tmp_path, SCORED))
    assert not any("points" in text for text in texts(Vocabulary(game.ruleset)))
