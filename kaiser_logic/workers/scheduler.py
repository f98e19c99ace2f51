"""The workers of a Dask scheduler, on other machines. Dask is loaded on demand.

A worker refuses all jobs if its sources, Python or clingo differ from those of this process. If a worker dies, Dask gives its
job to another one, and gives the job up after several such failures.
"""

from __future__ import annotations

import importlib
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from typing import Any, Final, TypeVar

from ..cache import tool
from ..errors import WrongUsage
from .child_processes import OUT_OF_MEMORY, TIMEOUT, ChildAnswer, Job, JobRefused

T = TypeVar("T")

_WAIT: Final = 10.0
"""The time in seconds to wait for a scheduler."""
_LONG: Final = 10.0**6
"""The longest time to wait at once, in seconds."""
_HANDED_OUT: Final = 256
"""The number of jobs that a scheduler gets at a time."""
_ONE: Final = threading.Lock()
"""A process does one job at a time, whatever its number of threads."""


class Cluster:
    """The workers of a Dask scheduler; workers that have other sources, Python or clingo than this process refuse all jobs."""

    def __init__(self, address: str) -> None:
        """Finds the scheduler.

        Raises:
            WrongUsage: Dask is missing, or there is no scheduler at the address.
        """
        try:
            distributed: Any = importlib.import_module("distributed")
        except ImportError:
            message = "a scheduler needs Dask: pip install 'kaiser-logic[distributed]'"
            raise WrongUsage(message) from None
        try:
            self._client = distributed.Client(address, timeout=_WAIT, set_as_default=False)
        except (OSError, ValueError) as error:
            raise WrongUsage(f"there is no scheduler at {address}: {error}") from None
        self._executor: Executor = self._client.get_executor(pure=False)
        self._ours = tool()

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *_: object) -> None:
        self._client.close()

    def answers(self, jobs: Iterable[Job[T]], deadline: float = float("inf")) -> Iterator[ChildAnswer[T]]:
        """The answers to jobs, each as soon as it is there. Each job has one answer, even if workers die.

        Args:
            jobs: Picklable calls with different names. Each is taken from the iterable when it is submitted.
            deadline: A time of :func:`time.monotonic`. Jobs that have not finished by then fail with `TIMEOUT`.
        """
        waiting: dict[Future[T], tuple[Job[T], float]] = {}
        left = iter(jobs)
        try:
            while True:
                while len(waiting) < _HANDED_OUT and (job := next(left, None)) is not None:
                    future = self._executor.submit(_run_call, self._ours, job.call)
                    waiting[future] = job, time.monotonic()
                if not waiting:
                    return
                patience = max(0.0, min(deadline - time.monotonic(), _LONG))
                ready = wait(waiting, patience, return_when=FIRST_COMPLETED).done
                if not ready and time.monotonic() >= deadline:
                    for job, start in waiting.values():
                        yield ChildAnswer(job.name, None, TIMEOUT, time.monotonic() - start)
                    yield from (ChildAnswer(job.name, None, TIMEOUT, 0.0) for job in left)
                    return
                for future in ready:
                    job, start = waiting.pop(future)
                    if future.cancelled():
                        raise JobRefused("the jobs were cancelled, because their scheduler has ended")
                    error = future.exception()
                    if isinstance(error, JobRefused):
                        raise error
                    value = None if error is not None else future.result()
                    failure = None if error is None else str(error) or type(error).__name__
                    failure = OUT_OF_MEMORY if isinstance(error, MemoryError) else failure
                    yield ChildAnswer(job.name, value, failure, time.monotonic() - start)
        finally:
            for future in waiting:
                future.cancel()


def _run_call(ours: str, call: Callable[[], T]) -> T:
    """The value of a call, in a worker; JobRefused if the worker's sources, Python or clingo are others than ``ours``."""
    if tool() != ours:
        raise JobRefused("a worker has another kaiser-logic, Python or clingo than this process, so it is not used")
    with _ONE:
        return call()
