"""With which setting something can be that cannot be in a game as it is set up."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.heap_game import variant

from kaiser_logic.game import load
from kaiser_logic.lang.terms import Fun, Name, Signature
from kaiser_logic.lang.unification import constant_term
from kaiser_logic.query.suggestions import elsewhere

HEAP = {
    "fluent(took(R))           :- player(R).": "fluent(took(R)) :- player(R).\n"
    "fluent(colour(C)) :- hue(C).\nhue(grey).\nhue(black) :- ruling(last_stone,loses).\nhue(pink) :- seat(_,2).\n"
    "hue(one) :- seat(_,2), not seat(_,3).",
}


@pytest.mark.parametrize(
    ("signature", "word", "said"),
    [
        (("colour", 1), "black", "with --option last_stone=loses it can be"),
        (("colour", 1), "one", "with --players 2 it can be"),
        (("colour", 1), "white", ""),
        (("took", 1), "grey", ""),
    ],
)
def test_settings(tmp_path: Path, signature: Signature, word: str, said: str) -> None:
    rules = load(variant(tmp_path, HEAP), players=3).ruleset
    asked = 0

    def can_be(other: object) -> bool:
        nonlocal asked
        asked += 1
        found = other.of(signature)  # type: ignore[attr-defined]
        return found is not None and bool(found[0].admits(constant_term(word)))

    assert elsewhere(rules, signature, word, can_be) == said
    assert bool(asked) == (word != "white")  # what stands nowhere in the rules is not looked for


def test_roles_that_do_not_play() -> None:
    rules = load("kaiser", seats=["blue", "red"]).ruleset
    said = elsewhere(rules, ("emperor", 1), "green", lambda _: False)
    assert said == "green does not play here (blue, red do): see --players and --seats"


def test_start_tags() -> None:
    rules = load("kaiser", players=2).ruleset

    def can_be(other: object) -> bool:
        return bool(other.like(Fun("start", (Name("emperor"), Name("green")))))  # type: ignore[attr-defined]

    assert elsewhere(rules, ("start", 2), "green", can_be) == "with the start tag Emperor green it can be"


def test_only_settings_that_matter_are_tried() -> None:
    """Purses depend on who plays, and on no ruling."""
    tried = []
    rules = load("kaiser", players=4).ruleset
    assert elsewhere(rules, ("thalers", 2), "900", lambda other: bool(tried.append(other))) == ""
    assert len(tried) == 2
