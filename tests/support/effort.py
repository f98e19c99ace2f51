"""How much is done, counted in calls: for tests of growth, which no clock may decide."""

from __future__ import annotations

import sys
from collections.abc import Callable


def calls(work: Callable[[], object]) -> int:
    """The calls, of Python's and of C's functions, while something is done."""
    count = 0

    def noted(frame: object, event: str, argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(noted)
    try:
        work()
    finally:
        sys.setprofile(before)
    return count


def grows_evenly(work: Callable[[int], Callable[[], object]], size: int) -> bool:
    """Whether what is done for three more times as much of the same is some three times more, far from nine times.

    ``work``: from a size to what is to be done; it may prepare what is not to be counted.
    """
    work(size // 2)()  # what is done once only
    small, large = calls(work(size)), calls(work(3 * size))
    return large < 5 * small
