"""Games: other seats on an own board, engines, and origins of positions."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest
from support.heap_game import FOLDER

from kaiser_logic.errors import UnreadableInput, WrongUsage
from kaiser_logic.evaluation.verdict import InvalidPosition
from kaiser_logic.game import Game, load

# Eleven aristocrat spaces are enough for three players, not for four.
SMALL = Path(__file__).parent.parent / "examples" / "faults" / "boards" / "too-small.lp"


@pytest.fixture
def three() -> Game:
    return load("kaiser", players=3, board=SMALL)


def test_a_board_is_checked_again_for_other_seats(three: Game) -> None:
    four = load("kaiser", players=4).seats
    with pytest.raises(UnreadableInput, match="aristocrat"):
        load("kaiser", seats=four, board=SMALL)
    with pytest.raises(WrongUsage, match=r"board\.aristocrats"):
        three.seated(four)
    assert three.seated(three.seats) is three
    assert three.seated(three.seats[::-1]).board == three.board


def test_a_position_with_too_many_seats_for_the_board_is_invalid(three: Game) -> None:
    with pytest.raises(InvalidPosition) as error:
        three.position(load("kaiser", players=4).initial().facts)
    assert [b.invariant for b in error.value.broken] == ["board.aristocrats"]


@pytest.mark.parametrize("seats", [("red",), ("red", "red"), ("red", "pink", "blue")])
def test_seats_must_be_different_roles_of_the_game(three: Game, seats: tuple[str, ...]) -> None:
    with pytest.raises(WrongUsage):
        three.seated(seats)


def test_an_unknown_engine_is_an_error() -> None:
    with pytest.raises(WrongUsage, match="the engines are: compiled, clingo"):
        load("krone", engine="fast")


def test_a_position_keeps_its_engine() -> None:
    position = load("krone", engine="clingo").initial()
    again = pickle.loads(pickle.dumps(position))
    assert again == position
    assert again.ruleset.configuration.engine == "clingo"


def test_a_found_position_has_an_origin() -> None:
    game = load(FOLDER)
    found = game.find_result("heap(10), taken(red,2), took(red), decision(green,take)")
    (origin,) = found.origins
    assert (origin.verdict, origin.moves) == ("reachable", (("red", "take(2)"),))
    assert game.origin(found.positions[0], effort=0).verdict == "open"
