"""Many small jobs for worker processes: an executor as in ``concurrent.futures``, on this machine or on others.

A process that dies costs nothing but time: its job is done again by another one, once. Long questions
are answered each in a child of its own.
"""

from __future__ import annotations

import math
import pickle
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from multiprocessing import connection, current_process, get_context, parent_process
from typing import Any, Final, TypeVar, cast

from .child_processes import (
    LOST,
    MEMORY,
    OUT_OF_MEMORY,
    TIMEOUT,
    Answer,
    Job,
    Lost,
    Pool,
    Refused,
    follow,
    run_job,
)

S = TypeVar("S")
T = TypeVar("T")

_LONG: Final = 10.0**6
"""No wait is longer than this, in seconds."""

AHEAD: Final = 4
"""The number of jobs that each process gets in advance, so that it need not wait."""


class Workers(Executor):
    """Forked processes, which have what this one has when they are begun; each does one job after another.

    >>> with Workers(2) as workers:
    ...     [future.result() for future in [workers.submit(pow, n, 2) for n in range(4)]]
    [0, 1, 4, 9]
    """

    def __init__(self, count: int) -> None:
        """``count``: how many processes."""
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
        """Has a call done by one of the processes; function and arguments must be picklable."""
        future: Future[T] = Future()
        call = pickle.dumps((fn, args, kwargs))
        with self._lock:
            if self._trouble is not None and not self._ended:
                future.set_exception(self._trouble)
                return future
            if self._ended:
                raise RuntimeError("these workers have stopped")
            self._waiting.append((future, call))
        with suppress(OSError):  # the thread has ended meanwhile, and settled it
            self._wake.send_bytes(b"more")
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Takes no more jobs; ``wait``: until those that were taken are done; ``cancel_futures``: but for waiting ones."""
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
        """Ends all processes at once; what they were doing is cancelled or lost."""
        self._killed = True
        self.shutdown(wait=True, cancel_futures=True)

    # -- the thread ------------------------------------------------------------------------------------------------------

    def _manage(self) -> None:
        """Hands out jobs and takes what has been done, until all is done and nothing more may come."""
        trouble: Exception = Lost(LOST)
        try:
            while self._hand_out() and not self._killed:
                ready = connection.wait([self._woken, *(child.pipe for child in self._busy)])
                if self._woken in ready:
                    self._woken.recv_bytes()
                for child in [child for child in self._busy if child.pipe in ready]:
                    self._idle.append(self._settled(child))
        except OSError as error:  # no process can be begun in the place of one that has died
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
        """Gives the waiting jobs to those who are idle; whether there is anything left to wait for."""
        while self._idle:
            with self._lock:
                if not self._waiting:
                    break
                future, call = self._waiting.popleft()
            if not future.set_running_or_notify_cancel():
                continue
            child = self._idle.pop()
            self._busy[child] = future
            with suppress(OSError):  # it has died meanwhile: that is seen when it is waited for
                child.pipe.send_bytes(call)
        return bool(self._busy) or not self._ended

    def _settled(self, child: _WorkerProcess) -> _WorkerProcess:
        """Passes on what a process has sent; the process, or another one in its place."""
        try:
            done, value = child.pipe.recv()
        except (EOFError, OSError):
            child.end()
            other = _WorkerProcess()
            self._busy.pop(child).set_exception(Lost(LOST))
            return other
        except Exception as error:
            done, value = False, error
        future = self._busy.pop(child)
        if done:
            future.set_result(value)
        else:
            future.set_exception(value)
        return child


class _WorkerProcess:
    """A process that does jobs until its parent ends it, or ends."""

    def __init__(self) -> None:
        context = get_context("fork")
        self.pipe, there = context.Pipe()
        self._process = context.Process(target=_serve, args=(there,), daemon=True)
        self._process.start()
        there.close()

    def end(self) -> None:
        """Ends the process at once."""
        self._process.kill()
        self._process.join()


def _serve(pipe: connection.Connection) -> None:
    """Does what comes through the pipe; leaves interrupts to the parent and ends with it however that ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()
    if parent is not None:
        threading.Thread(target=follow, args=(parent.sentinel,), daemon=True).start()
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
    """An exception to be sent; one that cannot be, as its text."""
    try:
        found = pickle.dumps((False, error))
        pickle.loads(found)
    except Exception:
        return pickle.dumps((False, RuntimeError(f"{type(error).__name__}: {error}")))
    return found


# -- jobs ----------------------------------------------------------------------------------------------------------


@contextmanager
def executor(count: int, scheduler: str | None = None) -> Iterator[Executor]:
    """Workers here, or those of a Dask scheduler; they are always released.

    Args:
        count: The number of processes on this machine.
        scheduler: The address of a scheduler, instead of them.

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
) -> Iterator[Answer[T]]:
    """The answers to jobs as they come: one for each, even if processes die meanwhile.

    Args:
        jobs: What to do: picklable calls with names of their own; taken one by one when there is room.
        executor: Who does it.
        ahead: How many jobs are handed out at a time; at best some for each process, see :data:`AHEAD`.
        deadline: By :func:`time.monotonic`; what is not done by then fails with `TIMEOUT`. None for none.
    """
    waiting: dict[Future[T], tuple[Job[T], float]] = {}
    again: set[str] = set()
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
                    yield Answer(job.name, None, TIMEOUT, time.monotonic() - start)
                yield from (Answer(job.name, None, TIMEOUT, 0.0) for job in left)
                return
            for future in ready:
                job, start = waiting.pop(future)
                if future.cancelled():
                    raise Refused("the jobs have been cancelled: their scheduler has gone")
                error = future.exception()
                if isinstance(error, Lost) and job.name not in again:
                    again.add(job.name)
                    waiting[executor.submit(job.call)] = job, start
                    continue
                if isinstance(error, Refused):
                    raise error
                value = None if error is not None else future.result()
                failure = None if error is None else str(error) or type(error).__name__
                failure = OUT_OF_MEMORY if isinstance(error, MemoryError) else failure
                yield Answer(job.name, value, failure, time.monotonic() - start)
    finally:
        for future in waiting:
            future.cancel()


def in_order(function: Callable[[S], T], items: Sequence[S], workers: int) -> Iterator[Answer[T]]:
    """The answers of a picklable function for several items, in the order of these; with one process, here."""
    if workers == 1 or len(items) < 2:
        for number, item in enumerate(items):
            yield Answer(str(number), function(item), None, 0.0)
        return
    with executor(min(workers, len(items))) as processes:
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
"""The number of questions that a scheduler gets at a time."""


def job_answers(
    jobs: Iterable[Job[T]], workers: int | None, deadline: float, scheduler: str | None = None
) -> Iterator[Answer[T]]:
    """The answers to questions as they come, one for each.

    Args:
        jobs: The questions. Where they go to a scheduler they must be picklable; here each is taken when its child begins.
        workers: How many children at once on this machine; by default one for each core.
        deadline: By :func:`time.monotonic`; what is not answered by then fails.
        scheduler: The address of a Dask scheduler whose workers are asked instead.

    Raises:
        Refused: A worker has other rules or sources than this process.
        WrongUsage: Dask is missing, or there is no scheduler at the address.
    """
    if scheduler is None:
        yield from Pool(jobs, workers, deadline)
        return
    there = [Job(job.name, _RemoteJob(pickle.dumps(job.call), deadline, MEMORY)) for job in jobs]
    if not there:
        return
    with executor(1, scheduler) as them:
        for answer in answers(there, them, _HANDED_OUT, deadline):
            found = answer.value
            if found is None:
                yield cast("Answer[T]", answer)
            else:
                yield replace(found, name=answer.name)


class _RemoteJob:
    """A question on its way to another machine: it carries the remaining time, as clocks differ."""

    def __init__(self, call: bytes, deadline: float, memory: int) -> None:
        self._call, self._deadline, self._memory = call, deadline, memory

    def __reduce__(self) -> tuple[Callable[..., object], tuple[bytes, float, int]]:
        return _ReceivedJob, (self._call, self._deadline - time.monotonic(), self._memory)

    def __call__(self) -> Answer[Any]:
        """Asks it in this process' own child."""
        return _ReceivedJob(self._call, self._deadline - time.monotonic(), self._memory)()


class _ReceivedJob:
    """A question that has arrived where it is answered."""

    def __init__(self, call: bytes, seconds: float, memory: int) -> None:
        self._call, self._seconds, self._memory = call, seconds, memory

    def __call__(self) -> Answer[Any]:
        """Reads it here, where what it needs is kept for the next ones, and answers it in a child."""
        call: Callable[[], Any] = pickle.loads(self._call)
        # Dask marks its workers as daemons, which may have no children; this child ends with them all the same
        getattr(current_process(), "_config", {})["daemon"] = False
        return run_job(call, self._seconds if math.isfinite(self._seconds) else 10.0**9, self._memory)
