"""The moves between two positions of the heap game, compared with brute force."""

import time
from pathlib import Path

import pytest
from completion.gaps import segment, taken_by
from support.heap_game import after, small_rulebook

from kaiser_logic.completion.complete import PlannedSolutions, complete
from kaiser_logic.completion.symbolic_replay import Segment
from kaiser_logic.errors import NotDecided
from kaiser_logic.game import load
from kaiser_logic.notation.reading import parse_record
from kaiser_logic.notation.record import PositionBlock, RecordedFact
from kaiser_logic.notation.syntax import parse_user_term
from kaiser_logic.position import Position


def walks(start: Position, end: Position, most: int) -> set[tuple[str, ...]]:
    """All sequences of at most ``most`` moves that lead from one position to another."""
    found: set[tuple[str, ...]] = {()} if start == end else set()
    for role, actions in start.legal().items() if most else ():
        for action in actions:
            found |= {(action, *rest) for rest in walks(start.apply({role: action}), end, most - 1)}
    return found


def soon() -> float:
    return time.monotonic() + 600


@pytest.mark.parametrize("taken", [(), (2,), (1, 3), (2, 2, 2), (3, 1, 2, 2)])
def test_all_sequences_are_found_shortest_first(taken):
    made = PlannedSolutions(segment("", end=after(*taken)), 5, 600, soon(), lambda _: None)
    found = list(map(taken_by, made))
    assert set(found) == walks(after(), after(*taken), 5)
    assert list(map(len, found)) == sorted(map(len, found))
    assert made.fault is None


def test_an_unreachable_end_is_a_fault():
    made = PlannedSolutions(segment("", start=after(1), end=after(2)), 4, 600, soon(), lambda _: None)
    assert list(made) == []
    assert made.fault is not None
    assert "at most 4" in made.fault.message


def test_search_replaces_planning_that_is_too_expensive(monkeypatch):
    monkeypatch.setattr("kaiser_logic.completion.complete._PLANNING", 1e-6)
    made = iter(PlannedSolutions(segment("", end=after(3, 1, 2)), 5, 600, soon(), lambda _: None))
    assert taken_by(next(made)) in walks(after(), after(3, 1, 2), 5)
    with pytest.raises(NotDecided, match="there may be other ways"):
        next(made)


RING = Path(__file__).parents[1] / "support" / "ring.lp"


@pytest.fixture
def ring(tmp_path):
    return load(small_rulebook(tmp_path, "ring", RING.read_text(encoding="utf-8"))).initial()


@pytest.mark.parametrize("steps", [0, 1, 4])
def test_sequences_that_pass_the_end_are_found_and_the_limit_is_said(ring, steps):
    end = ring
    for _ in range(steps):
        end = end.apply({"red": "on"})
    block = PositionBlock(tuple(RecordedFact(parse_user_term(fact)) for fact in end.facts))
    made = PlannedSolutions(Segment(ring, (), block), 8, 600, soon(), lambda _: None)
    found = list(map(taken_by, made))
    assert sorted(found) == sorted(walks(ring, end, 8))
    assert made.limited


def test_the_limit_is_part_of_a_fault(ring):
    start, end = ring.apply({"red": "on"}), ring.apply({"red": "back"})
    block = PositionBlock(tuple(RecordedFact(parse_user_term(fact)) for fact in end.facts))
    made = PlannedSolutions(Segment(start, (), block), 2, 600, soon(), lambda _: None)
    assert list(made) == []
    assert made.limited
    assert made.fault is not None
    assert "at most 2" in made.fault.message


def test_a_completion_says_that_longer_sequences_were_not_tried(ring, monkeypatch):
    monkeypatch.setenv("KAISER_LOGIC_GAMES", str(ring.ruleset.book.folder.parent))
    first, last = (
        f"position {{ {' '.join(f'{fact}.' for fact in position.facts)} }}"
        for position in (ring.apply({"red": "on"}), ring)
    )
    record = parse_record(f'[Game "ring"]\n{first}\n{last}')
    found = complete(record, max_gap=5)
    assert (found.unique, found.within, len(found.records[0].moves)) == (True, 5, 4)
    none = complete(record, max_gap=3)
    assert (none.impossible, none.within) == (True, 3)
