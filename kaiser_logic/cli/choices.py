"""What can be typed: the legal actions, numbered, with what they mean and what they cost; and the commands."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

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
