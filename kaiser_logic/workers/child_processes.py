"""Jobs in child processes: long ones, each in a process of its own, with a limit of memory and a deadline; many small ones.

Grounding cannot be interrupted, and clingo does not return memory. Therefore large problems are solved in processes that can
be killed. The children are forked, so they inherit the loaded rules. They end when the caller is interrupted, stops iterating
or is killed.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import pickle
import resource
import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import chain
from multiprocessing import connection
from typing import Any, Final, Generic, TypeVar, cast

from ..errors import KaiserLogicError

T = TypeVar("T")

MEMORY: Final = 6 * 2**30
"""The default limit of memory for a child, in bytes."""
_ENDLESS: Final = 10.0**6
"""As many seconds are no deadline: the operating system waits for no longer time."""
TOO_SHORT: Final = "the time was too short"
"""The failure of a job that did not finish by the deadline, in words."""
TIMEOUT: Final = "timeout"
"""The failure of a job that did not finish by the deadline."""
OUT_OF_MEMORY: Final = "memory"
"""The failure of a job that exceeded its limit of memory."""
LOST: Final = "the process ended unexpectedly"
"""The failure of a job whose process has died, if neither its limit of memory nor a division explains that."""
DIVISION: Final = "a division that clingo cannot do has ended the process (signal 8)"
"""The failure of a job that divided -2,147,483,648 by -1."""


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
        failure: The reason of the failure: `TIMEOUT`, `OUT_OF_MEMORY`, `LOST`, `DIVISION` or the text of an error; None if
            there is a value.
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

    If the caller stops iterating, all processes with a job end.

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
        idle: list[_Child] | None = None,
    ) -> None:
        """A pool of these jobs. No job starts before the pool is iterated over.

        Args:
            jobs: The jobs, in this order. Each is taken from the iterable when a process is free.
            workers: The number of processes; by default one for each core.
            deadline: A time of :func:`time.monotonic`. Jobs that have not finished by then fail with `TIMEOUT`.
            memory: The limit of memory for each child, in bytes, or None.
            idle: The processes of `Workers` that have nothing to do. By default each job has a process of its own.
        """
        self._jobs = iter(jobs)
        self._workers = workers or os.cpu_count() or 1
        self._deadline = deadline
        self._memory = memory
        self._idle = idle
        self._running: dict[str, _Child] = {}
        self._cancelled: set[str] = set()
        self._repeated: set[str] = set()

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
                        yield from self._settle(child)
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
            if self._idle is None:
                child = _Child(self._memory, job.call)
            else:
                child = self._idle.pop() if self._idle else _Child(self._memory)
            self._running[job.name] = child
            child.begin(job, send=self._idle is not None)

    def _wait(self) -> list[str]:
        """Waits for jobs, and returns the names of those that have finished; none if the deadline has passed."""
        left = self._deadline - time.monotonic()
        names = {child.pipe: name for name, child in self._running.items()}
        done = connection.wait(list(names), timeout=None if left > _ENDLESS else max(0.0, left))
        return [names[pipe] for pipe in done if isinstance(pipe, connection.Connection)]

    def _settle(self, child: _Child) -> Iterator[ChildAnswer[T]]:
        """The answer of a process that has one, or has died; nothing if its job starts again."""
        job = child.job
        value, failure = child.answer()
        if self._idle is None or failure == LOST:
            child.end()
        else:
            self._idle.append(child)
        if isinstance(failure, JobRefused):
            raise failure
        if self._idle is not None:
            if failure == LOST and job.name not in self._repeated:
                self._repeated.add(job.name)
                self._jobs = chain([job], self._jobs)
                return
            self._start()  # now, so that no process waits while the caller works
        if failure == LOST:
            failure = child.cause_of_death()
        yield ChildAnswer(job.name, value, failure, child.seconds)


def run_job(job: Callable[[], T], timeout: float, memory: int | None = MEMORY) -> ChildAnswer[T]:
    """Calls a function in a child process, and returns the answer.

    Args:
        job: The function. Its return value must be picklable.
        timeout: The time limit in seconds.
        memory: The limit of memory in bytes, or None.
    """
    return next(iter(ProcessPool([Job("job", job)], 1, time.monotonic() + timeout, memory)))


class Workers:
    """Processes that do one job after the other. They inherit what this process has loaded when they start.

    Jobs must be picklable. If a process dies, another one does its job again, once.

    >>> from functools import partial
    >>> with Workers(2) as workers:
    ...     sorted(answer.value for answer in workers.answers([Job(n, partial(int, n)) for n in "312"]))
    [1, 2, 3]
    """

    def __init__(self, count: int | None = None) -> None:
        """``count``: the largest number of processes; by default one for each core."""
        self._count = count
        self._idle: list[_Child] = []

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, *_: object) -> None:
        while self._idle:
            self._idle.pop().kill()

    def answers(self, jobs: Iterable[Job[T]], deadline: float = float("inf")) -> Iterator[ChildAnswer[T]]:
        """The answers to jobs, as those of a `ProcessPool`."""
        return iter(ProcessPool(jobs, self._count, deadline, None, self._idle))


class _Child:
    """A process that does a job, or one after the other."""

    job: Job[Any]

    def __init__(self, memory: int | None, call: Callable[[], Any] | None = None) -> None:
        """``call``: the only call, which the process inherits; None if calls are sent to it."""
        context = multiprocessing.get_context("fork")
        self._memory = memory
        self._start = time.monotonic()
        self.pipe, child_end = context.Pipe()
        self._process = context.Process(target=_serve, args=(child_end, memory, call), daemon=True)
        self._process.start()
        child_end.close()

    def begin(self, job: Job[Any], send: bool) -> None:
        """Begins a job; ``send``: whether the process does not have its call yet."""
        self.job, self._start = job, time.monotonic()
        if send:
            call = pickle.dumps(job.call)
            with suppress(OSError):  # the process has died, which is noticed when it is waited for
                self.pipe.send_bytes(call)

    @property
    def seconds(self) -> float:
        """The time since the start of the job."""
        return time.monotonic() - self._start

    def answer(self) -> tuple[Any, Any]:
        """The value, and the failure: None, a text, or that the process refuses all jobs."""
        try:
            data = self.pipe.recv_bytes()
        except (EOFError, OSError):
            return None, LOST
        try:
            return cast("tuple[Any, Any]", pickle.loads(data))
        except Exception as error:
            return None, str(error) or type(error).__name__

    def cause_of_death(self) -> str:
        """The failure of a process that has ended without an answer."""
        if self._process.exitcode == -signal.SIGFPE:
            return DIVISION
        return LOST if self._memory is None else OUT_OF_MEMORY

    def kill(self) -> None:
        """Ends the process without an answer."""
        self._process.kill()
        self.end()

    def end(self) -> None:
        """Waits for the end of the process, which has answered its only call or has died."""
        self._process.join()
        self.pipe.close()


def _serve(pipe: connection.Connection, memory: int | None, call: Callable[[], Any] | None) -> None:
    """Does one call, or those that come through the pipe, in the child, and sends the answers."""
    gc.freeze()  # collections would otherwise visit the parent's objects, and so copy their memory
    follow_parent()
    if memory is not None:
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        most = memory if hard == resource.RLIM_INFINITY else min(memory, hard)
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
    with suppress(EOFError, OSError):
        if call is not None:
            pipe.send_bytes(_answer(call))
            return
        while True:
            pipe.send_bytes(_answer(partial(_run, pipe.recv_bytes())))


def _run(call: bytes) -> Any:
    return pickle.loads(call)()


def _answer(call: Callable[[], Any]) -> bytes:
    """The value of a call, and its failure, pickled."""
    try:
        return pickle.dumps((call(), None))
    except JobRefused as error:
        return pickle.dumps((None, error))
    except MemoryError:
        return pickle.dumps((None, OUT_OF_MEMORY))
    except Exception as error:
        message = str(error)
        return pickle.dumps((None, OUT_OF_MEMORY if "bad_alloc" in message else message or type(error).__name__))


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
