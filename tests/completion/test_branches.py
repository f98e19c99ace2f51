"""Branches of replays: each combination is taken once."""

from __future__ import annotations

import pytest

from kaiser_logic.completion.symbolic_replay import Branches


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


def test_branches_of_other_readings_are_kept_apart() -> None:
    branches = Branches(())
    branches.take(2)
    branches.take(3, rereads=True)
    assert list(branches.other_branches(rereads=False)) == [(1,)]
    assert list(branches.other_branches(rereads=True)) == [(0, 1), (0, 2)]
