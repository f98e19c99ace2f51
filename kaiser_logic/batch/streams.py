"""Random numbers of many games at once: those of :mod:`.stream`, as arrays."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from .stream import mixed

_WORD: Final = 2**64 - 1
_STRIDE: Final = 0x9E3779B97F4A7C15


def _mixed_words(words: Any) -> Any:
    """As :func:`.stream.mixed`, of an array of words."""
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return words ^ (words >> np.uint64(31))


def first_states(seed: int, games: Any) -> Any:
    """As :func:`.stream.first_state`, of an array of games."""
    start = np.uint64(mixed((seed + _STRIDE) & _WORD))
    return _mixed_words(start + np.uint64(_STRIDE) * (games + 1).astype(np.uint64))


def below(states: Any, which: Any, numbers: Any) -> Any:
    """As :meth:`.stream.Stream.below`, of some of many streams, whose states go on.

    Args:
        states: The states of all streams.
        which: The places of those that are asked.
        numbers: For each of these the number that is not reached.
    """
    found = np.zeros(len(which), np.int64)
    wide = numbers.astype(np.uint64)
    waiting = np.flatnonzero(numbers > 1)
    while len(waiting):
        states[which[waiting]] += np.uint64(_STRIDE)
        product = (_mixed_words(states[which[waiting]]) >> np.uint64(32)) * wide[waiting]
        taken = (product & np.uint64(0xFFFFFFFF)) >= np.uint64(2**32) % wide[waiting]
        found[waiting[taken]] = (product[taken] >> np.uint64(32)).astype(np.int64)
        waiting = waiting[~taken]
    return found
