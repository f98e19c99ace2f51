"""For a malformed action the message names the wrong argument, a correction and the nearest legal action."""

from pathlib import Path

import pytest
from support.heap_game import ACTION, FOLDER, variant
from support.tables import rows

from kaiser_logic.game import load
from kaiser_logic.notation.sources import read
from kaiser_logic.records.replay import Replay


@pytest.mark.parametrize(("game", "action", "message"), rows("evaluation/unknown_actions", "unknown"))
def test_the_message_names_the_mistake(game, action, message):
    (violation,) = load(FOLDER if game == "heap" else game).initial().why("red", action)
    assert violation.rule == "action.unknown"
    assert violation.message.startswith(f"the game knows no such action: {message}")


def test_an_argument_may_be_wrong_only_in_combination(tmp_path):
    rules = (
        "action(take,swap(K,J)) :- amount(K), amount(J), K < J.\ncandidate(R,swap(1,2)) :- decision(R,take), heap(40)."
    )
    game = load(variant(tmp_path, {ACTION: f"{ACTION}\n{rules}"}))
    (violation,) = game.initial().why("red", "swap(2,2)")
    assert "2 cannot stand there" in violation.message and "is no" not in violation.message


def test_the_nearest_action_is_legal_for_the_role():
    position = load("kaiser").initial()
    assert "nearest" not in position.why("green", "empire_city(koln)")[0].message
    for role, action in (("red", "empire_city(koln)"), ("red", "empire_cty(mainz)")):
        near = position.why(role, action)[0].message.rpartition(" ")[2]
        assert near in position.legal()[role]


def test_a_very_different_action_has_no_nearest_action():
    (violation,) = load("kaiser").initial().why("red", "zzz(1,2)")
    assert violation.message == "the game knows no such action: there is no action zzz"


@pytest.mark.parametrize(("action", "near"), rows("evaluation/unknown_actions", "near"))
def test_the_nearest_action_may_have_the_same_words_in_another_order(action, near):
    (violation,) = Replay.at(read(Path(__file__).with_name("buying.game"))).here().why("green", action)
    found = violation.message.partition("; the nearest legal action is ")[2]
    assert found == near.strip("-")


SKIP = {
    ACTION: "action(take,take(K)) :- amount(K).\n"
    "action(take,skip) :- not ruling(last_stone,wins).\naction(take,pass(K)) :- amount(K), ruling(last_stone,loses).",
    'out_of_turn(take,"take").': 'out_of_turn(take,"take").\ncandidate(R,skip) :- decision(R,take), ruling(last_stone,loses).\n'
    "candidate(R,pass(K)) :- decision(R,take), amount(K), ruling(last_stone,loses).",
}
"""Changes to the heap game: two actions that exist only with one value of a ruling."""


@pytest.mark.parametrize("action", ["skip", "pass(2)"])
def test_the_message_names_a_ruling_that_excludes_the_action(tmp_path, action):
    """The arguments of the action are correct."""
    game = variant(tmp_path, SKIP)
    assert load(game, options={"last_stone": "loses"}).initial().is_legal("red", action)
    (violation,) = load(game).initial().why("red", action)
    name = action.partition("(")[0]
    start = f"the game knows no such action: there is no action {name} in this game as it is set up"
    assert violation.message == f"{start} (ruling last_stone is wins)"
