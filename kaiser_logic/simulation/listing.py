"""Legal actions listed, and moves judged, for many positions of one bucket."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from .kernels import bucket_of, change, lay, load_beside, may, run, subject
from .loading import load, output, tabulate
from .places import (
    ACTION,
    CHECKS,
    GUARDS,
    INPUTS,
    INPUTS_END,
    LEGAL,
    LEGAL_END,
    MAY,
    MORE,
    PICKERS,
    PICKERS_END,
    SETS,
    SETS_END,
    TICKETS,
    TICKETS_END,
)
from .vectors import LANES, kernel, lowest

_ONE: Final = np.uint64(1)


@kernel
def buckets_of(state: Any, bucket_of_bit: Any, pending: Any, found: Any) -> None:
    """The buckets of positions, into ``found``; OVER or OTHER where they have none."""
    for lane in range(len(state)):
        found[lane] = bucket_of(state[lane], pending.shape[1], bucket_of_bit, pending)


@kernel
def listed(
    place: Any,
    data: Any,
    is_first: Any,
    state: Any,
    lanes: Any,
    first: int,
    work: Any,
    counts: Any,
    known: Any,
    found: Any,
) -> Any:
    """The numbers of the legal actions of positions of one bucket, one position after the other.

    Args:
        place: The bucket's row of the table.
        data: All arrays of the buckets.
        is_first: For each ticket whether it is the first one of its action.
        state: The positions.
        lanes: Which of them.
        first: From which of these on.
        work: Room to work.
        counts: Filled: how many actions each has.
        known: Set to False where the circuit does not know.
        found: Filled with the numbers.

    Returns:
        Up to which of the lanes there was room, and how many numbers were found.
    """
    tickets, table = data[2], work[1]
    most = place[TICKETS_END] - place[TICKETS]
    filled = 0
    while first < len(lanes):
        count = min(LANES, len(lanes) - first)
        if filled + count * most > len(found):
            break
        may(place, data, state, lanes[first : first + count], count, work)
        for lane in range(count):
            if table[most >> 6, lane] >> np.uint64(most & 63) & _ONE:
                known[first + lane] = False
                continue
            before = filled
            for word in range((most + 63) >> 6):
                bits = table[word, lane]
                if word == most >> 6:
                    bits &= (_ONE << np.uint64(most & 63)) - _ONE
                while bits:
                    ticket = place[TICKETS] + word * 64 + lowest(bits)
                    bits &= bits - _ONE
                    if is_first[ticket]:
                        found[filled] = place[ACTION] + tickets[ticket]
                        filled += 1
            counts[first + lane] = filled - before
        first += count
    return first, filled


@kernel
def scattered(lanes: Any, counts: Any, found: Any, offsets: Any, numbers: Any) -> None:
    """Puts what was listed for some positions where it belongs."""
    at = 0
    for i in range(len(lanes)):
        to = offsets[lanes[i]]
        for k in range(counts[i]):
            numbers[to + k] = found[at + k]
        at += counts[i]


@kernel
def judged(
    place: Any,
    data: Any,
    ticket_of: Any,
    state: Any,
    lanes: Any,
    done: Any,
    picked: Any,
    work: Any,
    known: Any,
) -> None:
    """Sets ``known`` to False for positions, at most `LANES`, in which what is done is not known to be legal.

    Args:
        place: The bucket's row of the table.
        data: All arrays of the buckets.
        ticket_of: For each action its first ticket.
        state: The positions.
        lanes: Which of them.
        done: For each of these and each role the number of its action, or -1.
        picked: For each of these and each box how many are in the set that is named.
        work: Room to work.
        known: For each of these.
    """
    values = work[0]
    gates, outputs, shapes = data[0], data[1], data[9]
    tickets, count = place[TICKETS_END] - place[TICKETS], len(lanes)
    load(data[3], place[INPUTS], place[INPUTS_END], state, lanes, count, work[2], values)
    run(gates, place[LEGAL], place[LEGAL_END], values)
    for lane in range(count):
        if not _is(outputs, place[MAY] + tickets, values, lane):
            for role in range(done.shape[1]):
                if done[lane, role] >= 0:
                    ticket = ticket_of[done[lane, role]]
                    if shapes[place[TICKETS] + ticket] < 0:
                        known[lane] &= _is(outputs, place[MAY] + ticket, values, lane)
        else:
            known[lane] = False
    if place[PICKERS] < place[PICKERS_END]:
        _judge_sets(place, data, ticket_of, done, picked, count, work, known)


@kernel
def _judge_sets(
    place: Any, data: Any, ticket_of: Any, done: Any, picked: Any, count: int, work: Any, known: Any
) -> None:
    """The same of those that name sets or structures, where the first program has been run."""
    values, table, rows = work
    outputs, shapes, checks = data[1], data[9], place[CHECKS]
    if place[GUARDS]:
        most = place[TICKETS_END] - place[TICKETS] + 1 + place[MORE]
        tabulate(outputs, place[MAY], most, values, rows, table)
    lay(place, data, picked, count, values)
    if place[GUARDS]:
        load_beside(place, np.arange(count), count, work)
    run(data[0], place[SETS], place[SETS_END], values)
    shaped = 0
    for ticket in range(place[TICKETS], place[TICKETS_END]):
        shaped += shapes[ticket] >= 0
    guards = np.zeros((shaped >> 6) + 1, np.uint64)
    for lane in range(count):
        if place[GUARDS]:
            subject(place, lane, work, guards)
        for role in range(done.shape[1]):
            if done[lane, role] >= 0:
                shape = shapes[place[TICKETS] + ticket_of[done[lane, role]]]
                if shape >= 0:
                    known[lane] &= _is(outputs, checks + shape, values, lane)
                    if place[GUARDS]:
                        known[lane] &= guards[shape >> 6] >> np.uint64(shape & 63) & _ONE == _ONE
                    known[lane] &= not _is(outputs, checks + shaped, values, lane)


@kernel
def _is(outputs: Any, index: int, values: Any, lane: int) -> Any:
    """Whether an output is true in a lane."""
    return (output(outputs, index, values, lane >> 6) >> np.uint64(lane & 63) & _ONE) == _ONE


@kernel
def carried_out(
    place: Any,
    data: Any,
    ticket_of: Any,
    state: Any,
    numbers: Any,
    least: Any,
    lanes: Any,
    done: Any,
    picked: Any,
    sure: bool,
    work: Any,
    known: Any,
) -> None:
    """Carries out what is done in positions of one bucket; ``known`` becomes False where that cannot be.

    The arguments are as those of :func:`judged` and :func:`.kernels.change`; ``sure``: what is done is legal.
    """
    for first in range(0, len(lanes), LANES):
        end = min(first + LANES, len(lanes))
        here, its, sets, fine = lanes[first:end], done[first:end], picked[first:end], known[first:end]
        if place[TICKETS] < place[TICKETS_END] and not sure:
            judged(place, data, ticket_of, state, here, its, sets, work, fine)
        else:
            load(data[3], place[INPUTS], place[INPUTS_END], state, here, len(here), work[2], work[0])
        change(place, data, state, numbers, least, here, len(here), its, sets, fine, work)
