"""A terminal with completion, history and colours (extra ``[terminal]``)."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Sequence
from typing import Final

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

from ..engine.ruleset import Ruleset
from .console import WORDS, ActionChoice

_MANY: Final = 30
"""If there are more legal actions, only their kinds are listed."""
_COLOURS: Final = {
    "red": "red",
    "green": "green",
    "blue": "blue",
    "yellow": "yellow",
    "black": "bright_black",
    "white": "bright_white",
}
"""The colours of roles that are named like a colour."""
_PROMPT: Final = {"bright_black": "ansibrightblack", "bright_white": "ansiwhite"}
"""The names of some of them in the prompt."""


class Terminal:
    """A console with completion, history and colours; messages go to standard error."""

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
            screen: The screen for messages; by default standard error.
            source: The source of keys; by default the terminal.
            output: The output for the typed line; by default standard error.
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
        """The width of the terminal."""
        return self._screen.width

    def say(self, text: str = "") -> None:
        """Prints lines, with the roles in their colours."""
        self._screen.print(self._colour(text), soft_wrap=True)

    def event(self, text: str) -> None:
        """Prints an action of another player, or an event, in a fainter colour."""
        self._screen.print(self._colour(text, "dim"), soft_wrap=True)

    def offer(
        self, heading: str, offered: Sequence[ActionChoice], chosen: Sequence[ActionChoice] | None = None
    ) -> None:
        """Lists all legal actions, or their kinds if they are many; chosen ones are always listed."""
        self._screen.print(self._colour(heading, "bold"), soft_wrap=True)
        if chosen is None and len(offered) > _MANY:
            self._kinds(offered)
            return
        shown = offered if chosen is None else chosen
        width = max((len(choice.action) for choice in shown), default=0)
        for choice in shown:
            self._screen.print(self._row(choice, width), overflow="ellipsis", no_wrap=True)

    def _row(self, choice: ActionChoice, width: int) -> Text:
        """The line of a choice."""
        row = Text(f"{choice.number:>5}  ", "dim")
        row.append_text(Text(f"{choice.action:<{width}}", ""))
        if choice.meaning != choice.action:
            row.append_text(Text(f"  {choice.meaning}", ""))
        if choice.remark:
            row.append_text(Text(f"  ({choice.remark})", "cyan"))
        row.rstrip()
        return row

    def _kinds(self, offered: Sequence[ActionChoice]) -> None:
        """Lists the kinds of actions, with their numbers and the words of the first action."""
        kinds: dict[str, list[ActionChoice]] = {}
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

    def line(self, role: str, offered: Sequence[ActionChoice]) -> str | None:
        """Reads a line, with completions; None at the end of the input."""
        colour = self._seats.get(role, "")
        style = f"bold {_PROMPT.get(colour, f'ansi{colour}')}" if colour else "bold"
        prompt: StyleAndTextTuples = [(style, role), ("", "> ")]
        try:
            typed = self._session.prompt(prompt, completer=Offer(offered))
        except EOFError:
            return None
        return typed.strip()

    def _colour(self, text: str, style: str = "") -> Text:
        """A text with the names of roles in their colours."""
        styled = Text(text, style)
        for seat, colour in self._seats.items():
            styled.highlight_regex(rf"(?i)\b{re.escape(seat)}\b", f"bold {colour}")
        return styled


class Offer(Completer):
    """Completions for a line: the actions that match the words typed so far, and the commands."""

    def __init__(self, offered: Sequence[ActionChoice]) -> None:
        """``offered`` are the legal actions."""
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
            remark = f" ({choice.remark})" if len(fitting) <= _MANY and choice.remark else ""
            yield Completion(choice.action, -len(typed), display_meta=f"{choice.number}  {meaning}{remark}")
        if not blank:
            yield from (Completion(name, -len(typed)) for name in WORDS if name.startswith(typed))


class Facts(Completer):
    """Completions for a query that is being typed."""

    def __init__(self, ruleset: Ruleset) -> None:
        """``ruleset`` contains the rules of the game."""
        self._ruleset = ruleset

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        """The completions of the line up to the cursor."""
        from ..query.listing import suggestions

        for one in suggestions(self._ruleset, document.text_before_cursor):
            yield Completion(one.text, -one.length, display=one.shown, display_meta=one.means)


def query_line(ruleset: Ruleset, source: Input | None = None, output: Output | None = None) -> str:
    """A query that somebody types, with completions, and with its meaning below; empty if none is typed.

    Args:
        ruleset: The rules of the game.
        source: The source of keys; by default the terminal.
        output: The output for the typed line; by default standard error.
    """
    from prompt_toolkit.application import get_app

    from ..query.in_words import read_back

    def meaning() -> str:
        text = get_app().current_buffer.text
        return read_back(text, ruleset) if text.strip() else "a fact, such as one of those offered"

    session: PromptSession[str] = PromptSession(
        history=InMemoryHistory(),
        complete_while_typing=True,
        input=source,
        output=output or create_output(sys.stderr),
    )
    try:
        typed = session.prompt("positions in which: ", completer=Facts(ruleset), bottom_toolbar=meaning)
    except (EOFError, KeyboardInterrupt):
        return ""
    return typed.strip()
