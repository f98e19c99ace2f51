"""Actions and roles as users type them: sets in any order, words that are not names, roles in another language."""

from __future__ import annotations

import pytest

from kaiser_logic.engine import symbols
from kaiser_logic.engine.ruleset import action_of, no_such_role
from kaiser_logic.errors import WrongUsage
from kaiser_logic.game import load
from kaiser_logic.notation.syntax import parse_user_term


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    "typed",
    [
        "force(with(1,castle,with(1,leader3,none)))",
        "force(with(1,leader3,with(1,castle,none)))",
    ],
)
def test_sets_are_read_in_any_order(typed: str) -> None:
    rules = load("krone").ruleset
    for one in (typed, parse_user_term(typed)):
        assert symbols.text(action_of(rules, one)) == "force(with(1,leader3,with(1,castle,none)))"


def test_repeated_things_of_a_set_are_added() -> None:
    found = action_of(load("krone").ruleset, "vote(sword,with(1,city,with(2,castle,with(1,city,none))))")
    assert symbols.text(found) == "vote(sword,with(2,castle,with(2,city,none)))"


@pytest.mark.parametrize(
    "typed", ["force(with(1,x,with(1,castle,none)))", "force(with(1,castle,x))", "ambush(1)", "pass"]
)
def test_other_terms_are_unchanged(typed: str) -> None:
    assert symbols.text(action_of(load("krone").ruleset, typed)) == typed


def test_a_word_that_is_not_a_name_is_corrected() -> None:
    with pytest.raises(WrongUsage, match="'Köln' is written koeln"):
        load("kaiser").initial().why("red", "empire_city(Köln)")


def test_a_role_in_another_language_is_corrected() -> None:
    assert no_such_role(load("kaiser").ruleset, "groen").endswith("; did you mean green?")
