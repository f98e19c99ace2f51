"""."""

from __future__ import annotations

import multiprocessing
import os
import resource
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from typing import Any, Generic, TypeVar, cast

T = TypeVar("T")


MEMORY = 6 * 2**30
"""The most memory that a child may use, in bytes."""


@dataclass(frozen=True)
class Answer(Generic[T]):
    """What became of a job: its value, or why there is none (``timeout``, ``memory``, or an error's text)."""

    index: int
    value: T | None
    failure: str | None
    seconds: float


def _child(job: Callable[[], T], pipe: Connection, memory: int) -> None:
    """Runs the job in the child."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    try:
        pipe.send((job(), None))
    except MemoryError:
        pipe.send((None, "memory"))
    except Exception as error:
        message = str(error)
        pipe.send((None, "memory" if "bad_alloc" in message else message or type(error).__name__))
    finally:
        pipe.close()


def run(
    jobs: Sequence[Callable[[], T]],
    workers: int | None = None,
    deadline: float = float("inf"),
    memory: int = MEMORY,
) -> Iterator[Answer[T]]:
    """Runs the jobs, ``workers`` at a time, and yields their answers as they come.

    Args:
        jobs: What to do; their values must be picklable.
        workers: How many at once; by default one for each core.
        deadline: By :func:`time.monotonic`; what is not done by then is stopped.
        memory: The limit for each child, in bytes.
    """
    context = multiprocessing.get_context("fork")
    running: dict[Any, tuple[int, Any, float]] = {}
    pending = list(enumerate(jobs))[::-1]
    limit = workers or os.cpu_count() or 1
    try:
        while pending or running:
            while pending and len(running) < limit and time.monotonic() < deadline:
                index, job = pending.pop()
                here, there = context.Pipe(duplex=False)
                process = context.Process(target=_child, args=(job, there, memory), daemon=True)
                process.start()
                there.close()
                running[here] = (index, process, time.monotonic())
            if not running:
                break
            left = deadline - time.monotonic()
            ready = wait(list(running), timeout=None if left == float("inf") else max(0.0, left))
            if not ready:
                break
            for pipe in ready:
                index, process, start = running.pop(pipe)
                try:
                    value, failure = cast("Connection", pipe).recv()
                except EOFError:
                    value, failure = None, "memory"
                process.join()
                yield Answer(index, value, failure, time.monotonic() - start)
        for index, _, start in running.values():
            yield Answer(index, None, "timeout", time.monotonic() - start)
        for index, _ in pending:
            yield Answer(index, None, "timeout", 0.0)
    finally:
        for _, process, _ in running.values():
            process.kill()
            process.join()


def ask(job: Callable[[], T], timeout: float, memory: int = MEMORY) -> Answer[T]:
    """Runs one job."""
    return next(iter(run([job], 1, time.monotonic() + timeout, memory)))
