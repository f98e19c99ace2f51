"""Where a game by hand is played: what is said there, and how lines are read. The plain way, for scripts too."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib.util import find_spec
from typing import Final, Protocol

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.history import InMemoryHistory
from prompt_toolkit.input import Input
from prompt_toolkit.output import ColorDepth, Output
from prompt_toolkit.output.defaults import create_output
from rich.console import Console as Screen
from rich.text import Text

from .common import print_note

# -- choices -------------------------------------------------------------------------------------------------
#
# What can be typed: the legal actions, numbered, with what they mean and what they cost; and the commands.


HELP: Final = """\
  a number, or an action as text   decide so
  why ACTION                       why the action is legal or illegal
  list [WORDS]                     the legal actions again, or those that the words fit
  show                             the position
  undo                             take the last decision back
  redo                             make a decision again that was taken back
  save FILE                        write the record so far
  quit                             stop, and print the record so far"""
"""What can be typed."""
WORDS: Final = ("why", "list", "show", "undo", "redo", "save", "help", "quit")
"""What a typed line may begin with, besides actions and numbers."""
_PARTS: Final = re.compile(r"(\d+)")
_WORDS: Final = re.compile(r"[^\W_]+")


@dataclass(frozen=True)
class Choice:
    """A legal action.

    Attributes:
        number: What it can be chosen by.
        action: As records write it.
        meaning: In words; the same where there are none.
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
    def beside(self) -> str:
        """What it takes and gives at once; asked for when it is shown."""
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
) -> list[Choice]:
    """The actions, numbered.

    Args:
        actions: The legal actions, sorted as texts.
        meaning: An action in words.
        gains: What it takes and gives at once.
        natural: Whether numbers in them are sorted as numbers: a2 before a10.
    """
    ordered = sorted(actions, key=_natural) if natural else actions
    return [Choice(number, action, meaning(action), gains) for number, action in enumerate(ordered, 1)]


def _natural(text: str) -> list[tuple[int, str]]:
    """What to sort a text by, so that numbers in it count as numbers."""
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in _PARTS.split(text)]


# -- terminal ------------------------------------------------------------------------------------------------
#
# A terminal that one likes to play in: completion, history, colours; with the extra ``[terminal]``.


_MANY: Final = 30
"""More legal actions than these are not listed: their kinds are."""
_COLOURS: Final = {
    "red": "red",
    "green": "green",
    "blue": "blue",
    "yellow": "yellow",
    "black": "bright_black",
    "white": "bright_white",
}
"""The colours of roles that are named like one; a name says who it is without it."""
_PROMPT: Final = {"bright_black": "ansibrightblack", "bright_white": "ansiwhite"}
"""What some of them are called in the prompt."""


class Terminal:
    """Where completion, history and colours are to be had; what is said goes to standard error."""

    assisting = True

    def __init__(
        self,
        seats: Sequence[str],
        *,
        screen: Screen | None = None,
        source: Input | None = None,
        output: Output | None = None,
    ) -> None:
        """A terminal for a game.

        Args:
            seats: The players.
            screen: Where things are said, by default standard error.
            source: Where keys come from, by default the terminal.
            output: Where the line that is typed is drawn, by default standard error.
        """
        self._screen = screen or Screen(stderr=True, highlight=False)
        self._seats = {seat: _COLOURS[seat] for seat in seats if seat in _COLOURS}
        depth = ColorDepth.DEPTH_1_BIT if self._screen.no_color else None
        self._session: PromptSession[str] = PromptSession(
            history=InMemoryHistory(),
            complete_while_typing=True,
            color_depth=depth,
            input=source,
            output=output or create_output(sys.stderr),
        )

    @property
    def width(self) -> int | None:
        """That of the terminal."""
        return self._screen.width

    def say(self, text: str = "") -> None:
        """A line, or several, with the roles in their colours."""
        self._screen.print(self._coloured(text), soft_wrap=True)

    def event(self, text: str) -> None:
        """Something that others did, or that happened: fainter than what is asked."""
        self._screen.print(self._coloured(text, "dim"), soft_wrap=True)

    def offer(self, heading: str, offered: Sequence[Choice], chosen: Sequence[Choice] | None = None) -> None:
        """All legal actions, or where they are many their kinds; those that were asked for are always listed."""
        self._screen.print(self._coloured(heading, "bold"), soft_wrap=True)
        if chosen is None and len(offered) > _MANY:
            self._kinds(offered)
            return
        shown = offered if chosen is None else chosen
        width = max((len(choice.action) for choice in shown), default=0)
        for choice in shown:
            self._screen.print(self._row(choice, width), overflow="ellipsis", no_wrap=True)

    def _row(self, choice: Choice, width: int) -> Text:
        """A choice in a line."""
        row = Text(f"{choice.number:>5}  ", "dim")
        row.append_text(Text(f"{choice.action:<{width}}", ""))
        if choice.meaning != choice.action:
            row.append_text(Text(f"  {choice.meaning}", ""))
        if choice.beside:
            row.append_text(Text(f"  ({choice.beside})", "cyan"))
        row.rstrip()
        return row

    def _kinds(self, offered: Sequence[Choice]) -> None:
        """Each kind of action with how many there are and what the first means."""
        kinds: dict[str, list[Choice]] = {}
        for choice in offered:
            kinds.setdefault(choice.kind, []).append(choice)
        width = max(map(len, kinds))
        for kind, members in kinds.items():
            row = Text(f"{kind:<{width + 2}}", "bold")
            row.append_text(Text(f"{len(members):>4}  ", "dim"))
            row.append_text(Text(members[0].meaning, ""))
            if len(members) > 1:
                row.append_text(Text(", ...", "dim"))
            self._screen.print(Text("  ").append_text(row), overflow="ellipsis", no_wrap=True)
        self._screen.print(
            Text(f"  {len(offered)} actions: type some letters and choose, or 'list WORDS'", "dim"),
            soft_wrap=True,
        )

    def line(self, role: str, offered: Sequence[Choice]) -> str | None:
        """A line, with what can be typed offered while it is."""
        colour = self._seats.get(role, "")
        style = f"bold {_PROMPT.get(colour, f'ansi{colour}')}" if colour else "bold"
        prompt: StyleAndTextTuples = [(style, role), ("", "> ")]
        try:
            typed = self._session.prompt(prompt, completer=Offer(offered))
        except EOFError:
            return None
        return typed.strip()

    def _coloured(self, text: str, style: str = "") -> Text:
        """A text with the names of roles in their colours."""
        styled = Text(text, style)
        for seat, colour in self._seats.items():
            styled.highlight_regex(rf"(?i)\b{re.escape(seat)}\b", f"bold {colour}")
        return styled


class Offer(Completer):
    """What can be typed: the actions that the words typed so far fit, and the commands."""

    def __init__(self, offered: Sequence[Choice]) -> None:
        """``offered``: the legal actions."""
        self._offered = offered

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        """The completions of the line up to the cursor."""
        typed = document.text_before_cursor.lstrip()
        word, blank, rest = typed.partition(" ")
        if blank and word in ("list", "save"):
            return
        if blank and word == "why":
            typed = rest.lstrip()
        if not typed and not complete_event.completion_requested:
            return
        fitting = [c for c in self._offered if c.action.startswith(typed) or c.fits(typed)]
        for choice in fitting:
            meaning = "" if choice.meaning == choice.action else choice.meaning
            beside = f" ({choice.beside})" if len(fitting) <= _MANY and choice.beside else ""
            yield Completion(choice.action, -len(typed), display_meta=f"{choice.number}  {meaning}{beside}")
        if not blank:
            yield from (Completion(name, -len(typed)) for name in WORDS if name.startswith(typed))


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


class PlainConsole:
    """Lines of text without any help, the same on a terminal and in a pipe."""

    assisting = False

    @property
    def width(self) -> int | None:
        """That of the terminal, where there is one."""
        return None if not sys.stderr.isatty() else terminal_columns()

    def say(self, text: str = "") -> None:
        """A line, or several, that are no data."""
        print_note(text)

    def event(self, text: str) -> None:
        """Something that others did, or that happened."""
        print_note(text)

    def offer(self, heading: str, offered: Sequence[Choice], chosen: Sequence[Choice] | None = None) -> None:
        """All of them, or those that were asked for, one a line."""
        shown = offered if chosen is None else chosen
        width = max((len(choice.action) for choice in shown), default=0)
        print_note(heading)
        for choice in shown:
            meaning = "" if choice.meaning == choice.action else choice.meaning
            print_note(f"{choice.number:>5}  {choice.action:<{width}}  {meaning}".rstrip())

    def line(self, role: str, offered: Sequence[Choice]) -> str | None:
        """A line of standard input."""
        print("> ", end="", file=sys.stderr, flush=True)
        typed = sys.stdin.readline()
        if not typed:
            print_note()
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
        return Terminal(seats)
    return PlainConsole()
