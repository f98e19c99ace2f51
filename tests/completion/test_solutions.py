"""Solutions of segments of the heap game, compared with brute force."""

from __future__ import annotations

import time

import pytest
from completion.gaps import FOREVER, amounts, games, segment
from support.heap_positions import after

from kaiser_logic.completion.complete import Solutions
from kaiser_logic.errors import NotDecided


def filled(*arguments: object, **named: object) -> set[tuple[int, ...]]:
    solutions = list(Solutions(segment(*arguments, **named), FOREVER))  # type: ignore[arg-type]
    assert len(set(map(amounts, solutions))) == len(solutions)
    return set(map(amounts, solutions))


def test_all_moves_unknown() -> None:
    assert filled("red: ? green: ? red: ?") == games(3)


def test_assertions_restrict_solutions() -> None:
    found = filled("red: ? assert { not taken(red,2). } green: take(2) red: ? assert { heap(6). }")
    assert found == {(1, 2, 3), (3, 2, 1)}
    assert filled("red: ? assert { heap(6). }") == set()


def test_the_end_restricts_solutions() -> None:
    found = filled("red: ? green: ? red: ?", end=after(1, 2, 3))
    assert found == {(a, 2, 4 - a) for a in (1, 2, 3)}


def test_the_result_restricts_solutions() -> None:
    """Whoever takes the last stone wins. Four moves end the game only if each takes three stones; green takes last."""
    moves = "red: ? green: ? red: ? green: ?"
    assert filled(moves, result=("green",)) == {(3, 3, 3, 3)}
    assert filled(moves, result=("red",)) == set()
    assert filled(moves, result=()) == games(4) - {(3, 3, 3, 3)}


def test_the_last_illegal_move_is_the_fault() -> None:
    solutions = Solutions(
        segment("red: ?\ngreen: take(3)\nred: take(3)\ngreen: take(3)\nred: take(3)\n"), FOREVER
    )
    assert list(solutions) == []
    assert solutions.fault is not None
    assert (solutions.fault.line, solutions.fault.rule) == (6, "take.enough")
    done = Solutions(segment("red: ?"), FOREVER)
    assert len(list(done)) == 3
    assert done.fault is None


def test_a_move_out_of_turn_is_the_fault() -> None:
    solutions = Solutions(segment("red: ?\nred: take(1)"), FOREVER)
    assert list(solutions) == []
    assert solutions.fault is not None
    assert solutions.fault.line == 3


def test_a_passed_deadline_is_not_decided() -> None:
    with pytest.raises(NotDecided):
        list(Solutions(segment("red: ?"), time.monotonic() - 1))
