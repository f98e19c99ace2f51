"""All ways to fill segments of the game of the heap, compared with trying all amounts."""

from __future__ import annotations

import time

import pytest
from completion.gaps import FOREVER, amounts, games, segment
from support.heap_positions import after

from kaiser_logic.completion.complete import Solutions
from kaiser_logic.errors import NotDecided


def filled(*arguments: object, **named: object) -> set[tuple[int, ...]]:
    ways = list(Solutions(segment(*arguments, **named), FOREVER))  # type: ignore[arg-type]
    assert len(set(map(amounts, ways))) == len(ways)
    return set(map(amounts, ways))


def test_everything_open() -> None:
    assert filled("red: ? green: ? red: ?") == games(3)


def test_assertions() -> None:
    found = filled("red: ? assert { not taken(red,2). } green: take(2) red: ? assert { heap(6). }")
    assert found == {(1, 2, 3), (3, 2, 1)}
    assert filled("red: ? assert { heap(6). }") == set()


def test_end() -> None:
    found = filled("red: ? green: ? red: ?", end=after(1, 2, 3))
    assert found == {(a, 2, 4 - a) for a in (1, 2, 3)}


def test_result() -> None:
    """Who takes the last stone wins: four moves end it only with three stones each, and green takes last."""
    moves = "red: ? green: ? red: ? green: ?"
    assert filled(moves, result=("green",)) == {(3, 3, 3, 3)}
    assert filled(moves, result=("red",)) == set()
    assert filled(moves, result=()) == games(4) - {(3, 3, 3, 3)}


def test_the_last_move_that_fits_nothing_is_the_fault() -> None:
    ways = Solutions(segment("red: ?\ngreen: take(3)\nred: take(3)\ngreen: take(3)\nred: take(3)\n"), FOREVER)
    assert list(ways) == []
    assert ways.fault is not None
    assert (ways.fault.line, ways.fault.rule) == (6, "take.enough")
    done = Solutions(segment("red: ?"), FOREVER)
    assert len(list(done)) == 3
    assert done.fault is None


def test_who_may_not_move() -> None:
    ways = Solutions(segment("red: ?\nred: take(1)"), FOREVER)
    assert list(ways) == []
    assert ways.fault is not None
    assert ways.fault.line == 3


def test_deadline() -> None:
    with pytest.raises(NotDecided):
        list(Solutions(segment("red: ?"), time.monotonic() - 1))
