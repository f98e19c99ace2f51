"""The standard streams of a process: some may be closed, and standard error may take nothing."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, suppress
from typing import Any, Final, TextIO, cast

_STREAMS: Final = (("stdin", "r", os.O_RDONLY), ("stdout", "w", os.O_RDONLY), ("stderr", "w", os.O_WRONLY))
"""What stands in for a closed stream: nothing comes in; nothing can be written out, which is an error for whoever tries."""


@contextmanager
def standing() -> Iterator[None]:
    """Standard streams that can be used, whatever the caller has closed; what is said on standard error may get lost.

    What a command says on standard error decides nothing: where that cannot be written, the exit code stays what it is.
    """
    for number, (name, mode, flags) in enumerate(_STREAMS):
        if getattr(sys, name) is None:
            setattr(sys, name, _standing_in(number, mode, flags))
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    with redirect_stderr(cast("TextIO", _Lenient(sys.stderr))):
        yield


def _standing_in(number: int, mode: str, flags: int) -> TextIO:
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


class _Lenient:
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
