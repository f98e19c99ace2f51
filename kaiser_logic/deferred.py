"""Dataclasses that few processes use: their methods are written when the first value is made.

Python writes and compiles half a dozen methods for a frozen dataclass, which takes a new process half a millisecond and
more for each; a check that finds nothing wrong needs no class for what is wrong. For type checkers it is the dataclass.

>>> @deferred(frozen=True)
... class Pair(Deferred):
...     first: int
...     second: int = 0
>>> Pair(1)
Pair(first=1, second=0)
"""

from __future__ import annotations

from _thread import RLock
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, TypeVar

__all__ = ["Deferred", "deferred", "finish"]
T = TypeVar("T")

_waiting: Final[dict[type, dict[str, Any]]] = {}
"""The classes that are not finished, each with how it is to be."""
_lock: Final = RLock()


def finish(kind: object) -> None:
    """Finishes a class that waits for its first value; anything else is left as it is."""
    with _lock:
        how = _waiting.get(kind) if isinstance(kind, type) else None
        if how is not None and isinstance(kind, type):
            from dataclasses import dataclass

            dataclass(**how)(kind)
            del _waiting[kind]


if TYPE_CHECKING:
    from dataclasses import dataclass as deferred

    class Deferred:
        """What such a class is made from."""

else:

    class Deferred:
        """What such a class is made from: the two ways to a value, until the class has its own."""

        def __init__(self, *args: Any, **kwargs: Any) -> None:
            finish(type(self))
            type(self).__init__(self, *args, **kwargs)

        def __setstate__(self, state: dict[str, Any]) -> None:
            finish(type(self))
            self.__dict__.update(state)

    def deferred(**how: Any) -> Callable[[type[T]], type[T]]:
        """Marks a class as a dataclass to be; not for one that others are made from, nor one with slots.

        Args:
            how: What :func:`dataclasses.dataclass` is told.
        """

        def put_off(kind: type[T]) -> type[T]:
            _waiting[kind] = how
            return kind

        return put_off
