"""Positions put into slots, and outputs into rows: `LANES` at a time, transposed so that a slot is one bit of each."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from .vectors import LANES, WORDS, kernel, swap1, swap2, swap4, swap8, swap16, swap32

_SIX: Final = 6
_LAST: Final = 63
_NONE: Final = np.uint64(0)


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
        word = inputs[i] >> _SIX
        for lane in range(LANES):
            place = (lane & _LAST) * WORDS + (lane >> _SIX)
            rows[place] = state[lanes[lane], word] if lane < count else _NONE
        transpose(rows)
        while i < end and inputs[i] >> _SIX == word:
            from_ = np.intp(inputs[i] & _LAST)
            base = np.intp(i - first) * WORDS
            for w in range(WORDS):
                values[base + w] = rows[from_ * WORDS + w]
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
        for lane in range(LANES):
            bits = _NONE
            if lane < count:
                bits = table[word, lanes[lane]] >> shift
                if shift:
                    bits |= table[word + 1, lanes[lane]] << (np.uint64(64) - shift)
            rows[(lane & _LAST) * WORDS + (lane >> _SIX)] = bits
        transpose(rows)
        for k in range(min(64, number - base)):
            for w in range(WORDS):
                values[(slot + base + k) * WORDS + w] = rows[k * WORDS + w]


@kernel
def output(outputs: Any, index: int, values: Any, w: int) -> Any:
    """A word of an output."""
    slot = outputs[index, 0]
    word = values[slot * WORDS + w] if slot >= 0 else _NONE
    return ~word if outputs[index, 1] else word


@kernel
def tabulate(outputs: Any, first: int, count: int, values: Any, rows: Any, table: Any) -> None:
    """Some outputs as rows of words, one a lane; ``table[word, lane]``."""
    for word in range((count + 63) >> _SIX):
        for k in range(64):
            index = word * 64 + k
            for w in range(WORDS):
                rows[k * WORDS + w] = output(outputs, first + index, values, w) if index < count else _NONE
        transpose(rows)
        for lane in range(LANES):
            table[word, lane] = rows[(lane & _LAST) * WORDS + (lane >> _SIX)]
