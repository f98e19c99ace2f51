"""The progress of long work: a line on standard error, shown on terminals only and erased at the end."""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, suppress
from typing import Any, Final, TextIO, cast

_OFTEN: Final = 0.2
"""The least number of seconds between changes of the line. No result depends on it."""
_BAR: Final = 24
"""The columns of a bar."""
_PARTS: Final = re.compile(r"(\d+)(?:/| of )(\d+)")
_WIPED: Final = "\r\033[K"


class _Line:
    """The line on standard error."""

    shown = False


def progress() -> Callable[[str], None]:
    """Shows a message about the current work; ``3/12`` or ``3 of 12`` in it becomes a bar. On a terminal only."""
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
            _Line.shown = True

    return tell


def clear() -> None:
    """Erases the message."""
    if _Line.shown:
        sys.stderr.write(_WIPED)
        sys.stderr.flush()
        _Line.shown = False


def with_bar(text: str) -> str:
    """The message in one line, with a bar before it if it contains a fraction.

    >>> with_bar("random games: 6/12")
    '############------------ random games: 6/12'
    """
    text = " ".join(text.split())
    found = _PARTS.search(text)
    if found is None or not int(found[2]):
        return text
    full = min(_BAR, _BAR * int(found[1]) // int(found[2]))
    return f"{'#' * full}{'-' * (_BAR - full)} {text}"


# -- streams -------------------------------------------------------------------------------------------------
#
# The standard streams of a process: some may be closed, and standard error may take nothing.


_STREAMS: Final = (("stdin", "r", os.O_RDONLY), ("stdout", "w", os.O_RDONLY), ("stderr", "w", os.O_WRONLY))
"""What stands in for a closed stream: nothing comes in; nothing can be written out, which is an error for whoever tries."""


@contextmanager
def usable_streams() -> Iterator[None]:
    """Replaces standard streams that the caller has closed; output to a missing standard error is discarded.

    What a command says on standard error decides nothing: where that cannot be written, the exit code stays what it is.
    """
    for number, (name, mode, flags) in enumerate(_STREAMS):
        if getattr(sys, name) is None:
            setattr(sys, name, _replacement(number, mode, flags))
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    with redirect_stderr(cast("TextIO", _LossyStream(sys.stderr))):
        yield


def _replacement(number: int, mode: str, flags: int) -> TextIO:
    """A stream in the place of a closed one; its number is taken, so that no file that is opened later gets it."""
    handle = os.open(os.devnull, flags)
    if handle != number:
        with suppress(OSError):
            os.fstat(number)
            return cast("TextIO", open(handle, mode, encoding="utf-8"))  # somebody has the number already
        os.dup2(handle, number)
        os.close(handle)
    os.set_inheritable(number, True)
    return cast("TextIO", open(number, mode, encoding="utf-8", closefd=False))


class _LossyStream:
    """A stream on which what cannot be written is lost."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        with suppress(OSError, ValueError):
            self._stream.write(text)
        return len(text)

    def flush(self) -> None:
        with suppress(OSError, ValueError):
            self._stream.flush()
