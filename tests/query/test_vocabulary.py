"""The list of predicates for queries is complete and can be asked."""

import pytest

from kaiser_logic.errors import WrongUsage
from kaiser_logic.game import load
from kaiser_logic.query.language import parse_query
from kaiser_logic.query.mistakes import read_query
from kaiser_logic.query.vocabulary import FOR_ENGINE, askable, vocabulary
from kaiser_logic.rules.loader import games, rulebook


@pytest.mark.parametrize("name", games())
def test_everything_is_listed_once_and_can_be_asked(name):
    book = rulebook(name)
    changing, data = vocabulary(book)
    assert len({*changing, *data}) == len(changing) + len(data) == len(askable(book) - FOR_ENGINE)
    for form in (*changing, *data):
        if not form.startswith(("after(", "violates(", "legal(")):  # their actions and facts are terms
            assert parse_query(form, book)


def test_predicates_are_listed_with_their_names_and_words():
    changing, data = vocabulary(rulebook("kaiser"))
    assert changing["elector(E,R,G,K)"] == "R's K of G is elector of E"
    assert changing["rival_can_win"] == "the rival wins if all voters are for him"
    assert "power(E,R,N)" in changing
    assert "power(E,R,N)" not in data
    assert data["spaces(E,S,N)"] == "E has N spaces S"  # a comment of kaiser/board.lp


@pytest.mark.parametrize("name", games())
def test_all_predicates_have_words(name):
    changing, data = vocabulary(rulebook(name))
    assert [form for form, means in {**changing, **data}.items() if not means or means[-1] == "."] == []


@pytest.mark.slow
@pytest.mark.parametrize("name", games())
def test_all_listed_predicates_can_be_asked(name):
    """Exceptions are predicates that hold only for some numbers of players or with some rulings."""
    for players in {min(rulebook(name).manifest["players"]), max(rulebook(name).manifest["players"])}:
        game = load(name, players=players)
        for form in [f for forms in vocabulary(game.book) for f in forms if not f.startswith("after(")]:
            try:
                read_query(form, game.ruleset)
            except WrongUsage as error:
                assert "in this game as it is set up" in str(error), form
