"""The progress of long work: a line on standard error, shown on terminals only and erased at the end."""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from typing import Any, Final, TextIO, cast

from ..errors import visible

_OFTEN: Final = 0.2
"""The least number of seconds between two changes of the line. No result depends on it."""
_BAR: Final = 24
"""The width of a bar in columns of text."""
_PARTS: Final = re.compile(r"(\d+)(?:/| of )(\d+)")
_WIPED: Final = "\r\033[K"


class _ProgressLine:
    """The line on standard error."""

    shown = False


def progress() -> Callable[[str], None]:
    """A function that shows a message about the current work, if standard error is a terminal (see `with_bar`)."""
    if not sys.stderr.isatty() or os.environ.get("TERM", "dumb") == "dumb":
        return lambda _: None
    import shutil

    last = -_OFTEN

    def tell(text: str) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= _OFTEN:
            last = now
            width = shutil.get_terminal_size((80, 24)).columns - 1
            sys.stderr.write(_WIPED + with_bar(text)[:width])
            sys.stderr.flush()
            _ProgressLine.shown = True

    return tell


def clear() -> None:
    """Erases the message."""
    if _ProgressLine.shown:
        sys.stderr.write(_WIPED)
        sys.stderr.flush()
        _ProgressLine.shown = False


def with_bar(text: str) -> str:
    """A message in one line. If it contains a fraction, ``3/12`` or ``3 of 12``, a bar precedes it.

    >>> with_bar("random games: 6/12")
    '############------------ random games: 6/12'
    """
    text = " ".join(text.split())
    match = _PARTS.search(text)
    if match is None or not int(match[2]):
        return text
    full = min(_BAR, _BAR * int(match[1]) // int(match[2]))
    return f"{'#' * full}{'-' * (_BAR - full)} {text}"


# -- streams -------------------------------------------------------------------------------------------------
#
# The standard streams of a process. Some may be closed, and writing to standard error may fail.


_STREAMS: Final = (("stdin", "r", os.O_RDONLY), ("stdout", "w", os.O_RDONLY), ("stderr", "w", os.O_WRONLY))
"""The replacements of closed streams. Standard input is empty, writing to standard output fails, standard error is lost."""


@contextmanager
def usable_streams() -> Iterator[None]:
    """Replaces standard streams that the caller has closed, and ignores failures to write to standard error.

    On a terminal, control characters of the output are escaped, whoever wrote it. Notes on standard error decide nothing, so a
    failure to write them does not change the exit code.
    """
    for number, (name, mode, flags) in enumerate(_STREAMS):
        if getattr(sys, name) is None:
            setattr(sys, name, _replacement(number, mode, flags))
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    shown = cast("TextIO", _VisibleStream(sys.stdout)) if sys.stdout.isatty() else sys.stdout
    with redirect_stdout(shown), redirect_stderr(cast("TextIO", _LossyStream(sys.stderr))):
        yield


def _replacement(number: int, mode: str, flags: int) -> TextIO:
    """A stream in the place of a closed one. It takes the stream's number, so that no file that is opened later gets it."""
    handle = os.open(os.devnull, flags)
    if handle != number:
        with suppress(OSError):
            os.fstat(number)
            return cast("TextIO", open(handle, mode, encoding="utf-8"))  # the number is in use already
        os.dup2(handle, number)
        os.close(handle)
    os.set_inheritable(number, True)
    return cast("TextIO", open(number, mode, encoding="utf-8", closefd=False))


class _ProgressStream:
    """A stream that passes everything on to another one."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


class _VisibleStream(_ProgressStream):
    """A stream that escapes control characters."""

    def write(self, text: str) -> int:
        self._stream.write(visible(text))
        return len(text)


class _LossyStream(_ProgressStream):
    """A stream that ignores failures to write."""

    def write(self, text: str) -> int:
        with suppress(OSError, ValueError):
            self._stream.write(text)
        return len(text)

    def flush(self) -> None:
        with suppress(OSError, ValueError):
            self._stream.flush()
