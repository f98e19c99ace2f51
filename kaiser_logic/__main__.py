"""``python -m kaiser_logic``, and the command ``kaiser-logic``: the command line as a process of its own."""

from __future__ import annotations

import atexit
import gc
import os
import sys
from contextlib import suppress
from typing import Final

_RARELY: Final = (200_000, 10, 10)
"""A command makes much that stays and few circles: the collector looks through a young process for nothing."""


def run() -> int:
    """Runs the command line, and returns the process's exit code.

    Once all that others wanted done at the end is done the process ends without letting go each object by itself,
    which would take a tenth of the time of a short command.
    """
    ended: list[int] = []
    atexit.register(_leave, ended)  # the first to be registered is the last to be called
    gc.set_threshold(*_RARELY)
    from .cli import main

    ended.append(main())
    return ended[0]


def _leave(ended: list[int]) -> None:
    """Ends the process with the exit code, where there is one; Python reports what cannot be written."""
    if not ended:
        return
    try:
        sys.stdout.flush()
    except (AttributeError, OSError, ValueError):
        return
    with suppress(AttributeError, OSError, ValueError):  # what was said there decides nothing
        sys.stderr.flush()
    os._exit(ended[0])


if __name__ == "__main__":
    raise SystemExit(run())
