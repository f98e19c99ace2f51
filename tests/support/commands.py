"""Types that the tests of the command line share."""

from collections.abc import Callable
from typing import NamedTuple


class Outcome(NamedTuple):
    code: int
    out: str
    err: str


Run = Callable[..., Outcome]
"""Runs a command with these arguments."""
Write = Callable[[str], str]
"""Writes a text to the file ``my.game`` in the current folder, and returns that name."""
