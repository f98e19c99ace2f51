"""Which branches replays take: each way of taking them once."""

from __future__ import annotations

from kaiser_logic.completion.symbolic_replay import Branches


def replays(
    widths: dict[tuple[int, ...], int], last_resort: bool = False, found: bool = False
) -> list[tuple[int, ...]]:
    """All ways that are replayed, where the branches taken so far say how many there are at the next fork."""
    pending: list[tuple[int, ...]] = [()]
    done = []
    while pending:
        branches = Branches(pending.pop())
        way: tuple[int, ...] = ()
        while way in widths:
            way = (*way, branches.take(widths[way], last_resort))
        done.append(way)
        pending += branches.others(found)
    return done


def test_every_way_once() -> None:
    widths = {(): 2, (0,): 3, (1,): 1, (0, 2): 2}
    found = replays(widths)
    assert sorted(found) == [(0, 0), (0, 1), (0, 2, 0), (0, 2, 1), (1, 0)]
    assert replays({}) == [()]


def test_a_last_resort_only_if_nothing_was_found() -> None:
    assert replays({(): 3}, last_resort=True, found=True) == [(0,)]
    assert sorted(replays({(): 3}, last_resort=True)) == [(0,), (1,), (2,)]
