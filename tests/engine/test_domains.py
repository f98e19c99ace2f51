"""A vocabulary that is too large to list is refused with a message, and nothing is called proved."""

import pytest
from support.heap_game import changed

from kaiser_logic.engine import domains, symbols
from kaiser_logic.engine.domains import facts_of, too_many
from kaiser_logic.engine.ruleset import action_of, no_such_role
from kaiser_logic.errors import NotDecided, WrongUsage
from kaiser_logic.game import load
from kaiser_logic.notation.syntax import parse_user_term

MESSAGE = "too many possible facts: 12, of them 4 of seat/2"


def test_possible_facts_are_counted(tmp_path):
    game = changed(tmp_path, {})
    assert too_many(game.ruleset) is None
    assert facts_of(game.ruleset, ("took", 1)) == 2


@pytest.fixture
def small_limit(monkeypatch):
    """Sets the limit so low that the heap game exceeds it."""
    monkeypatch.setattr(domains, "MOST", 1)


@pytest.mark.usefixtures("small_limit")
def test_proofs_and_searches_are_refused(tmp_path):
    game = changed(tmp_path, {})
    for question in (
        lambda: game.prove(jobs=1),
        lambda: game.prove(claims=["never heap(12), took(_)"], jobs=1),
        game.invariants,
        lambda: game.find("heap(3)"),
    ):
        with pytest.raises(NotDecided, match=MESSAGE):
            question()


# Actions and roles as users type them: sets in any order, words that are not names, roles in another language.
@pytest.mark.sample(2)
@pytest.mark.parametrize(
    "typed", ["force(with(1,castle,with(1,leader3,none)))", "force(with(1,leader3,with(1,castle,none)))"]
)
def test_sets_are_read_in_any_order(typed):
    rules = load("krone").ruleset
    for one in (typed, parse_user_term(typed)):
        assert symbols.text(action_of(rules, one)) == "force(with(1,leader3,with(1,castle,none)))"


def test_a_word_that_is_not_a_name_is_corrected():
    with pytest.raises(WrongUsage, match="'Köln' is written koeln"):
        load("kaiser").initial().why("red", "empire_city(Köln)")


def test_a_role_in_another_language_is_corrected():
    assert no_such_role(load("kaiser").ruleset, "groen").endswith("; did you mean green?")
