"""An executor as in ``concurrent.futures`` for many small jobs, and functions that return the answers to jobs.

If a worker process dies, another one does its job again, once. Each long job gets a child process of its own.
"""

from __future__ import annotations

import math
import pickle
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from itertools import chain, islice
from multiprocessing import connection, current_process, get_context
from typing import Any, Final, TypeVar, cast

from .child_processes import (
    LOST,
    MEMORY,
    OUT_OF_MEMORY,
    TIMEOUT,
    ChildAnswer,
    Job,
    JobRefused,
    Lost,
    ProcessPool,
    follow_parent,
    run_job,
)

S = TypeVar("S")
T = TypeVar("T")

_LONG: Final = 10.0**6
"""The longest time to wait at once, in seconds."""

AHEAD: Final = 4
"""The number of jobs that are submitted for each process, so that no process has to wait."""


class Workers(Executor):
    """An executor with forked processes. They inherit what this process has loaded. Each does one job after the other.

    >>> with Workers(2) as workers:
    ...     [future.result() for future in [workers.submit(pow, n, 2) for n in range(4)]]
    [0, 1, 4, 9]
    """

    def __init__(self, count: int) -> None:
        """``count``: the number of processes."""
        self._waiting: deque[tuple[Future[Any], bytes]] = deque()
        self._lock = threading.Lock()
        self._ended = self._killed = False
        self._trouble: Exception | None = None
        self._woken, self._wake = get_context("fork").Pipe(duplex=False)
        self._idle = [_WorkerProcess() for _ in range(count)]
        self._busy: dict[_WorkerProcess, Future[Any]] = {}
        self._thread = threading.Thread(target=self._manage, daemon=True)
        self._thread.start()

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        """Submits a call to the processes. Function and arguments must be picklable."""
        future: Future[T] = Future()
        call = pickle.dumps((fn, args, kwargs))
        with self._lock:
            if self._trouble is not None and not self._ended:
                future.set_exception(self._trouble)
                return future
            if self._ended:
                raise RuntimeError("these workers have stopped")
            self._waiting.append((future, call))
        with suppress(OSError):  # the thread has ended in the meantime and has settled the future
            self._wake.send_bytes(b"more")
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Accepts no more jobs.

        Args:
            wait: Whether to wait until all accepted jobs have finished.
            cancel_futures: Whether to cancel the jobs that have not started.
        """
        with self._lock:
            waiting = list(self._waiting)
            if cancel_futures:
                self._waiting.clear()
            self._ended = True
        if cancel_futures:
            for future, _ in waiting:
                future.cancel()
        with suppress(OSError):
            self._wake.send_bytes(b"end")
        if wait:
            self._thread.join()

    def kill(self) -> None:
        """Ends all processes at once. Their jobs are cancelled or lost."""
        self._killed = True
        self.shutdown(wait=True, cancel_futures=True)

    # -- the thread ------------------------------------------------------------------------------------------------------

    def _manage(self) -> None:
        """Hands out jobs and receives their results, until the executor is shut down and all jobs have finished."""
        trouble: Exception = Lost(LOST)
        try:
            while self._hand_out() and not self._killed:
                ready = connection.wait([self._woken, *(child.pipe for child in self._busy)])
                if self._woken in ready:
                    self._woken.recv_bytes()
                for child in [child for child in self._busy if child.pipe in ready]:
                    self._idle.append(self._settle(child))
        except OSError as error:  # no process can be started in place of a dead one
            trouble = error
        with self._lock:
            self._trouble = trouble
            waiting = [future for future, _ in self._waiting if future.set_running_or_notify_cancel()]
            self._waiting.clear()
        for future in [*self._busy.values(), *waiting]:
            future.set_exception(trouble)
        for child in [*self._idle, *self._busy]:
            child.end()
        self._woken.close()
        self._wake.close()

    def _hand_out(self) -> bool:
        """Gives waiting jobs to idle processes; returns whether there is anything left to wait for."""
        while self._idle:
            with self._lock:
                if not self._waiting:
                    break
                future, call = self._waiting.popleft()
            if not future.set_running_or_notify_cancel():
                continue
            child = self._idle.pop()
            self._busy[child] = future
            with suppress(OSError):  # the process has died, which is noticed when it is waited for
                child.pipe.send_bytes(call)
        return bool(self._busy) or not self._ended

    def _settle(self, child: _WorkerProcess) -> _WorkerProcess:
        """Settles the future of a busy process; returns the process, or a new one if it has died."""
        try:
            succeeded, value = child.pipe.recv()
        except (EOFError, OSError):
            child.end()
            other = _WorkerProcess()
            self._busy.pop(child).set_exception(Lost(LOST))
            return other
        except Exception as error:
            succeeded, value = False, error
        future = self._busy.pop(child)
        if succeeded:
            future.set_result(value)
        else:
            future.set_exception(value)
        return child


class _WorkerProcess:
    """A process that does jobs until its parent ends it or itself ends."""

    def __init__(self) -> None:
        context = get_context("fork")
        self.pipe, child_end = context.Pipe()
        self._process = context.Process(target=_serve, args=(child_end,), daemon=True)
        self._process.start()
        child_end.close()

    def end(self) -> None:
        """Ends the process at once."""
        self._process.kill()
        self._process.join()


def _serve(pipe: connection.Connection) -> None:
    """Does the jobs that come through the pipe, and sends their results."""
    follow_parent()
    with suppress(EOFError, OSError):
        while True:
            call = pipe.recv_bytes()
            try:
                function, args, kwargs = pickle.loads(call)
                answer = pickle.dumps((True, function(*args, **kwargs)))
            except Exception as error:
                answer = _message(error)
            pipe.send_bytes(answer)


def _message(error: Exception) -> bytes:
    """The message with an exception; if the exception cannot be pickled, with its text."""
    try:
        found = pickle.dumps((False, error))
        pickle.loads(found)
    except Exception:
        return pickle.dumps((False, RuntimeError(f"{type(error).__name__}: {error}")))
    return found


# -- jobs ----------------------------------------------------------------------------------------------------------


@contextmanager
def executor(count: int, scheduler: str | None = None) -> Iterator[Executor]:
    """An executor on this machine, or that of a Dask scheduler. Its processes are released in any case.

    Args:
        count: The number of processes on this machine.
        scheduler: The address of a Dask scheduler, in place of processes on this machine.

    Raises:
        WrongUsage: Dask is missing, or there is no scheduler at the address.
    """
    if scheduler is not None:
        from .scheduler import cluster

        with cluster(scheduler) as found:
            yield found
        return
    workers = Workers(count)
    try:
        yield workers
    finally:
        workers.kill()


def answers(
    jobs: Iterable[Job[T]], executor: Executor, ahead: int, deadline: float | None = None
) -> Iterator[ChildAnswer[T]]:
    """The answers to jobs, each as soon as it is there. Each job has one answer, even if processes die.

    Args:
        jobs: Picklable calls with different names. Each is taken from the iterable when it is submitted.
        executor: The executor that does the jobs.
        ahead: The largest number of submitted jobs, best several for each process: see :data:`AHEAD`.
        deadline: A time of :func:`time.monotonic`, or None. Jobs that have not finished by then fail with `TIMEOUT`.
    """
    waiting: dict[Future[T], tuple[Job[T], float]] = {}
    repeated: set[str] = set()
    left = iter(jobs)
    try:
        while True:
            while len(waiting) < ahead and (job := next(left, None)) is not None:
                waiting[executor.submit(job.call)] = job, time.monotonic()
            if not waiting:
                return
            patience = None if deadline is None else max(0.0, min(deadline - time.monotonic(), _LONG))
            ready = wait(waiting, patience, return_when=FIRST_COMPLETED).done
            if not ready and deadline is not None and time.monotonic() >= deadline:
                for job, start in waiting.values():
                    yield ChildAnswer(job.name, None, TIMEOUT, time.monotonic() - start)
                yield from (ChildAnswer(job.name, None, TIMEOUT, 0.0) for job in left)
                return
            for future in ready:
                job, start = waiting.pop(future)
                if future.cancelled():
                    raise JobRefused("the jobs were cancelled, because their scheduler has ended")
                error = future.exception()
                if isinstance(error, Lost) and job.name not in repeated:
                    repeated.add(job.name)
                    waiting[executor.submit(job.call)] = job, start
                    continue
                if isinstance(error, JobRefused):
                    raise error
                value = None if error is not None else future.result()
                failure = None if error is None else str(error) or type(error).__name__
                failure = OUT_OF_MEMORY if isinstance(error, MemoryError) else failure
                yield ChildAnswer(job.name, value, failure, time.monotonic() - start)
    finally:
        for future in waiting:
            future.cancel()


def in_order(function: Callable[[S], T], items: Iterable[S], workers: int) -> Iterator[ChildAnswer[T]]:
    """The answers of a picklable function for several items, in order; with one worker, computed in this process.

    Each item is taken when its turn comes.
    """
    left = iter(items)
    first = list(islice(left, workers))
    items = chain(first, left)
    if workers == 1 or len(first) < 2:
        for number, item in enumerate(items):
            yield ChildAnswer(str(number), function(item), None, 0.0)
        return
    with executor(len(first)) as processes:
        calls = (Job(str(number), partial(function, item)) for number, item in enumerate(items))
        yield from by_number(
            (int(answer.name), answer) for answer in answers(calls, processes, workers * AHEAD)
        )


def by_number(pairs: Iterable[tuple[int, T]]) -> Iterator[T]:
    """The values of numbered pairs in the order of the numbers 0, 1, 2, ...; each as soon as possible."""
    found: dict[int, T] = {}
    following = 0
    for number, value in pairs:
        found[number] = value
        while following in found:
            yield found.pop(following)
            following += 1


_HANDED_OUT: Final = 256
"""The number of jobs that a scheduler gets at a time."""


def job_answers(
    jobs: Iterable[Job[T]], workers: int | None, deadline: float, scheduler: str | None = None
) -> Iterator[ChildAnswer[T]]:
    """The answers to long jobs, each as soon as it is there, one for each job.

    Args:
        jobs: The jobs. For a scheduler they must be picklable. On this machine each is taken when its child starts.
        workers: The number of child processes on this machine; by default one for each core.
        deadline: A time of :func:`time.monotonic`. Jobs that have not finished by then fail.
        scheduler: The address of a Dask scheduler whose workers do the jobs instead.

    Raises:
        Refused: A worker has other rules or sources than this process.
        WrongUsage: Dask is missing, or there is no scheduler at the address.
    """
    if scheduler is None:
        yield from ProcessPool(jobs, workers, deadline)
        return
    remote = [Job(job.name, _RemoteJob(pickle.dumps(job.call), deadline, MEMORY)) for job in jobs]
    if not remote:
        return
    with executor(1, scheduler) as workers_elsewhere:
        for answer in answers(remote, workers_elsewhere, _HANDED_OUT, deadline):
            found = answer.value
            if found is None:
                yield cast("ChildAnswer[T]", answer)
            else:
                yield replace(found, name=answer.name)


class _RemoteJob:
    """A job for another machine. When it is pickled, the deadline becomes the remaining time, as clocks differ."""

    def __init__(self, call: bytes, deadline: float, memory: int) -> None:
        self._call, self._deadline, self._memory = call, deadline, memory

    def __reduce__(self) -> tuple[Callable[..., object], tuple[bytes, float, int]]:
        return _ReceivedJob, (self._call, self._deadline - time.monotonic(), self._memory)

    def __call__(self) -> ChildAnswer[Any]:
        """Does the job in a child of this process."""
        return _ReceivedJob(self._call, self._deadline - time.monotonic(), self._memory)()


class _ReceivedJob:
    """A job that has arrived at the machine that does it."""

    def __init__(self, call: bytes, seconds: float, memory: int) -> None:
        self._call, self._seconds, self._memory = call, seconds, memory

    def __call__(self) -> ChildAnswer[Any]:
        """Does the job in a child. It is unpickled here, so that rulebooks are loaded only once for all jobs."""
        call: Callable[[], Any] = pickle.loads(self._call)
        # Dask marks its workers as daemons, which may have no children; but this child ends when the worker ends
        getattr(current_process(), "_config", {})["daemon"] = False
        return run_job(call, self._seconds if math.isfinite(self._seconds) else 10.0**9, self._memory)
