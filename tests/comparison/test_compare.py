"""`compare` finds every ruling on which two editions differ, and shows a position and a move for it."""

import pytest
from support.heap_game import ACTION, heap, variant
from support.limits import NO_END, ring
from support.rulebook_cases import changes

from kaiser_logic.comparison import compare as compare_module
from kaiser_logic.comparison.compare import compare, diverging_position
from kaiser_logic.errors import WrongUsage
from kaiser_logic.game import load


def test_a_ruling_about_the_result_is_found_with_a_record():
    (difference,) = compare(heap(), heap(last_stone="loses"), timeout=NO_END)
    assert (difference.ruling.name, difference.values) == ("last_stone", ("wins", "loses"))
    assert difference.how == "result"
    assert difference.record is not None
    assert "red won" in difference.words and "green won" in difference.words


def test_without_time_a_ruling_is_not_decided():
    (difference,) = compare(heap(), heap(last_stone="loses"), timeout=0.0)
    assert not difference.complete
    assert difference.position is None


def test_an_edition_does_not_differ_from_itself():
    assert compare(load("kaiser"), load("kaiser")) == []


def test_games_with_other_seats_are_refused():
    with pytest.raises(WrongUsage):
        compare(load("kaiser"), load("kaiser", players=3))


PUTTING = changes("comparison/putting")["PUTTING"]
"""Changes that add another kind of action, legal near the end, by one value of a ruling."""


@pytest.mark.parametrize("values", [("no", "yes"), ("yes", "no")])
def test_an_action_that_only_one_value_knows_is_a_difference_in_legality(tmp_path, monkeypatch, values):
    """The solver must find it: random games may or may not meet it. The end of the time does not take it away."""
    monkeypatch.setattr(compare_module, "_in_games", ring)
    folder = variant(tmp_path, PUTTING)
    one, other = (load(folder, options={"putting": value}) for value in values)
    (difference,) = compare(one, other, timeout=NO_END, workers=1)
    assert difference.how == "legality"
    assert difference.position is not None
    facts, actions = difference.position.facts, dict(difference.actions)
    for game, value in ((one, values[0]), (other, values[1])):
        legal = [game.position(facts).is_legal(role, action) for role, action in actions.items()]
        assert legal == [value == "yes"]


def test_simultaneous_actions_that_only_one_value_knows_are_not_decided(tmp_path, monkeypatch):
    monkeypatch.setattr(compare_module, "_in_games", lambda *_: {})
    both = {**PUTTING, ACTION: f"simultaneous(take).\n{PUTTING[ACTION]}"}
    folder = variant(tmp_path, both)
    one, other = (load(folder, options={"putting": value}) for value in ("no", "yes"))
    (difference,) = compare(one, other, timeout=NO_END, workers=1)
    assert not difference.complete
    assert "the vocabulary of actions depends on it" in difference.words


# Random games find positions in which two rulings differ.
def test_a_different_result_is_found_at_the_end():
    found = diverging_position(heap(), heap(last_stone="loses"))
    assert found is not None
    assert found.actions == ()
    assert "phase(over)" in found.facts


def test_the_same_game_shows_no_difference():
    assert diverging_position(heap(), heap(), positions=40) is None


def test_rare_decisions_are_compared_after_the_positions_are_used_up(monkeypatch):
    """The end of a game is rarer than turns; the first position shows nothing."""
    first, second = heap(), heap(last_stone="loses")
    assert diverging_position(first, second, positions=1) is None
    monkeypatch.setattr("kaiser_logic.comparison.compare._SELDOM", 2)
    assert diverging_position(first, second, positions=1) is not None
