"""The entry point of ``python -m kaiser_logic`` and of the command ``kaiser-logic``."""

from __future__ import annotations

import atexit
import gc
import os
import sys
from contextlib import suppress
from typing import Final

_RARELY: Final = (200_000, 10, 10)
"""The thresholds of the garbage collector. A command makes many objects that stay and few cycles, so collections are rare."""


def run() -> int:
    """Runs the command line and returns the exit code of the process.

    After all exit handlers the process ends without freeing its objects one by one. Freeing them would take a tenth of the
    time of a short command.
    """
    ended: list[int] = []
    atexit.register(_leave, ended)  # the handler that is registered first is called last
    gc.set_threshold(*_RARELY)
    from .cli import main

    ended.append(main())
    return ended[0]


def _leave(ended: list[int]) -> None:
    """Ends the process at once with the exit code, if there is one and the output can be written.

    Otherwise Python ends the process, and reports output that cannot be written.
    """
    if not ended:
        return
    try:
        sys.stdout.flush()
    except (AttributeError, OSError, ValueError):
        return
    with suppress(AttributeError, OSError, ValueError):  # lost messages do not change the exit code
        sys.stderr.flush()
    os._exit(ended[0])


if __name__ == "__main__":
    raise SystemExit(run())
