"""The stored circuits of a configured game: plain data in the cache, which are checked before use (:mod:`.circuit_store`)."""

from __future__ import annotations

from typing import Final

from ..cache import Store, store, tool
from ..engine.ruleset import Ruleset

KIND: Final = "circuits"
"""The kind of the entries in the cache."""
_COMPLETE: Final = ""
"""The entry that says that all circuits have been built. Those of transitions have the names of their keys."""


def circuit_cache(ruleset: Ruleset) -> Store | None:
    """The entries of the cache for these rules; None if nothing is stored."""
    return store(KIND, tool(), str(len(ruleset.book.rules)), ruleset.mark)


def are_complete(ruleset: Ruleset) -> bool:
    """Whether all circuits under these rules have been built and stored. Code that uses them still checks that they exist."""
    entries = circuit_cache(ruleset)
    return entries is not None and bool(entries.get(_COMPLETE))


def set_complete(ruleset: Ruleset) -> None:
    """Notes that all circuits under these rules have been built and stored."""
    entries = circuit_cache(ruleset)
    if entries is not None:
        entries.store(_COMPLETE, True)
