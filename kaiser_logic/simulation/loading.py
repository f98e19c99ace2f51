"""Positions put into slots, and outputs into rows: `LANES` at a time, transposed so that a slot is one bit of each."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from .vectors import LANES, WORDS, cleared, kernel, moved, swap1, swap2, swap4, swap8, swap16, swap32

_SIX: Final = 6
_LAST: Final = 63
_NONE: Final = np.uint64(0)
_ALL: Final = np.uint64(0xFFFFFFFFFFFFFFFF)


@kernel
def transpose(rows: Any) -> None:
    """Lets bit j of row i and bit i of row j change places, in each of the columns."""
    for k in range(32):
        swap32(rows, np.intp(k), np.intp(k + 32))
    for k in range(64):
        if not k & 16:
            swap16(rows, np.intp(k), np.intp(k + 16))
    for k in range(64):
        if not k & 8:
            swap8(rows, np.intp(k), np.intp(k + 8))
    for k in range(64):
        if not k & 4:
            swap4(rows, np.intp(k), np.intp(k + 4))
    for k in range(64):
        if not k & 2:
            swap2(rows, np.intp(k), np.intp(k + 2))
    for k in range(0, 64, 2):
        swap1(rows, np.intp(k), np.intp(k + 1))


@kernel
def load(
    inputs: Any, first: int, end: int, state: Any, lanes: Any, count: int, rows: Any, values: Any
) -> None:
    """Puts the bits that a bucket reads into its slots."""
    i = first
    while i < end:
        word = np.uintp(inputs[i] >> _SIX)
        for lane in range(count):
            rows[np.uintp((lane & _LAST) * WORDS + (lane >> _SIX))] = state[np.uintp(lanes[lane]), word]
        for lane in range(count, LANES):
            rows[np.uintp((lane & _LAST) * WORDS + (lane >> _SIX))] = _NONE
        transpose(rows)
        while i < end and inputs[i] >> _SIX == word:
            moved(values, np.intp(i - first), rows, np.intp(inputs[i] & _LAST), np.intp(0))
            i += 1


@kernel
def load_found(
    table: Any, first: int, number: int, lanes: Any, count: int, slot: int, rows: Any, values: Any
) -> None:
    """Puts bits of a table, as :func:`tabulate` fills it, into slots.

    Args:
        table: The table.
        first: The first of the bits.
        number: How many.
        lanes: Which of the table's lanes.
        count: How many of these.
        slot: The slot of the first bit.
        rows: Room to work.
        values: The slots.
    """
    for base in range(0, number, 64):
        word, shift = (first + base) >> _SIX, np.uint64((first + base) & _LAST)
        here, there = table[word], table[word + 1 if shift else word]
        back = (np.uint64(64) - shift) & np.uint64(_LAST)
        kept = _ALL if shift else _NONE
        for lane in range(count):
            at = np.uintp(lanes[lane])
            bits = (here[at] >> shift) | (there[at] << back & kept)
            rows[np.uintp((lane & _LAST) * WORDS + (lane >> _SIX))] = bits
        for lane in range(count, LANES):
            rows[np.uintp((lane & _LAST) * WORDS + (lane >> _SIX))] = _NONE
        transpose(rows)
        for k in range(min(64, number - base)):
            moved(values, np.intp(slot + base + k), rows, np.intp(k), np.intp(0))


@kernel
def output(outputs: Any, index: int, values: Any, w: int) -> Any:
    """A word of an output."""
    slot = outputs[index, 0]
    word = values[slot * WORDS + w] if slot >= 0 else _NONE
    return ~word if outputs[index, 1] else word


@kernel
def fetch(outputs: Any, index: int, values: Any, rows: Any, k: int) -> None:
    """An output into a row."""
    slot, turned = np.intp(outputs[index, 0]), np.intp(outputs[index, 1])
    if slot >= 0:
        moved(rows, np.intp(k), values, slot, turned)
    else:
        cleared(rows, np.intp(k), np.intp(k), np.intp(k))
        moved(rows, np.intp(k), rows, np.intp(k), turned)


@kernel
def tabulate(outputs: Any, first: int, count: int, values: Any, rows: Any, table: Any) -> None:
    """Some outputs as rows of words, one a lane; ``table[word, lane]``."""
    for word in range((count + 63) >> _SIX):
        for k in range(64):
            if word * 64 + k < count:
                fetch(outputs, first + word * 64 + k, values, rows, k)
            else:
                cleared(rows, np.intp(k), np.intp(k), np.intp(k))
        transpose(rows)
        here = table[word]
        for lane in range(LANES):
            here[np.uintp(lane)] = rows[np.uintp((lane & _LAST) * WORDS + (lane >> _SIX))]
