"""Buckets run on many positions at once.

These functions know no game: they run programs that are data. All of a batch's buckets lie one after the other in a few
arrays, and a table says where each begins (`PLACES`). Positions are rows of words; those of one bucket are loaded into
slots, `LANES` at a time (:mod:`.loading`).
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from .gates import AGAIN, AND, AND_NOT, KEEP, NOR
from .loading import fetch, load, load_found, output, tabulate, transpose
from .places import (
    ADDED,
    ADDED_END,
    BESIDE,
    BOXES,
    BOXES_END,
    CHANGED,
    CHANGED_END,
    DOING,
    EFFECTS,
    EFFECTS_END,
    GUARDS,
    INPUTS,
    INPUTS_END,
    LEGAL,
    LEGAL_END,
    MAY,
    MORE,
    OUTPUTS,
    TICKETS,
    TICKETS_END,
)
from .vectors import WORDS, both, cleared, either, first_only, kernel, lowest, neither

_SIX: Final = 6
_LAST: Final = 63
_ONE: Final = np.uint64(1)
_NONE: Final = np.uint64(0)
OVER: Final = -1
"""In place of a bucket, of a position in which nothing is pending."""
OTHER: Final = -2
"""In place of a bucket, of a position whose bucket has no circuit, or in which several are pending."""


@kernel
def run(gates: Any, first: int, end: int, values: Any) -> None:
    """Runs a program."""
    i: Any = first
    changed, rounds = False, 0
    while i < end:
        kind = gates[i, 0]
        to, a, b = np.intp(gates[i, 1]), np.intp(gates[i, 2]), np.intp(gates[i, 3])
        if kind == AND:
            both(values, to, a, b)
        elif kind == AND_NOT:
            first_only(values, to, a, b)
        elif kind == NOR:
            neither(values, to, a, b)
        elif kind == KEEP:
            for w in range(WORDS):
                changed = changed or values[to * WORDS + w] != values[a * WORDS + w]
                values[to * WORDS + w] = values[a * WORDS + w]
        elif kind == AGAIN:
            rounds = rounds + 1 if changed and rounds < b else 0
            changed = False
            if rounds:
                i -= a + 1
        else:
            either(values, to, a, b)
        i += 1


@kernel
def may(place: Any, data: Any, state: Any, lanes: Any, count: int, work: Any) -> None:
    """What is legal in some positions of a bucket.

    Args:
        place: The bucket's row of the table.
        data: All arrays of the buckets.
        state: The positions.
        lanes: Which of them.
        count: How many of these.
        work: Room to work; the second part is filled: for each lane the legal tickets, whether that is not known, and who
            can pick what.
    """
    values, table, rows = work
    gates, outputs, _, inputs = data[:4]
    load(inputs, place[INPUTS], place[INPUTS_END], state, lanes, count, rows, values)
    run(gates, place[LEGAL], place[LEGAL_END], values)
    tickets = place[TICKETS_END] - place[TICKETS]
    tabulate(outputs, place[MAY], tickets + 1 + place[MORE], values, rows, table)


@kernel
def load_beside(place: Any, lanes: Any, count: int, work: Any) -> None:
    """Puts what :func:`may` has found of positions into the slots after all inputs, for what is legal with structures.

    ``lanes``: which lanes of the table.
    """
    values, table, rows = work
    slot = place[INPUTS_END] - place[INPUTS] + place[DOING]
    first = place[TICKETS_END] - place[TICKETS] + 1 + place[MORE] - place[GUARDS] - place[BESIDE]
    load_found(table, first, place[BESIDE], lanes, count, slot, rows, values)


@kernel
def subject(place: Any, lane: int, work: Any, found: Any) -> None:
    """What actions that can hold a structure are subject to, of what :func:`may` has found, as a row of words.

    After these a one, for what is not known of structures.
    """
    table = work[1]
    first = place[TICKETS_END] - place[TICKETS] + 1 + place[MORE] - place[GUARDS]
    shift = np.uint64(first & _LAST)
    for word in range(len(found)):
        at = (first >> _SIX) + word
        found[word] = table[at, lane] >> shift
        if shift and at + 1 < len(table):
            found[word] |= table[at + 1, lane] << (np.uint64(64) - shift)
    found[place[GUARDS] >> _SIX] |= _ONE << np.uint64(place[GUARDS] & _LAST)


@kernel
def lay(place: Any, data: Any, picked: Any, count: int, values: Any) -> None:
    """Puts the sets that are named into a bucket's slots, and nothing else of what is done.

    ``picked``: for each of so many lanes and each box how many are in the set.
    """
    boxes = data[11]
    first = place[INPUTS_END] - place[INPUTS]
    for slot in range(first, first + place[DOING]):
        cleared(values, np.intp(slot), np.intp(slot), np.intp(slot))
    for i in range(place[BOXES_END] - place[BOXES]):
        base = first + boxes[place[BOXES] + i, 1] - 1
        for lane in range(count):
            if 0 < picked[lane, i] <= boxes[place[BOXES] + i, 0]:
                values[(base + picked[lane, i]) * WORDS + (lane >> _SIX)] |= _ONE << np.uint64(lane & _LAST)


@kernel
def change(
    place: Any,
    data: Any,
    state: Any,
    numbers: Any,
    least: Any,
    lanes: Any,
    count: int,
    done: Any,
    picked: Any,
    known: Any,
    work: Any,
) -> None:
    """Carries out what is done in some positions that are loaded.

    Args:
        place: The bucket's row of the table.
        data: All arrays of the buckets.
        state: The positions; changed.
        numbers: Their numbers beside the bits; changed.
        least: The least value of each number, and after them a value that all stay below.
        lanes: Which positions.
        count: How many of these.
        done: For each lane and role the number of the action, or -1.
        picked: For each lane and box how many are in the set that is named.
        known: For each lane whether to do so; set to False where the circuit does not know.
        work: Room to work.
    """
    values, _, rows = work
    gates, done_first, done_inputs = data[0], data[4], data[5]
    first = place[INPUTS_END] - place[INPUTS]
    lay(place, data, picked, count, values)
    for lane in range(count):
        for role in range(done.shape[1]):
            action = done[lane, role]
            if action >= 0:
                for i in range(done_first[action], done_first[action + 1]):
                    at = (first + done_inputs[i]) * WORDS + (lane >> _SIX)
                    values[at] |= _ONE << np.uint64(lane & _LAST)
    run(gates, place[EFFECTS], place[EFFECTS_END], values)
    _doubt(place, data, values, count, known)
    _add(place, data, values, numbers, least, lanes, count, known)
    _store(place, data, values, rows, state, lanes, count, known)
    _test(place, data, state, numbers, lanes, count)


@kernel
def _doubt(place: Any, data: Any, values: Any, count: int, known: Any) -> None:
    """Notes of which lanes the second program says that it does not know."""
    bits = place[CHANGED_END] - place[CHANGED]
    last = place[OUTPUTS] + bits + place[ADDED_END] - place[ADDED]
    for w in range(WORDS):
        strange = output(data[1], last, values, w)
        while strange:
            lane = w * 64 + lowest(strange)
            strange &= strange - _ONE
            if lane < count:
                known[lane] = False


@kernel
def _store(
    place: Any, data: Any, values: Any, rows: Any, state: Any, lanes: Any, count: int, known: Any
) -> None:
    """Writes the bits that change back to the positions."""
    outputs, changed = data[1], data[6]
    i = place[CHANGED]
    while i < place[CHANGED_END]:
        word = changed[i] >> _SIX
        mask = _NONE
        for k in range(64):
            cleared(rows, np.intp(k), np.intp(k), np.intp(k))
        while i < place[CHANGED_END] and changed[i] >> _SIX == word:
            bit = changed[i] & _LAST
            mask |= _ONE << np.uint64(bit)
            fetch(outputs, place[OUTPUTS] + i - place[CHANGED], values, rows, bit)
            i += 1
        transpose(rows)
        for lane in range(count):
            if known[lane]:
                at = np.uintp((lane & _LAST) * WORDS + (lane >> _SIX))
                to = np.uintp(lanes[lane])
                state[to, np.uintp(word)] = (state[to, np.uintp(word)] & ~mask) | rows[at]


@kernel
def _add(
    place: Any, data: Any, values: Any, numbers: Any, least: Any, lanes: Any, count: int, known: Any
) -> None:
    """Adds to the numbers beside the bits; where one would leave its range nothing is known."""
    outputs, added = data[1], data[7]
    first = place[OUTPUTS] + place[CHANGED_END] - place[CHANGED]
    beside = numbers.shape[1]
    for back in (False, True):
        for i in range(place[ADDED], place[ADDED_END]):
            for w in range(WORDS):
                bits = output(outputs, first + i - place[ADDED], values, w)
                while bits:
                    lane = w * 64 + lowest(bits)
                    bits &= bits - _ONE
                    if lane < count and (not back or not known[lane]):
                        numbers[lanes[lane], added[i, 0]] += -added[i, 1] if back else added[i, 1]
        if not back:
            wrong = False
            for lane in range(count):
                for k in range(beside):
                    number = numbers[lanes[lane], k]
                    if number < least[k] or number >= least[beside]:
                        known[lane] = False
                wrong = wrong or not known[lane]
            if not wrong:
                return


@kernel
def _test(place: Any, data: Any, state: Any, numbers: Any, lanes: Any, count: int) -> None:
    """Brings the bits up to date that follow from numbers beside them."""
    tests = data[13]
    if place[ADDED] == place[ADDED_END]:
        return
    for k in range(len(tests)):
        word, mask = tests[k, 2] >> _SIX, _ONE << np.uint64(tests[k, 2] & _LAST)
        for i in range(count):
            lane = lanes[i]
            if numbers[lane, tests[k, 0]] >= tests[k, 1]:
                state[lane, word] |= mask
            else:
                state[lane, word] &= ~mask


@kernel
def bucket_of(row: Any, control: int, bucket_of_bit: Any, pending: Any) -> Any:
    """The bucket of a position; OVER or OTHER where it has none."""
    for word in range(control):
        if row[word]:
            bucket = bucket_of_bit[word * 64 + lowest(row[word])]
            if bucket < 0:
                return OTHER
            for other in range(control):
                if row[other] & ~pending[bucket, other]:
                    return OTHER
            return bucket
    return OVER
