"""The moves between two positions of the heap game, compared with brute force."""

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


def sequences(start: Position, end: Position, most: int) -> set[tuple[int, ...]]:
    """All sequences of at most ``most`` moves that lead from one position to another."""
    found: set[tuple[int, ...]] = {()} if start == end else set()
    for role, actions in start.legal().items() if most else ():
        for action in actions:
            more = sequences(start.apply({role: action}), end, most - 1)
            found |= {(int(action[5:-1]), *rest) for rest in more}
    return found


@pytest.mark.parametrize("taken", [(), (2,), (1, 3), (2, 2, 2), (3, 1, 2, 2)])
def test_all_sequences_are_found_shortest_first(taken: tuple[int, ...]) -> None:
    made = PlannedSolutions(segment("", end=after(*taken)), 5, 600, soon(), lambda _: None)
    found = list(map(amounts, made))
    assert set(found) == sequences(after(), after(*taken), 5)
    assert list(map(len, found)) == sorted(map(len, found))
    assert made.fault is None


def test_an_unreachable_end_is_a_fault() -> None:
    made = PlannedSolutions(segment("", start=after(1), end=after(2)), 4, 600, soon(), lambda _: None)
    assert list(made) == []
    assert made.fault is not None
    assert "at most 4" in made.fault.message


def test_search_replaces_planning_that_is_too_expensive(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kaiser_logic.completion.complete._PLANNING", 1e-6)
    made = iter(PlannedSolutions(segment("", end=after(3, 1, 2)), 5, 600, soon(), lambda _: None))
    assert amounts(next(made)) in sequences(after(), after(3, 1, 2), 5)
    with pytest.raises(NotDecided, match="there may be other ways"):
        next(made)


def test_a_passed_deadline_is_not_decided() -> None:
    with pytest.raises(NotDecided):
        list(PlannedSolutions(segment("", end=after(3, 1, 2)), 5, 600, time.monotonic(), lambda _: None))


def test_progress_counts_moves() -> None:
    messages: list[str] = []
    next(iter(PlannedSolutions(segment("", end=after(2, 1)), 5, 600, soon(), messages.append)))
    assert messages == [f"{n} moves between two positions" for n in range(3)]
    assert heap().initial() == after()
    assert soon() < FOREVER
