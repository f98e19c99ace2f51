"""The answers to jobs: here or by a scheduler, in any order or in that of the items."""

from __future__ import annotations

import math
import pickle
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import partial
from itertools import chain, islice
from multiprocessing import current_process
from typing import TYPE_CHECKING, Any, TypeVar, cast

from .child_processes import MEMORY, ChildAnswer, Job, ProcessPool, Workers, run_job

if TYPE_CHECKING:
    from .scheduler import Cluster

S = TypeVar("S")
T = TypeVar("T")


def workers_of(count: int | None, scheduler: str | None = None) -> AbstractContextManager[Workers | Cluster]:
    """The processes of this machine, or those of a Dask scheduler, for many small jobs. They are released in any case.

    Args:
        count: The largest number of processes on this machine; by default one for each core.
        scheduler: The address of a Dask scheduler, in place of processes on this machine.

    Raises:
        WrongUsage: Dask is missing, or there is no scheduler at the address.
    """
    if scheduler is None:
        return Workers(count)
    from .scheduler import Cluster

    return Cluster(scheduler)


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
    with Workers(workers) as processes:
        calls = (Job(str(number), partial(function, item)) for number, item in enumerate(items))
        yield from by_number((int(answer.name), answer) for answer in processes.answers(calls))


def by_number(pairs: Iterable[tuple[int, T]]) -> Iterator[T]:
    """The values of numbered pairs in the order of the numbers 0, 1, 2, ...; each as soon as possible."""
    waiting: dict[int, T] = {}
    following = 0
    for number, value in pairs:
        waiting[number] = value
        while following in waiting:
            yield waiting.pop(following)
            following += 1


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
        JobRefused: A worker has other rules or sources than this process.
        WrongUsage: Dask is missing, or there is no scheduler at the address.
    """
    if scheduler is None:
        yield from ProcessPool(jobs, workers, deadline)
        return
    remote = [Job(job.name, _RemoteJob(pickle.dumps(job.call), deadline, MEMORY)) for job in jobs]
    if not remote:
        return
    with workers_of(None, scheduler) as elsewhere:
        for answer in elsewhere.answers(remote, deadline):
            answer_given = answer.value
            if answer_given is None:
                yield cast("ChildAnswer[T]", answer)
            else:
                yield replace(answer_given, name=answer.name)


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
