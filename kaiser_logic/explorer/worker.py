"""The child process that answers questions one by one, each with a limit of memory and of time.

Its argument is the module with the table of questions, beside which the modules lie that answer them. It speaks through
its standard input and output, in messages of a length and so many bytes of JSON. It is started anew for whatever has gone
wrong; it keeps nothing but the rulebooks that it has read.
"""

from __future__ import annotations

import importlib
import json
import os
import resource
import signal
import struct
import sys
from typing import Any, BinaryIO, Final

from .questions import answered, encoded

LENGTH: Final = struct.Struct(">I")
"""The format of the length of a message, which precedes it."""
MEMORY: Final = 3 * 2**30
"""The most memory that a child may use, in bytes; those that it asks a query of have a limit of their own."""
_AFTER: Final = 5
"""Seconds after the deadline of a question at which a child ends itself, should nobody be left to end it."""


_OWN: Final = f"{__package__}.questions"
"""The questions that a page may ask."""


def main(table: str = _OWN) -> None:
    """Answers until the input ends."""
    source, target = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever prints does not speak in between
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    limit = MEMORY if hard == resource.RLIM_INFINITY else min(MEMORY, hard)
    resource.setrlimit(resource.RLIMIT_AS, (limit, hard))
    while (message := _message(source)) is not None:
        status, answer = answer_to(message, table)
        target.write(LENGTH.pack(len(answer) + 2) + status.to_bytes(2, "big") + answer)
        target.flush()
        if status >= 500:
            return


def answer_to(message: bytes, table: str = _OWN) -> tuple[int, bytes]:
    """The status of HTTP and the answer to ``{"ask": NAME, "data": ...}``."""
    try:
        request: dict[str, Any] = json.loads(message)
        question = importlib.import_module(table).QUESTIONS[request["ask"]]
        signal.setitimer(signal.ITIMER_REAL, question.seconds + _AFTER)
        call = getattr(
            importlib.import_module(f".{question.module}", table.rpartition(".")[0]), question.function
        )
        return answered(call, request["data"])
    except MemoryError:
        return 503, encoded({"error": "not decided: this needs more memory than it is given", "open": True})
    except Exception as error:  # a fault of the program: told in a line, never as a traceback
        text = " ".join(f"{type(error).__name__}: {error}".split())
        memory = "bad_alloc" in text
        message_text = (
            "not decided: this needs more memory than it is given" if memory else f"internal error: {text}"
        )
        return (503 if memory else 500), encoded({"error": message_text[:500], "open": memory})
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def _message(source: BinaryIO) -> bytes | None:
    head = source.read(LENGTH.size)
    if len(head) < LENGTH.size:
        return None
    (length,) = LENGTH.unpack(head)
    body = source.read(length)
    return body if len(body) == length else None


if __name__ == "__main__":
    main(*sys.argv[1:2])
