"""The moves between two positions of the game of the heap, compared with trying all amounts."""

from __future__ import annotations

import time

import pytest
from completion.gaps import FOREVER, amounts, segment
from support.heap_positions import after, heap

from kaiser_logic.completion.complete import PlannedSolutions
from kaiser_logic.errors import NotDecided
from kaiser_logic.position import Position


def soon() -> float:
    return time.monotonic() + 600


def ways(start: Position, end: Position, most: int) -> set[tuple[int, ...]]:
    """All ways of at most so many moves."""
    found: set[tuple[int, ...]] = {()} if start == end else set()
    for role, actions in start.legal().items() if most else ():
        for action in actions:
            more = ways(start.apply({role: action}), end, most - 1)
            found |= {(int(action[5:-1]), *way) for way in more}
    return found


@pytest.mark.parametrize("taken", [(), (2,), (1, 3), (2, 2, 2), (3, 1, 2, 2)])
def test_all_ways_the_shortest_first(taken: tuple[int, ...]) -> None:
    made = PlannedSolutions(segment("", end=after(*taken)), 5, 600, soon(), lambda _: None)
    found = list(map(amounts, made))
    assert set(found) == ways(after(), after(*taken), 5)
    assert list(map(len, found)) == sorted(map(len, found))
    assert made.fault is None


def test_no_way_is_a_fault() -> None:
    made = PlannedSolutions(segment("", start=after(1), end=after(2)), 4, 600, soon(), lambda _: None)
    assert list(made) == []
    assert made.fault is not None
    assert "at most 4" in made.fault.message


def test_search_takes_over_where_planning_is_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kaiser_logic.completion.complete._PLANNING", 1e-6)
    made = iter(PlannedSolutions(segment("", end=after(3, 1, 2)), 5, 600, soon(), lambda _: None))
    assert amounts(next(made)) in ways(after(), after(3, 1, 2), 5)
    with pytest.raises(NotDecided, match="there may be other ways"):
        next(made)


def test_deadline() -> None:
    with pytest.raises(NotDecided):
        list(PlannedSolutions(segment("", end=after(3, 1, 2)), 5, 600, time.monotonic(), lambda _: None))


def test_it_is_told_how_far_it_is() -> None:
    told: list[str] = []
    next(iter(PlannedSolutions(segment("", end=after(2, 1)), 5, 600, soon(), told.append)))
    assert told == [f"{n} moves between two positions" for n in range(3)]
    assert heap().initial() == after()
    assert soon() < FOREVER
