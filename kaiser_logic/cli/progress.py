"""How far long work has come: a line on standard error, on a terminal only, wiped away when the work is done."""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Callable
from typing import Final

_OFTEN: Final = 0.2
"""So many seconds the line stays at least; what is decided never depends on it."""
_BAR: Final = 24
"""The columns of a bar."""
_PARTS: Final = re.compile(r"(\d+)(?:/| of )(\d+)")
_WIPED: Final = "\r\033[K"


class _Line:
    """The line on standard error.

    Attributes:
        shown: Whether there is one.
    """

    shown = False


def progress() -> Callable[[str], None]:
    """Says what is going on: what is said with ``3/12`` or ``3 of 12`` in it has a bar. On a terminal only."""
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
            sys.stderr.write(_WIPED + barred(text)[:width])
            sys.stderr.flush()
            _Line.shown = True

    return tell


def done() -> None:
    """Wipes away what was said to be going on."""
    if _Line.shown:
        sys.stderr.write(_WIPED)
        sys.stderr.flush()
        _Line.shown = False


def barred(text: str) -> str:
    """What is going on, in one line, with a bar before it where it says how much of how much is done.

    >>> barred("random games: 6/12")
    '############------------ random games: 6/12'
    """
    text = " ".join(text.split())
    found = _PARTS.search(text)
    if found is None or not int(found[2]):
        return text
    full = min(_BAR, _BAR * int(found[1]) // int(found[2]))
    return f"{'#' * full}{'-' * (_BAR - full)} {text}"
