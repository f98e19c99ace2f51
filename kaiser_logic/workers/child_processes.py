"""Long jobs, each in a child process with a limit of memory and a deadline.

Grounding cannot be interrupted, and clingo does not return memory. Therefore large problems are solved in processes that can
be killed. The children are forked, so they inherit the loaded rules. They end when the caller is interrupted, stops iterating
or is killed.
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
"""The default limit of memory for a child, in bytes."""
TOO_SHORT: Final = "the time was too short"
"""The failure of a job that did not finish by the deadline, in words."""
TIMEOUT: Final = "timeout"
"""The failure of a job that did not finish by the deadline."""
OUT_OF_MEMORY: Final = "memory"
"""The failure of a job that exceeded its limit of memory."""
LOST: Final = "the process ended unexpectedly"
"""The failure of a job without a limit of memory whose process has died."""


class Lost(Exception):
    """The process of a job has died."""


class JobRefused(KaiserLogicError):
    """A worker refuses all jobs, for instance because it has other rulebooks."""


@dataclass(frozen=True)
class Job(Generic[T]):
    """A call for another process.

    Attributes:
        name: The name of the job, unique in a pool. Its answer has the same name.
        call: The function to call. Its return value must be picklable.
    """

    name: str
    call: Callable[[], T]


@dataclass(frozen=True)
class ChildAnswer(Generic[T]):
    """The answer to a job, or its failure.

    Attributes:
        name: The name of the job.
        value: The return value; None if the job failed.
        failure: The reason of the failure: `TIMEOUT`, `OUT_OF_MEMORY`, `LOST` or the text of an error; None if there is a
            value.
        seconds: The time that the job took, by the clock.
    """

    name: str
    value: T | None
    failure: str | None
    seconds: float

    @property
    def reason(self) -> str:
        """The reason of the failure in words; empty if there is a value."""
        return _IN_WORDS.get(self.failure or "", self.failure or "")


_IN_WORDS: Final = {TIMEOUT: TOO_SHORT, OUT_OF_MEMORY: "the memory was too small"}


class ProcessPool(Generic[T]):
    """Runs jobs, some at a time. Iterating over the pool returns each answer as soon as it is there.

    If the caller stops iterating, all processes end.

    >>> pool = ProcessPool([Job("one", lambda: 1), Job("two", lambda: 2), Job("three", lambda: 3)], workers=1)
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
        """A pool of these jobs. No job starts before the pool is iterated over.

        Args:
            jobs: The jobs, in this order. Each is taken from the iterable when a process is free.
            workers: The number of processes; by default one for each core.
            deadline: A time of :func:`time.monotonic`. Jobs that have not finished by then fail with `TIMEOUT`.
            memory: The limit of memory for each child, in bytes, or None.
        """
        self._jobs = iter(jobs)
        self._workers = workers or os.cpu_count() or 1
        self._deadline = deadline
        self._memory = memory
        self._running: dict[str, _Child[T]] = {}
        self._cancelled: set[str] = set()

    def cancel(self, name: str) -> None:
        """Ends a job, or prevents its start. The job has no answer, unless it has already finished."""
        self._cancelled.add(name)
        child = self._running.pop(name, None)
        if child is not None:
            child.kill()

    def __iter__(self) -> Iterator[ChildAnswer[T]]:
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
                    if child is not None:  # the caller may have cancelled it in the meantime
                        yield child.answer()
            for name in list(self._running):
                child = self._running.pop(name, None)
                if child is not None:
                    child.kill()
                    yield ChildAnswer(name, None, TIMEOUT, child.seconds)
            for job in self._jobs:
                if job.name not in self._cancelled:
                    yield ChildAnswer(job.name, None, TIMEOUT, 0.0)
        finally:
            for child in self._running.values():
                child.kill()
            self._running.clear()

    def _start(self) -> None:
        """Starts jobs until all processes are busy or no job is left."""
        while len(self._running) < self._workers and time.monotonic() < self._deadline:
            job = next((job for job in self._jobs if job.name not in self._cancelled), None)
            if job is None:
                return
            if job.name in self._running:
                raise ValueError(f"two jobs are called {job.name!r}")
            self._running[job.name] = _Child(job, self._memory)

    def _wait(self) -> list[str]:
        """Waits for jobs, and returns the names of those that have finished; none if the deadline has passed."""
        left = self._deadline - time.monotonic()
        names = {child.pipe: name for name, child in self._running.items()}
        done = connection.wait(list(names), timeout=None if left == float("inf") else max(0.0, left))
        return [names[pipe] for pipe in done if isinstance(pipe, connection.Connection)]


def run_job(job: Callable[[], T], timeout: float, memory: int | None = MEMORY) -> ChildAnswer[T]:
    """Calls a function in a child process, and returns the answer.

    Args:
        job: The function. Its return value must be picklable.
        timeout: The time limit in seconds.
        memory: The limit of memory in bytes, or None.
    """
    return next(iter(ProcessPool([Job("job", job)], 1, time.monotonic() + timeout, memory)))


class _Child(Generic[T]):
    """A job and its process."""

    def __init__(self, job: Job[T], memory: int | None) -> None:
        context = multiprocessing.get_context("fork")
        self._name = job.name
        self._limited = memory is not None
        self._start = time.monotonic()
        self.pipe, child_end = context.Pipe(duplex=False)
        self._process = context.Process(target=_work, args=(job.call, child_end, memory), daemon=True)
        self._process.start()
        child_end.close()

    @property
    def seconds(self) -> float:
        """The time since the start of the job."""
        return time.monotonic() - self._start

    def answer(self) -> ChildAnswer[T]:
        """The answer that the process has sent; a failure if it has died."""
        try:
            value, failure = self.pipe.recv()
        except EOFError:
            value, failure = None, OUT_OF_MEMORY if self._limited else LOST
        self._process.join()
        self.pipe.close()
        return ChildAnswer(self._name, value, failure, self.seconds)

    def kill(self) -> None:
        """Ends the process without an answer."""
        self._process.kill()
        self._process.join()
        self.pipe.close()


def _work(call: Callable[[], Any], pipe: connection.Connection, memory: int | None) -> None:
    """Runs a job in the child, and sends its answer."""
    gc.freeze()  # collections would otherwise visit the parent's objects, and so copy their memory
    follow_parent()
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


def follow_parent() -> None:
    """Makes this process ignore interrupts, and end when its parent ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_exit_after, args=(parent.sentinel,), daemon=True).start()


def _exit_after(parent: int) -> None:
    """Waits for the end of the parent, and ends this process."""
    with suppress(OSError):
        connection.wait([parent])
    os._exit(1)
