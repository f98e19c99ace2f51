"""The console for games played by hand, which prints messages and reads lines. The plain version also serves scripts."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib.util import find_spec
from typing import Final, Protocol

from .common import print_note

# -- choices -------------------------------------------------------------------------------------------------
#
# The inputs of a player: the legal actions, numbered, with their words and their gains; and the commands.


HELP: Final = """\
  a number, or an action as text   decide so
  why ACTION                       why the action is legal or illegal
  list [WORDS]                     the legal actions again, or those that the words fit
  show                             the position
  undo                             take the last decision back
  redo                             make a decision again that was taken back
  save FILE                        write the record so far
  quit                             stop, and print the record so far"""
"""The commands that can be typed."""
WORDS: Final = ("why", "list", "show", "undo", "redo", "save", "help", "quit")
"""The words of the commands."""
_PARTS: Final = re.compile(r"(\d+)")
_WORDS: Final = re.compile(r"[^\W_]+")


@dataclass(frozen=True)
class ActionChoice:
    """A legal action.

    Attributes:
        number: Its number in the list.
        action: The action as records write it.
        meaning: The action in words; the same as the action if there are none.
    """

    number: int
    action: str
    meaning: str
    _gains: Callable[[str], Sequence[str]] = field(repr=False, compare=False)

    @property
    def kind(self) -> str:
        """The name of the action without its arguments."""
        return self.action.partition("(")[0]

    @cached_property
    def remark(self) -> str:
        """The direct effects of the action; computed only when it is shown."""
        return ", ".join(self._gains(self.action))

    def fits(self, text: str) -> bool:
        """Whether each word of a text begins a word of the action or of its meaning."""
        words = [word.casefold() for word in _WORDS.findall(f"{self.action} {self.meaning}")]
        return all(any(word.startswith(typed.casefold()) for word in words) for typed in _WORDS.findall(text))


def choices(
    actions: Sequence[str],
    meaning: Callable[[str], str],
    gains: Callable[[str], Sequence[str]],
    *,
    natural: bool = False,
) -> list[ActionChoice]:
    """The actions, numbered.

    Args:
        actions: The legal actions, sorted as texts.
        meaning: An action in words.
        gains: The gains and losses of an action, in words.
        natural: Whether numbers in actions are sorted as numbers: a2 before a10.
    """
    ordered = sorted(actions, key=_natural) if natural else actions
    return [ActionChoice(number, action, meaning(action), gains) for number, action in enumerate(ordered, 1)]


def _natural(text: str) -> list[tuple[int, str]]:
    """A sort key by which numbers in a text count as numbers."""
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in _PARTS.split(text)]


class Console(Protocol):
    """The interface between a table and the terminal.

    Attributes:
        assisting: Whether numbers are sorted as numbers, and a line of words lists the actions that it fits.
    """

    assisting: bool

    @property
    def width(self) -> int | None:
        """The width of a position in columns of text; None for the default."""

    def say(self, text: str = "") -> None:
        """Prints lines that are not data."""

    def event(self, text: str) -> None:
        """Prints an action of another player, or an event."""

    def offer(
        self, heading: str, offered: Sequence[ActionChoice], chosen: Sequence[ActionChoice] | None = None
    ) -> None:
        """Lists the legal actions, or only the chosen ones."""

    def line(self, role: str, offered: Sequence[ActionChoice]) -> str | None:
        """Reads a line; None at the end of the input."""


class PlainConsole:
    """A console of plain lines of text, the same on a terminal and in a pipe."""

    assisting = False

    @property
    def width(self) -> int | None:
        """The width of the terminal, if there is one."""
        return None if not sys.stderr.isatty() else terminal_columns()

    def say(self, text: str = "") -> None:
        """Prints lines that are not data."""
        print_note(text)

    def event(self, text: str) -> None:
        """Prints an action of another player, or an event."""
        print_note(text)

    def offer(
        self, heading: str, offered: Sequence[ActionChoice], chosen: Sequence[ActionChoice] | None = None
    ) -> None:
        """Lists the legal actions, or only the chosen ones, one on each line."""
        shown = offered if chosen is None else chosen
        width = max((len(choice.action) for choice in shown), default=0)
        print_note(heading)
        for choice in shown:
            meaning = "" if choice.meaning == choice.action else choice.meaning
            print_note(f"{choice.number:>5}  {choice.action:<{width}}  {meaning}".rstrip())

    def line(self, role: str, offered: Sequence[ActionChoice]) -> str | None:
        """Reads a line of standard input; None at its end."""
        print("> ", end="", file=sys.stderr, flush=True)
        typed = sys.stdin.readline()
        if not typed:
            print_note()
            return None
        return typed.strip()


def terminal_columns() -> int:
    """The width of the terminal of standard error."""
    return os.get_terminal_size(2).columns


def can_assist() -> bool:
    """Whether the streams are a capable terminal, and the extra ``[terminal]`` is installed."""
    able = os.environ.get("TERM", "dumb") not in ("dumb", "unknown", "")
    extra = all(find_spec(name) is not None for name in ("prompt_toolkit", "rich"))
    return able and extra and sys.stdin.isatty() and sys.stderr.isatty()
