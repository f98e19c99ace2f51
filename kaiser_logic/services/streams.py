"""The standard streams of a server that speaks on them."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO


@contextmanager
def standard_streams() -> Iterator[tuple[BinaryIO, BinaryIO]]:
    """The standard input and output of this process. What is printed meanwhile goes to the standard error.

    A server may close the output that it is given.
    """
    sys.stdout.flush()
    own = os.dup(1)
    os.dup2(2, 1)
    try:
        yield sys.stdin.buffer, os.fdopen(own, "wb", closefd=False)
    finally:
        os.dup2(own, 1)
        os.close(own)
