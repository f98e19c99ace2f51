"""The one thing that is compiled: gates run on blocks of positions, by numba.

NumPy needs nothing to be compiled. So it answers first, and gates are compiled when so many have been run that it would pay.
The amount of work decides that, and no clock. These plain loops are no quicker than NumPy yet: they want vector instructions
(docs/develop/adr/011-batches.md).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from typing import Any, Final

import numpy as np

from .gates import AND, OR

WIDE: Final = 8
"""So many words are a block: as many as the widest registers of a processor hold, or a few times as many."""
_PAYS: Final = 1_000_000_000
"""After so many gates, counted for each word of positions, it has paid to compile."""


class _Work:
    """How much has been done without it."""

    done = 0


def count(gates: int) -> None:
    """Notes that so many gates have been run by NumPy, each counted for each of its words."""
    _Work.done += gates


def due() -> bool:
    """Whether it pays to compile, and that has not been done."""
    return _Work.done >= _PAYS and not compiled.cache_info().currsize and find_spec("numba") is not None


def ready(progress: Callable[[str], None] = lambda _: None) -> Any:
    """What runs gates, compiled if that pays; None where NumPy is to do it. ``progress`` is told why one waits."""
    if due():
        progress("gates are compiled, once in a process")
        compiled()
    return compiled() if compiled.cache_info().currsize else None


@cache
def compiled() -> Any:
    """What runs gates: ``run(rows, read, values)``.

    ``rows``: kind, first value and the value after the last of each run, and where in ``read`` its first gate is;
    ``values``: blocks, each with its values of `WIDE` words.
    """
    from numba import njit

    wide = WIDE
    is_and, is_or = AND, OR

    def run(rows: Any, read: Any, values: Any) -> None:
        for block in range(values.shape[0]):
            its = values[block]
            for k in range(len(rows)):
                kind, first, shift = rows[k, 0], rows[k, 1], rows[k, 3] - rows[k, 1]
                if kind == is_and:
                    for i in range(first, rows[k, 2]):
                        a, b = np.uintp(read[i + shift, 0]), np.uintp(read[i + shift, 1])
                        for w in range(wide):
                            its[i, w] = its[a, w] & its[b, w]
                elif kind == is_or:
                    for i in range(first, rows[k, 2]):
                        a, b = np.uintp(read[i + shift, 0]), np.uintp(read[i + shift, 1])
                        for w in range(wide):
                            its[i, w] = its[a, w] | its[b, w]
                else:
                    for i in range(first, rows[k, 2]):
                        a, b = np.uintp(read[i + shift, 0]), np.uintp(read[i + shift, 1])
                        for w in range(wide):
                            its[i, w] = its[a, w] & ~its[b, w]

    found: Any = njit(nogil=True)(run)
    found(np.zeros((0, 4), np.int64), np.zeros((0, 2), np.int32), np.zeros((1, 1, wide), np.uint64))
    return found
