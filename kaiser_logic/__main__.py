"""The entry point of ``python -m kaiser_logic`` and of the command ``kaiser-logic``."""

from __future__ import annotations

import atexit
import gc
import os
import sys
import time
from contextlib import suppress
from typing import Final

_RARELY: Final = (200_000, 10, 10)
"""The thresholds of the garbage collector. A command makes many objects that stay and few cycles, so collections are rare."""
_STARTING: Final = 60.0
"""A start that seems to have taken more seconds is not believed."""


def run() -> int:
    """Runs the command line and returns the exit code of the process.

    After all exit handlers the process ends without freeing its objects one by one. Freeing them would take a tenth of the
    time of a short command.
    """
    ended: list[int] = []
    atexit.register(_leave, ended)  # the handler that is registered first is called last
    gc.set_threshold(*_RARELY)
    from .cli import main

    ended.append(main(began=_process_start()))
    return ended[0]


def _process_start() -> float:
    """When this process began, by :func:`time.monotonic`: on a laden machine it takes a second until Python runs."""
    now = time.monotonic()
    with suppress(OSError, ValueError, IndexError, AttributeError):
        with open("/proc/self/stat", encoding="utf-8") as file:
            ticks = int(file.read().rpartition(")")[2].split()[19])  # since the machine started
        passed = time.clock_gettime(time.CLOCK_BOOTTIME) - ticks / os.sysconf("SC_CLK_TCK")
        if 0 <= passed < _STARTING:
            return now - passed
    return now - time.process_time()


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
