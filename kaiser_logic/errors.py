"""The exceptions that leave the package; every one is a `KaiserLogicError`. `TimeIsOver` ends work inside it."""

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
    r"""A text that is safe for a terminal, whoever wrote it. It keeps its line breaks and tabs.

    Characters that control a terminal, change the direction of writing or are invisible are written as escapes.

    >>> print(visible("a\x1b[2K\u202eb"))
    a\x1b[2K\u202eb
    """
    return _HIDDEN.sub(_escape, text)


def visible_name(name: str) -> str:
    r"""A name, such as that of a file, that is safe for a terminal and takes one line; see `visible`.

    >>> print(visible_name("a\nb"))
    a\nb
    """
    return _HIDDEN_NAME.sub(_escape, name)


def is_exhausted(error: BaseException) -> bool:
    """Whether an error means that this process has no more memory or open files, whatever its input is."""
    return isinstance(error, MemoryError) or (
        isinstance(error, OSError) and error.errno in (errno.ENOMEM, errno.EMFILE, errno.ENFILE)
    )


def _escape(match: re.Match[str]) -> str:
    return match[0].encode("unicode_escape").decode()


class KaiserLogicError(Exception):
    """The base of all exceptions of the package. The text is meant for the user."""


class TimeIsOver(KeyboardInterrupt):
    """The time limit of a command is over. Nothing takes this for a fault; who catches it has parts of an answer to give."""


class WrongUsage(KaiserLogicError):
    """A request that makes no sense: an unknown game, an impossible option, a wrong number of seats."""


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """Something in a rulebook that breaks its contract, or is likely to be a mistake.

    Attributes:
        file: The file's path.
        line: The line, from 1; 0 if the finding is about the whole file or about a missing file.
        column: The column, from 1; 0 likewise.
        what: The kind of mistake: a stable id such as ``undefined``. docs/write/lint.md lists all of them.
        message: The mistake in a sentence. It suggests the nearest known name, if there is one.
    """

    file: str
    line: int
    column: int
    what: str
    message: str

    def __str__(self) -> str:
        """``FILE:LINE:COLUMN: WHAT: message``, or without line and column if there is no line."""
        place = f"{self.file}:{self.line}:{self.column}" if self.line else self.file
        return f"{place}: {self.what}: {self.message}"


class FaultyRulebook(WrongUsage):
    """A rulebook that breaks its contract, so that its verdicts would mean nothing.

    Attributes:
        findings: The findings, at least one, in the order of files and lines.
    """

    def __init__(self, findings: Iterable[Finding]) -> None:
        """``findings``: at least one finding."""
        self.findings = tuple(findings)
        super().__init__("\n".join(map(str, self.findings)))

    def __reduce__(self) -> tuple[object, tuple[object]]:
        return FaultyRulebook, (self.findings,)


class NotDecided(KaiserLogicError):
    """A question that was still open when its limit of time or memory was reached."""


class LimitReached(NotDecided):
    """A search that ended without an answer because its time or its memory was used up.

    Attributes:
        by_memory: Whether it was the memory.
    """

    def __init__(self, message: str, by_memory: bool = False) -> None:
        """``message``: in words, with the limit."""
        super().__init__(message)
        self.by_memory = by_memory

    def __reduce__(self) -> tuple[object, tuple[str, bool]]:
        return LimitReached, (str(self), self.by_memory)


class UnreadableInput(KaiserLogicError):
    """Text from outside that cannot be read, with the place of the fault.

    Attributes:
        message: The fault, without the place.
        path: The file; None if the text did not come from a file.
        line: The line, from 1; None if the fault has no line, as with a missing file.
        column: The column in characters, from 1; a tab counts as one. None likewise.
    """

    def __init__(
        self, message: str, path: str | None = None, line: int | None = None, column: int | None = None
    ) -> None:
        """Keeps message and place. All four become `args`, so that the exception can be pickled."""
        super().__init__(message, path, line, column)
        self.message = message
        self.path = path
        self.line = line
        self.column = column

    def __str__(self) -> str:
        """`FILE:LINE:COLUMN: message`, without the parts that are unknown. The text is safe for a terminal."""
        place = [visible_name(str(part)) for part in (self.path, self.line, self.column) if part is not None]
        message = visible(self.message)
        return f"{':'.join(place)}: {message}" if place else message

    def in_file(self, path: str | None) -> UnreadableInput:
        """The same fault in another file, `path`."""
        return UnreadableInput(self.message, path, self.line, self.column)
