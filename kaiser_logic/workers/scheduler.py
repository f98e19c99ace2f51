"""Workers on other machines: those of a Dask scheduler, as an executor. Dask is loaded on demand.

A worker whose sources, Python or clingo are others than here does nothing: its answers would not be ours. A job whose
worker dies is done again by another one, as Dask sees to; one after which workers keep dying is given up.
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
from .child_processes import Refused

T = TypeVar("T")

_WAIT: Final = 10.0
"""The time in seconds to wait for a scheduler."""
_ONE: Final = threading.Lock()
"""A process does one job at a time, however many threads it has for them."""


@contextmanager
def cluster(address: str) -> Iterator[Executor]:
    """The workers of a scheduler.

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
    """A client's executor, whose jobs are done by workers like us only."""

    def __init__(self, client: Any) -> None:
        self._executor: Executor = client.get_executor(pure=False)
        self._ours = tool()

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        """Has a call done by one of the workers."""
        return self._executor.submit(_done, self._ours, fn, *args, **kwargs)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Takes no more jobs."""
        self._executor.shutdown(wait=wait)


def _done(ours: str, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> T:
    """The value of a call, in a worker."""
    if tool() != ours:
        raise Refused(
            "a worker has another kaiser-logic, Python or clingo than this process, so it is not used"
        )
    with _ONE:
        return fn(*args, **kwargs)
