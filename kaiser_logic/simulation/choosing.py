"""Random numbers and what they choose, for many positions at once: as :mod:`.stream` does it for one."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from .vectors import LANES, kernel, lowest, ones

_SIX: Final = 6
_LAST: Final = 63
_STRIDE: Final = np.uint64(0x9E3779B97F4A7C15)
_MIX_1: Final = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2: Final = np.uint64(0x94D049BB133111EB)
_ALL: Final = np.uint64(0xFFFFFFFFFFFFFFFF)
_ONE: Final = np.uint64(1)
_NONE: Final = np.uint64(0)


@kernel
def _mixed(word: Any) -> Any:
    word = (word ^ (word >> np.uint64(30))) * _MIX_1
    word = (word ^ (word >> np.uint64(27))) * _MIX_2
    return word ^ (word >> np.uint64(31))


@kernel
def first_state(seed: Any, game: int) -> Any:
    """As :func:`.stream.first_state`."""
    return _mixed(_mixed(np.uint64(seed) + _STRIDE) + _STRIDE * np.uint64(game + 1))


@kernel
def below(random: Any, lane: int, number: Any) -> Any:
    """As :meth:`.stream.Stream.below`, of the stream of a lane."""
    if number <= 1:
        return _NONE
    wide = np.uint64(number)
    refused = (_ONE << np.uint64(32)) % wide
    while True:
        random[lane] += _STRIDE
        product = (_mixed(random[lane]) >> np.uint64(32)) * wide
        if product & np.uint64(0xFFFFFFFF) >= refused:
            return product >> np.uint64(32)


@kernel
def mask_of(word: int, first: int, end: int) -> Any:
    """The bits of a word that lie from ``first`` to before ``end``."""
    mask = _ALL
    if word == first >> _SIX:
        mask &= _ALL << np.uint64(first & _LAST)
    if word == (end - 1) >> _SIX and end & _LAST:
        mask &= (_ONE << np.uint64(end & _LAST)) - _ONE
    return mask


@kernel
def counted(table: Any, first: int, end: int, counts: Any) -> None:
    """How many ones each lane's row has from ``first`` to before ``end``, into ``counts``."""
    counts[:] = 0
    for word in range(first >> _SIX, ((end - 1) >> _SIX) + 1):
        mask, row = mask_of(word, first, end), table[word]
        for lane in range(LANES):
            counts[lane] += np.int64(ones(row[lane] & mask))


@kernel
def chosen(table: Any, first: int, end: int, wanted: Any, found: Any) -> None:
    """The place of the one of a wanted number among the ones of each lane's row, into ``found``.

    Args:
        table: The rows, ``table[word, lane]``.
        first: From which place on.
        end: Before which place.
        wanted: The numbers, from 0; below 0 where none is wanted. Changed.
        found: Filled; -1 where none is wanted.
    """
    words = np.full(LANES, -1, np.int64)
    ranks = np.zeros(LANES, np.int64)
    for word in range(first >> _SIX, ((end - 1) >> _SIX) + 1):
        mask, row = mask_of(word, first, end), table[word]
        for lane in range(LANES):
            left = wanted[lane]
            rest = left - np.int64(ones(row[lane] & mask))
            here = (left >= 0) & (rest < 0)
            words[lane] = word if here else words[lane]
            ranks[lane] = left if here else ranks[lane]
            wanted[lane] = rest
    for lane in range(LANES):
        found[lane] = -1
        if words[lane] >= 0:
            bits = table[words[lane], lane] & mask_of(words[lane], first, end)
            for _ in range(ranks[lane]):
                bits &= bits - _ONE
            found[lane] = words[lane] * 64 + lowest(bits)
