"""The list of what a query can ask for has the values of arguments, and examples that can be asked."""

from __future__ import annotations

import pytest

from kaiser_logic.game import load
from kaiser_logic.query.in_words import in_english
from kaiser_logic.query.listing import examples, list_predicates
from kaiser_logic.rules.loader import rulebook

GAMES = ("kaiser", "krone", "staufer", "vive")


def test_values_of_arguments_are_listed() -> None:
    changing, data = list_predicates(load("kaiser").ruleset)
    assert changing["elector(E,R,G,K)"][1] == (
        "E: boehmen, brandenburg, koeln, mainz, pfalz, sachsen, trier; R: blue, green, red, yellow;"
        " G: 15, 25, 35, 45; K: baron, couple"
    )
    assert changing["phase(W)"][1].startswith("W: actions, ")
    assert changing["thalers(R,M)"][1].endswith("M: 0 to 12")
    assert changing["points(R,N)"][1].endswith("N: a number from 0")
    assert data["archbishopric(E)"][1] == "E: koeln, mainz, trier"


@pytest.mark.parametrize("game", GAMES)
def test_examples_are_queries(game: str) -> None:
    """The game understands each example and gives its meaning in words."""
    found = examples(rulebook(game))
    assert len(found) == 5
    for query, words in found.items():
        assert in_english(query, rulebook(game)) == words
    start = load(game).initial()
    assert all(isinstance(start.query(query), list) for query in found if "legal" not in query)
