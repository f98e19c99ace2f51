"""The child process that answers questions one by one, with limits on memory and time.

Its argument is the module with the table of questions; the modules that answer them lie in the same folder. It reads and
writes messages on its standard streams: a length, and that many bytes of JSON. It keeps nothing but the rulebooks that it has
read. After an internal error, or if it runs out of memory, the pool replaces it.
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

from .kinds import answer_call, encode

LENGTH: Final = struct.Struct(">I")
"""The format of the length of a message, which precedes it."""
MEMORY: Final = 3 * 2**30
"""The largest memory of a child process, in bytes. The processes that it starts for a query have their own limit."""
_AFTER: Final = 5
"""The seconds after the deadline of a question at which a child process ends itself, if its parent has not ended it."""


def main(table: str) -> None:
    """Answers until the input ends."""
    source, target = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # so that nothing that is printed gets between messages
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


def answer_to(message: bytes, table: str) -> tuple[int, bytes]:
    """The HTTP status and the answer to ``{"ask": NAME, "data": ...}``; ``table``: the module with the questions."""
    try:
        request: dict[str, Any] = json.loads(message)
        question = importlib.import_module(table).QUESTIONS[request["ask"]]
        signal.setitimer(signal.ITIMER_REAL, question.seconds + _AFTER)
        return answer_call(question.handler(table), request["data"])
    except MemoryError:
        return 503, encode({"error": "not decided: this needs more memory than it is given", "open": True})
    except Exception as error:  # a fault of the program becomes one line, not a traceback
        text = " ".join(f"{type(error).__name__}: {error}".split())
        memory = "bad_alloc" in text
        message_text = "not decided: this needs more memory than it is given" if memory else f"internal error: {text}"
        return (503 if memory else 500), encode({"error": message_text[:500], "open": memory})
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
    main(sys.argv[1])
