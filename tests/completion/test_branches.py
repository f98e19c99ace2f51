"""Branches of replays: each combination is taken once."""

from __future__ import annotations

from kaiser_logic.completion.symbolic_replay import Branches


def replays(
    widths: dict[tuple[int, ...], int], last_resort: bool = False, found: bool = False
) -> list[tuple[int, ...]]:
    """The combinations of branches that are replayed. ``widths`` gives the number of branches after those taken."""
    pending: list[tuple[int, ...]] = [()]
    done = []
    while pending:
        branches = Branches(pending.pop())
        path: tuple[int, ...] = ()
        while path in widths:
            path = (*path, branches.take(widths[path], last_resort))
        done.append(path)
        pending += branches.others(found)
    return done


def test_each_combination_is_taken_once() -> None:
    widths = {(): 2, (0,): 3, (1,): 1, (0, 2): 2}
    found = replays(widths)
    assert sorted(found) == [(0, 0), (0, 1), (0, 2, 0), (0, 2, 1), (1, 0)]
    assert replays({}) == [()]


def test_a_last_resort_is_taken_only_if_nothing_was_found() -> None:
    assert replays({(): 3}, last_resort=True, found=True) == [(0,)]
    assert sorted(replays({(): 3}, last_resort=True)) == [(0,), (1,), (2,)]
