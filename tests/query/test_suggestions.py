"""A hint names the setting with which an impossible value becomes possible."""

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
    ("signature", "word", "hint"),
    [
        (("colour", 1), "black", "with --option last_stone=loses it can be"),
        (("colour", 1), "one", "with --players 2 it can be"),
        (("colour", 1), "white", ""),
        (("took", 1), "grey", ""),
    ],
)
def test_the_hint_names_a_ruling_or_a_number_of_players(
    tmp_path: Path, signature: Signature, word: str, hint: str
) -> None:
    rules = load(variant(tmp_path, HEAP), players=3).ruleset
    calls = 0

    def can_be(other: object) -> bool:
        nonlocal calls
        calls += 1
        found = other.columns_of(signature)  # type: ignore[attr-defined]
        return found is not None and bool(found[0].admits(constant_term(word)))

    assert elsewhere(rules, signature, word, can_be) == hint
    assert bool(calls) == (word != "white")  # a word that stands in no rule is not searched for


def test_the_hint_names_roles_that_do_not_play() -> None:
    rules = load("kaiser", seats=["blue", "red"]).ruleset
    hint = elsewhere(rules, ("emperor", 1), "green", lambda _: False)
    assert hint == "green does not play here (blue, red do): see --players and --seats"


def test_the_hint_names_a_start_tag() -> None:
    rules = load("kaiser", players=2).ruleset

    def can_be(other: object) -> bool:
        return bool(other.like(Fun("start", (Name("emperor"), Name("green")))))  # type: ignore[attr-defined]

    assert elsewhere(rules, ("start", 2), "green", can_be) == "with the start tag Emperor green it can be"


def test_only_settings_that_matter_are_tried() -> None:
    """The numbers of thalers depend on the players, and on no ruling."""
    tried = []
    rules = load("kaiser", players=4).ruleset
    assert elsewhere(rules, ("thalers", 2), "900", lambda other: bool(tried.append(other))) == ""
    assert len(tried) == 2
