"""Where a game by hand is played: what is said there, and how lines are read. The plain way, for scripts too."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from typing import Protocol

from .choices import Choice
from .common import say


class Console(Protocol):
    """What a table needs of the place where it is played.

    Attributes:
        assisting: Whether a2 is listed before a10, and words that are no action list the actions that they fit.
    """

    assisting: bool

    @property
    def width(self) -> int | None:
        """The columns of text that a position may take up; None: as many as it has without a terminal."""

    def say(self, text: str = "") -> None:
        """A line, or several, that are no data."""

    def event(self, text: str) -> None:
        """Something that others did, or that happened."""

    def offer(self, heading: str, offered: Sequence[Choice], chosen: Sequence[Choice] | None = None) -> None:
        """Shows what can be done; ``chosen``: those that were asked for, in place of all."""

    def line(self, role: str, offered: Sequence[Choice]) -> str | None:
        """What is typed; None where nothing more comes."""


class Plain:
    """Lines of text without any help, the same on a terminal and in a pipe."""

    assisting = False

    @property
    def width(self) -> int | None:
        """That of the terminal, where there is one."""
        return None if not sys.stderr.isatty() else terminal_columns()

    def say(self, text: str = "") -> None:
        """A line, or several, that are no data."""
        say(text)

    def event(self, text: str) -> None:
        """Something that others did, or that happened."""
        say(text)

    def offer(self, heading: str, offered: Sequence[Choice], chosen: Sequence[Choice] | None = None) -> None:
        """All of them, or those that were asked for, one a line."""
        shown = offered if chosen is None else chosen
        width = max((len(choice.action) for choice in shown), default=0)
        say(heading)
        for choice in shown:
            meaning = "" if choice.meaning == choice.action else choice.meaning
            say(f"{choice.number:>5}  {choice.action:<{width}}  {meaning}".rstrip())

    def line(self, role: str, offered: Sequence[Choice]) -> str | None:
        """A line of standard input."""
        print("> ", end="", file=sys.stderr, flush=True)
        typed = sys.stdin.readline()
        if not typed:
            say()
            return None
        return typed.strip()


def terminal_columns() -> int:
    """The width of the terminal that standard error is."""
    return os.get_terminal_size(2).columns


def console_here(seats: Sequence[str]) -> Console:
    """The best console that there is: on a terminal that can do more, and with the extra installed, one with more.

    Args:
        seats: The players.
    """
    able = os.environ.get("TERM", "dumb") not in ("dumb", "unknown", "")
    extra = all(find_spec(name) is not None for name in ("prompt_toolkit", "rich"))
    if able and extra and sys.stdin.isatty() and sys.stderr.isatty():
        from .terminal import Terminal

        return Terminal(seats)
    return Plain()
