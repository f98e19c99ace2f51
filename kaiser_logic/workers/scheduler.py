"""The workers of a Dask scheduler, on other machines, as an executor. Dask is loaded on demand.

A worker refuses all jobs if its sources, Python or clingo differ from those of this process. If a worker dies, Dask gives its
job to another one, and gives the job up after several such failures.
"""

from __future__ import annotations

import importlib
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from typing import Any, Final, TypeVar

from ..cache import tool
from ..errors import WrongUsage
from .child_processes import JobRefused

T = TypeVar("T")

_WAIT: Final = 10.0
"""The time in seconds to wait for a scheduler."""
_ONE: Final = threading.Lock()
"""A process does one job at a time, whatever its number of threads."""


@contextmanager
def cluster(address: str) -> Iterator[Executor]:
    """The workers of a Dask scheduler, as an executor.

    Raises:
        WrongUsage: Dask is missing, or there is no scheduler at the address.
    """
    try:
        distributed: Any = importlib.import_module("distributed")
    except ImportError:
        message = "a scheduler needs Dask: pip install 'kaiser-logic[distributed]'"
        raise WrongUsage(message) from None
    try:
        client = distributed.Client(address, timeout=_WAIT, set_as_default=False)
    except (OSError, ValueError) as error:
        raise WrongUsage(f"there is no scheduler at {address}: {error}") from None
    try:
        yield _Cluster(client)
    finally:
        client.close()


class _Cluster(Executor):
    """An executor whose workers have the same sources, Python and clingo as this process."""

    def __init__(self, client: Any) -> None:
        self._executor: Executor = client.get_executor(pure=False)
        self._ours = tool()

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        """Submits a call to the workers."""
        return self._executor.submit(_run_call, self._ours, fn, *args, **kwargs)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Accepts no more jobs."""
        self._executor.shutdown(wait=wait)


def _run_call(ours: str, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> T:
    """The value of a call, in a worker; Refused if the worker's sources, Python or clingo are others than ``ours``."""
    if tool() != ours:
        raise JobRefused(
            "a worker has another kaiser-logic, Python or clingo than this process, so it is not used"
        )
    with _ONE:
        return fn(*args, **kwargs)
