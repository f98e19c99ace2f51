"""Effort counted in function calls, for tests of growth that must not depend on the clock."""

import sys
from collections.abc import Callable


def calls(work: Callable[[], object]) -> int:
    """The number of calls of Python and C functions during some work."""
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
    """Whether the effort grows about linearly: three times the size takes fewer than five times the calls.

    ``work``: from a size to the work whose calls count; it may prepare data, whose calls do not count.
    """
    work(size // 2)()  # work that is done only once
    small, large = calls(work(size)), calls(work(3 * size))
    return large < 5 * small
