"""Long questions for child processes here, or for the workers of a scheduler, which answer them in children."""

from __future__ import annotations

import math
import pickle
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from multiprocessing import current_process
from typing import Any, Final, TypeVar, cast

from .child_processes import MEMORY, Answer, Job, Pool, run_job
from .executor import answers, executor

T = TypeVar("T")

_HANDED_OUT: Final = 256
"""So many questions are handed to a scheduler at a time."""


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
