"""A single replay: its dead ends, and the solutions that it reads from models."""

from __future__ import annotations

import pytest
from completion.gaps import FOREVER, amounts, segment
from support.heap_positions import after
from support.played import ELECTION

from kaiser_logic.completion.symbolic_replay import Branches, DeadEnd, Segment, SymbolicReplay
from kaiser_logic.game import load
from kaiser_logic.notation.reading import parse_record
from kaiser_logic.notation.record import PositionBlock


def replay(part: Segment, prescribed: tuple[int, ...] = ()) -> SymbolicReplay:
    return SymbolicReplay(part, prescribed, FOREVER, lambda _: None)


def test_each_solution_is_read_once() -> None:
    made = replay(segment("red: ? green: take(?)"))
    made.run()
    assert sorted(map(amounts, made.solutions())) == [(a, b) for a in (1, 2, 3) for b in (1, 2, 3)]
    assert list(made.solutions()) == []


@pytest.mark.parametrize(
    ("text", "step", "rule", "message"),
    [
        ("red: take(7)", 1, "action.unknown", ""),
        ("red: take(1) assert { heap(12). }", 2, "complete.none", "heap(12) cannot hold here"),
        ("red: take(1) assert { not heap(11). }", 2, "complete.none", "heap(11) must hold here"),
        ("assert { nonsense(1). }", 1, "record.assert", "nonsense(1): no such fact exists in this game"),
        ("green: ?", 0, "complete.none", "green has nothing to decide here"),
        ("red: take(4,?)", 1, "complete.none", "red has no such legal action here"),
    ],
)
def test_dead_ends(text: str, step: int, rule: str, message: str) -> None:
    with pytest.raises(DeadEnd) as raised:
        replay(segment(text)).run()
    assert (raised.value.step, raised.value.rule) == (step, rule)
    assert message in str(raised.value)


def test_the_end_must_be_reached() -> None:
    with pytest.raises(DeadEnd, match="cannot hold here"):
        replay(segment("red: take(1)", end=after(2))).run()


def test_a_missing_vote_is_a_branch() -> None:
    """Two roles vote at the same time, and an assertion is where the second vote is missing."""
    record = parse_record(ELECTION + "green: ? assert { phase(election). } yellow: vote(rival)")
    assert isinstance(record.items[0], PositionBlock)
    start = load("kaiser").position_of(record.items[0].terms)
    made = replay(Segment(start, record.items[1:]))  # type: ignore[arg-type]
    made.run()
    assert len(list(made.solutions())) == 2
    assert not list(made.branches.other_branches(rereads=False))
    open_end = replay(Segment(start, parse_record(ELECTION + "green: ? assert { round(5). }").items[1:]))  # type: ignore[arg-type]
    open_end.run()
    assert list(open_end.solutions())
    assert list(open_end.branches.other_branches(rereads=True)) == [(1,)]
    assert not list(open_end.branches.other_branches(rereads=False))


# Branches of replays: each combination is taken once.
def replays(widths: dict[tuple[int, ...], int], rereads: bool = False) -> list[tuple[int, ...]]:
    """The combinations of branches that are replayed. ``widths`` gives the number of branches after those taken."""
    pending: list[tuple[int, ...]] = [()]
    done = []
    while pending:
        branches = Branches(pending.pop())
        path: tuple[int, ...] = ()
        while path in widths:
            path = (*path, branches.take(widths[path], rereads))
        done.append(path)
        pending += branches.other_branches(rereads)
    return done


@pytest.mark.parametrize("rereads", [False, True])
def test_each_combination_is_taken_once(rereads: bool) -> None:
    widths = {(): 2, (0,): 3, (1,): 1, (0, 2): 2}
    found = replays(widths, rereads)
    assert sorted(found) == [(0, 0), (0, 1), (0, 2, 0), (0, 2, 1), (1, 0)]
    assert replays({}) == [()]


# Segments of records: cut at the position blocks.
