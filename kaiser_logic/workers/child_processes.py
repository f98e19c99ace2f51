"""Long questions, each in a child process with a limit of memory and a deadline.

Grounding cannot be interrupted and clingo does not give memory back, so whatever may grow large is asked in a process
that can be stopped. Children are forked: they inherit the rules as they are. Nothing of them stays behind when the
caller is interrupted, stops listening or is killed.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import resource
import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing import connection
from typing import Any, Final, Generic, TypeVar

from ..errors import KaiserLogicError

T = TypeVar("T")

MEMORY: Final = 6 * 2**30
"""The most memory that a child may use, in bytes."""
TIMEOUT: Final = "timeout"
"""The failure of a job that was not done by the deadline."""
OUT_OF_MEMORY: Final = "memory"
"""The failure of a job that its limit of memory has ended."""
LOST: Final = "the process ended unexpectedly"
"""The failure of a job without a limit of memory whose process has died."""


class Lost(Exception):
    """The process that did a job has died."""


class Refused(KaiserLogicError):
    """A job cannot be done there at all, nor can any other."""


@dataclass(frozen=True)
class Job(Generic[T]):
    """Something to do in a child.

    Attributes:
        name: What its answer is called by, and what it can be cancelled by; no two jobs of a pool share it.
        call: What to do; its value must be picklable.
    """

    name: str
    call: Callable[[], T]


@dataclass(frozen=True)
class Answer(Generic[T]):
    """The answer to a job, or its failure.

    Attributes:
        name: The job's name.
        value: Its return value; None if it failed.
        failure: Why it has no value: `TIMEOUT`, `OUT_OF_MEMORY`, `LOST` or an error's text; None if it has one.
        seconds: How long it ran, by the clock.
    """

    name: str
    value: T | None
    failure: str | None
    seconds: float


class Pool(Generic[T]):
    """Runs jobs, some at a time; to iterate over it gives their answers as they come.

    Whoever stops iterating ends all processes.

    >>> pool = Pool([Job("one", lambda: 1), Job("two", lambda: 2), Job("three", lambda: 3)], workers=1)
    >>> for answer in pool:
    ...     print(answer.name, answer.value)
    ...     pool.cancel("two")
    one 1
    three 3
    """

    def __init__(
        self,
        jobs: Iterable[Job[T]],
        workers: int | None = None,
        deadline: float = float("inf"),
        memory: int | None = MEMORY,
    ) -> None:
        """A pool of these jobs; none is started before the pool is iterated over.

        Args:
            jobs: What to do, in this order; taken one by one when there is a process for it.
            workers: How many at once; by default one for each core.
            deadline: By :func:`time.monotonic`; what is not done by then fails with `TIMEOUT`.
            memory: The limit for each child, in bytes; None for none.
        """
        self._jobs = iter(jobs)
        self._workers = workers or os.cpu_count() or 1
        self._deadline = deadline
        self._memory = memory
        self._running: dict[str, _Child[T]] = {}
        self._cancelled: set[str] = set()

    def cancel(self, name: str) -> None:
        """Ends a job, or sees to it that it is never begun: it has no answer. Nothing, if it is done already."""
        self._cancelled.add(name)
        child = self._running.pop(name, None)
        if child is not None:
            child.kill()

    def __iter__(self) -> Iterator[Answer[T]]:
        try:
            while True:
                self._start()
                if not self._running:
                    break
                ready = self._wait()
                if not ready:
                    break
                for name in ready:
                    child = self._running.pop(name, None)
                    if child is not None:  # else cancelled since it was seen to be ready
                        yield child.answer()
            for name in list(self._running):
                child = self._running.pop(name, None)
                if child is not None:
                    child.kill()
                    yield Answer(name, None, TIMEOUT, child.seconds)
            for job in self._jobs:
                if job.name not in self._cancelled:
                    yield Answer(job.name, None, TIMEOUT, 0.0)
        finally:
            for child in self._running.values():
                child.kill()
            self._running.clear()

    def _start(self) -> None:
        """Begins as many jobs as there is room for."""
        while len(self._running) < self._workers and time.monotonic() < self._deadline:
            job = next((job for job in self._jobs if job.name not in self._cancelled), None)
            if job is None:
                return
            if job.name in self._running:
                raise ValueError(f"two jobs are called {job.name!r}")
            self._running[job.name] = _Child(job, self._memory)

    def _wait(self) -> list[str]:
        """The names of jobs that are done; none if the deadline has passed before."""
        left = self._deadline - time.monotonic()
        names = {child.pipe: name for name, child in self._running.items()}
        done = connection.wait(list(names), timeout=None if left == float("inf") else max(0.0, left))
        return [names[pipe] for pipe in done if isinstance(pipe, connection.Connection)]


def run_job(job: Callable[[], T], timeout: float, memory: int | None = MEMORY) -> Answer[T]:
    """Runs one job in a child process, and returns its answer.

    Args:
        job: What to do; its value must be picklable.
        timeout: How long it may take, in seconds.
        memory: Its limit, in bytes; None for none.
    """
    return next(iter(Pool([Job("job", job)], 1, time.monotonic() + timeout, memory)))


class _Child(Generic[T]):
    """A job in its process."""

    def __init__(self, job: Job[T], memory: int | None) -> None:
        context = multiprocessing.get_context("fork")
        self._name = job.name
        self._limited = memory is not None
        self._start = time.monotonic()
        self.pipe, there = context.Pipe(duplex=False)
        self._process = context.Process(target=_work, args=(job.call, there, memory), daemon=True)
        self._process.start()
        there.close()

    @property
    def seconds(self) -> float:
        """The time since its start."""
        return time.monotonic() - self._start

    def answer(self) -> Answer[T]:
        """The answer that it has sent, or that it has died."""
        try:
            value, failure = self.pipe.recv()
        except EOFError:
            value, failure = None, OUT_OF_MEMORY if self._limited else LOST
        self._process.join()
        self.pipe.close()
        return Answer(self._name, value, failure, self.seconds)

    def kill(self) -> None:
        """Ends it without an answer."""
        self._process.kill()
        self._process.join()
        self.pipe.close()


def _work(call: Callable[[], Any], pipe: connection.Connection, memory: int | None) -> None:
    """Runs the job in the child, which leaves interrupts to its parent and ends with it however that ends."""
    gc.freeze()  # what it has from its parent stays: it is not looked through again, nor copied for that
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=follow, args=(parent.sentinel,), daemon=True).start()
    if memory is not None:
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        most = memory if hard == resource.RLIM_INFINITY else min(memory, hard)
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
    try:
        pipe.send((call(), None))
    except MemoryError:
        pipe.send((None, OUT_OF_MEMORY))
    except Exception as error:
        message = str(error)
        pipe.send((None, OUT_OF_MEMORY if "bad_alloc" in message else message or type(error).__name__))
    finally:
        pipe.close()


def follow(parent: int) -> None:
    """Waits for the parent's end."""
    with suppress(OSError):
        connection.wait([parent])
    os._exit(1)
