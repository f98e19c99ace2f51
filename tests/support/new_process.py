"""Makes a test behave as if it were in a new process that finds the same cache on disk."""

import pytest

from kaiser_logic import cache


def forget(monkeypatch: pytest.MonkeyPatch) -> None:
    """Writes what is to be cached, and forgets everything that was read from the cache."""
    cache.keep()
    monkeypatch.setattr(cache, "_stores", {})
