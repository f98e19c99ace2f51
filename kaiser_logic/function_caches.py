"""Caches of what rules mean, which are emptied when a rulebook has changed: a server's memory does not grow with edits."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Final, TypeVar

if TYPE_CHECKING:
    from functools import _lru_cache_wrapper

T = TypeVar("T")

_forgetting: Final[list[Callable[[], None]]] = []


def on_change(forget: Callable[[], None]) -> None:
    """Registers a function, such as ``cache_clear``, to be called when a rulebook has changed."""
    _forgetting.append(forget)


def cache_until_change(limit: int | None, typed: bool = False) -> Callable[[Callable[..., T]], _lru_cache_wrapper[T]]:
    """A decorator like `functools.lru_cache`, whose cache is emptied when a rulebook has changed."""

    def decorate(function: Callable[..., T]) -> _lru_cache_wrapper[T]:
        cached = lru_cache(limit, typed)(function)
        on_change(cached.cache_clear)
        return cached

    return decorate


def forget_all() -> None:
    """Empties all these caches."""
    for forget in _forgetting:
        forget()
