"""The list of what a query can ask for has the values of arguments, and examples that can be asked."""

from collections import Counter

import pytest

from kaiser_logic.game import load
from kaiser_logic.query.in_words import in_english
from kaiser_logic.query.listing import examples, list_predicates, suggestions
from kaiser_logic.query.mistakes import read_query
from kaiser_logic.query.vocabulary import askable
from kaiser_logic.rules.loader import rulebook

GAMES = ("kaiser", "krone", "staufer", "vive")


def test_values_of_arguments_are_listed():
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
def test_examples_are_queries(game):
    """The game understands each example and gives its meaning in words."""
    found = examples(rulebook(game))
    assert len(found) == 5
    for query, words in found.items():
        assert in_english(query, rulebook(game)) == words
    start = load(game).initial()
    assert all(isinstance(start.query(query), list) for query in found if "legal" not in query)


# Suggestions while a query is written are the expected ones, and each can be asked.
def suggested(text: str, game: str = "kaiser") -> list[str]:
    return [one.text for one in suggestions(load(game).ruleset, text)]


def test_english_words_find_their_predicate():
    """An author who does not know the name in the rulebook writes the English word."""
    assert "aristocrat(" in suggested("space")


@pytest.mark.sample(4)
@pytest.mark.parametrize("game", ["kaiser", "krone", "staufer", "vive"])
def test_each_suggestion_can_be_asked(game):
    """For each argument of each fact the first suggested value gives a query that can be read."""
    ruleset = load(game).ruleset
    several = [name for name, times in Counter(name for name, _ in askable(ruleset.book)).items() if times > 1]
    for written, (_, values) in list_predicates(ruleset)[0].items():
        name, _, inside = written.removesuffix(")").partition("(")
        if name in ("after", "legal", "violates", *several) or not values:
            continue
        arity = inside.count(",") + 1
        for number in range(arity):
            first = next(one for one in suggested(f"{name}({'_,' * number}", game) if not one.endswith("("))
            read_query(f"{name}({'_,' * number}{first}{',_' * (arity - number - 1)})", ruleset)
