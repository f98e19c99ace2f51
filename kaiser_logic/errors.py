"""The exceptions that leave the package; every one is a `KaiserLogicError`."""

from __future__ import annotations

import errno
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

_CONTROLS: Final = "\x00-\x08\x0b-\x1f\x7f-\x9f"
_UNSEEN: Final = "\xad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff"
_HIDDEN: Final = re.compile(f"[{_CONTROLS}{_UNSEEN}]")
_HIDDEN_NAME: Final = re.compile(f"[\t\n{_CONTROLS}{_UNSEEN}]")


def visible(text: str) -> str:
    r"""A text of several lines, perhaps with parts of a stranger's, as a terminal may have it.

    What steers a terminal, turns the direction of writing or cannot be seen at all is written as an escape.

    >>> print(visible("a\x1b[2K\u202eb"))
    a\x1b[2K\u202eb
    """
    return _HIDDEN.sub(_escaped, text)


def visible_name(name: str) -> str:
    r"""A name, such as a file's, likewise; it takes one line.

    >>> print(visible_name("a\nb"))
    a\nb
    """
    return _HIDDEN_NAME.sub(_escaped, name)


def exhausted(error: BaseException) -> bool:
    """Whether an error says that this process may not have more: memory, or open files. No input is to blame for it."""
    return isinstance(error, MemoryError) or (
        isinstance(error, OSError) and error.errno in (errno.ENOMEM, errno.EMFILE, errno.ENFILE)
    )


def _escaped(found: re.Match[str]) -> str:
    return found[0].encode("unicode_escape").decode()


class KaiserLogicError(Exception):
    """Whatever the package refuses or cannot do; its text is meant for the user."""


class WrongUsage(KaiserLogicError):
    """A request that makes no sense: an unknown game, an impossible option, a wrong number of seats."""


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """Something in a rulebook that breaks its contract, or is likely to be a mistake.

    Attributes:
        file: The file's path.
        line: Counted from 1; 0 if the whole file, or a file that is not there, is meant.
        column: Counted from 1; 0 likewise.
        what: The kind of mistake, a stable id such as ``undefined``; all of them: docs/write/lint.md.
        message: What is wrong, in a sentence, with the nearest name that is known.
    """

    file: str
    line: int
    column: int
    what: str
    message: str

    def __str__(self) -> str:
        """``FILE:LINE:COLUMN: WHAT: message``; without a line where there is none."""
        place = f"{self.file}:{self.line}:{self.column}" if self.line else self.file
        return f"{place}: {self.what}: {self.message}"


class FaultyRulebook(WrongUsage):
    """A rulebook that breaks its contract so that no verdict of it would mean anything.

    Attributes:
        findings: All that was found, at least one, in the order of files and lines.
    """

    def __init__(self, findings: Iterable[Finding]) -> None:
        """``findings``: at least one."""
        self.findings = tuple(findings)
        super().__init__("\n".join(map(str, self.findings)))

    def __reduce__(self) -> tuple[object, tuple[object]]:
        return FaultyRulebook, (self.findings,)


class NotDecided(KaiserLogicError):
    """A question still open when its limit of time or memory was reached."""


class UnreadableInput(KaiserLogicError):
    """Foreign text that cannot be read, with the place where that was noticed.

    Attributes:
        message: What is wrong, without the place.
        path: The file, or None if the text came from elsewhere.
        line: Counted from 1; None if the fault has no place (a missing file).
        column: Counted from 1 in characters, a tab being one.
    """

    def __init__(
        self, message: str, path: str | None = None, line: int | None = None, column: int | None = None
    ) -> None:
        """Keep message and place; all four are `args`, so that the exception survives pickling."""
        super().__init__(message, path, line, column)
        self.message = message
        self.path = path
        self.line = line
        self.column = column

    def __str__(self) -> str:
        """`FILE:LINE:COLUMN: message`, without the parts that are unknown; fit for a terminal."""
        place = [visible_name(str(part)) for part in (self.path, self.line, self.column) if part is not None]
        message = visible(self.message)
        return f"{':'.join(place)}: {message}" if place else message

    def within(self, path: str | None) -> UnreadableInput:
        """The same fault, found in the file `path`."""
        return UnreadableInput(self.message, path, self.line, self.column)
