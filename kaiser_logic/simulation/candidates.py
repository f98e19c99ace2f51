"""Sets that actions name, chosen at random: all that somebody can pick are looked at, hundreds at a time.

Each set is a lane of its own beside that of its position. As they are looked at in the order of their texts, what is
chosen is what the engine for one position chooses, which has all legal actions in that order.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from .choosing import below
from .kernels import lay, run
from .loading import load, output
from .places import (
    ACTION,
    BOXES,
    BOXES_END,
    CHECKS,
    INPUTS,
    INPUTS_END,
    MOST,
    OPTIONS,
    OPTIONS_END,
    PICKERS,
    PICKERS_END,
    SETS,
    SETS_END,
    TICKETS,
    TICKETS_END,
)
from .vectors import LANES, kernel, lowest

_ROOM: Final = 1 << 16
"""So many sets are looked at before some are chosen; more only if one lane alone has more."""
_ONE: Final = np.uint64(1)


@kernel
def _bit(table: Any, lane: int, index: int) -> Any:
    """Whether an output is true in a lane."""
    return table[index >> 6, lane] >> np.uint64(index & 63) & _ONE


@kernel
def _most(place: Any, data: Any, table: Any, lane: int, picker: int, copies: Any) -> Any:
    """How many of each thing somebody can pick, into ``copies``; how many sets that are, or more than all that may be."""
    pickers, boxes = data[10], data[11]
    first = place[TICKETS_END] - place[TICKETS] + 1
    sets = 1
    for i in range(len(copies)):
        box = boxes[place[BOXES] + pickers[picker, 2] + i]
        copies[i] = 0
        for n in range(box[0]):
            if _bit(table, lane, first + box[2] + n):
                copies[i] = n + 1
        if sets <= place[MOST]:
            sets *= copies[i] + 1
    return sets


@kernel
def _listed(place: Any, options: Any, copies: Any, sets: Any) -> None:
    """The sets of no more copies than these, in the order of their texts, a row each."""
    first, end = place[OPTIONS], place[OPTIONS_END]
    things = len(copies)
    taken, at = np.zeros(things + 1, np.int64), np.zeros(things + 1, np.int64)
    now = np.zeros(things, np.int32)
    depth, filled = 0, 1
    sets[0, :] = 0
    at[0] = first
    while filled < len(sets):
        after = options[taken[depth - 1], 0] if depth else -1
        k = at[depth]
        while k < end and (options[k, 0] <= after or options[k, 1] > copies[options[k, 0]]):
            k += 1
        if k < end:
            taken[depth] = k
            now[options[k, 0]] = options[k, 1]
            sets[filled, :] = now
            filled += 1
            depth += 1
            at[depth] = first
        elif depth:
            depth -= 1
            now[options[taken[depth], 0]] = 0
            at[depth] = taken[depth] + 1
        else:
            return


@kernel
def _looked_at(
    place: Any, data: Any, state: Any, owners: Any, sets: Any, box: int, shapes: Any, legal: Any, work: Any
) -> None:
    """Which sets are legal.

    Args:
        place: The bucket's row of the table.
        data: All arrays of the buckets.
        state: The positions.
        owners: For each set its position.
        sets: The sets.
        box: The first box of the role that names them.
        shapes: The outputs that are asked for, that for "unknown" the last.
        legal: Filled: for each set and output whether it is true.
        work: Room to work.
    """
    values, _, rows = work
    gates, outputs, inputs = data[0], data[1], data[3]
    picked = np.zeros((LANES, place[BOXES_END] - place[BOXES]), np.int32)
    for first in range(0, len(sets), LANES):
        count = min(LANES, len(sets) - first)
        load(
            inputs,
            place[INPUTS],
            place[INPUTS_END],
            state,
            owners[first : first + count],
            count,
            rows,
            values,
        )
        for i in range(sets.shape[1]):
            picked[:count, box + i] = sets[first : first + count, i]
        lay(place, data, picked, count, values)
        run(gates, place[SETS], place[SETS_END], values)
        for k in range(len(shapes)):
            for w in range((count + 63) >> 6):
                bits = output(outputs, place[CHECKS] + shapes[k], values, w)
                while bits:
                    lane = w * 64 + lowest(bits)
                    bits &= bits - _ONE
                    if lane < count:
                        legal[first + lane, k] = 1


@kernel
def _taken(
    place: Any, data: Any, table: Any, lane: int, roles: Any, legal: Any, wanted: int
) -> tuple[Any, Any, Any]:
    """How many actions somebody has; of the one of a wanted number, below 0 for none, its ticket and the place of its set."""
    shapes = data[9]
    seen, shape = 0, 0
    for ticket in range(roles[1], roles[2]):
        if shapes[place[TICKETS] + ticket] < 0:
            if _bit(table, lane, ticket):
                if seen == wanted:
                    return seen, ticket, -1
                seen += 1
            continue
        for k in range(len(legal)):
            if legal[k, shape]:
                if seen == wanted:
                    return seen, ticket, k
                seen += 1
        shape += 1
    return seen, -1, -1


@kernel
def _shapes(place: Any, shapes: Any) -> Any:
    """How many actions of a bucket name a set."""
    found = 0
    for ticket in range(place[TICKETS], place[TICKETS_END]):
        found += shapes[ticket] >= 0
    return found


@kernel
def picker_of(place: Any, data: Any, role: int) -> Any:
    """The row of who may name a set, by the place of the role; -1 where that one may not."""
    for picker in range(place[PICKERS], place[PICKERS_END]):
        if data[10][picker, 0] == role:
            return picker
    return -1


@kernel
def choose_set(
    place: Any, data: Any, role: int, picker: int, state: Any, lanes: Any, count: int, random: Any, known: Any,
    done: Any, picked: Any, work: Any,
) -> None:  # fmt: skip
    """A random action of somebody who may name a set, with the set.

    Args:
        place: The bucket's row of the table.
        data: All arrays of the buckets.
        role: The row of the role's tickets.
        picker: Its row among those who may name a set.
        state: The positions.
        lanes: Which of them; what is legal there is in the table of ``work``.
        count: How many of these.
        random: The random numbers.
        known: For each lane whether all is known of it; set to False where not.
        done: Filled: for each lane and role the action's number.
        picked: Filled: for each lane and box how many are in the set.
        work: Room to work.
    """
    tickets, roles, shapes, pickers, options = data[2], data[8], data[9], data[10], data[12]
    table = work[1]
    box = pickers[picker, 2]
    copies = np.zeros((count, pickers[picker, 3] - box), np.int32)
    asked = [shapes[place[TICKETS] + t] for t in range(roles[role, 1], roles[role, 2])]
    outputs = np.array([x for x in asked if x >= 0] + [_shapes(place, shapes)], np.int64)
    starts = np.zeros(count + 1, np.int64)
    begin = 0
    while begin < count:
        end, total = begin, 0
        while end < count and (end == begin or total < _ROOM):
            sets = _most(place, data, table, end, picker, copies[end]) if known[end] else 0
            if sets > place[MOST]:
                known[end] = False
                sets = 0
            starts[end] = total
            total += sets
            end += 1
        starts[end] = total
        rows = np.zeros((total, copies.shape[1]), np.int32)
        owners = np.zeros(total, np.int64)
        for lane in range(begin, end):
            if starts[lane] < starts[lane + 1]:
                _listed(place, options, copies[lane], rows[starts[lane] : starts[lane + 1]])
                owners[starts[lane] : starts[lane + 1]] = lanes[lane]
        legal = np.zeros((total, len(outputs)), np.uint8)
        _looked_at(place, data, state, owners, rows, box, outputs, legal, work)
        for lane in range(begin, end):
            its = legal[starts[lane] : starts[lane + 1]]
            if not known[lane] or its[:, len(outputs) - 1].any():
                known[lane] = False
                continue
            number = _taken(place, data, table, lane, roles[role], its, -1)[0]
            if not number:
                decides = place[TICKETS_END] - place[TICKETS] + 1 + pickers[picker, 1]
                known[lane] = not _bit(table, lane, decides)
                continue
            wanted = np.int64(below(random, lanes[lane], number))
            _, ticket, one = _taken(place, data, table, lane, roles[role], its, wanted)
            done[lane, roles[role, 0]] = place[ACTION] + tickets[place[TICKETS] + ticket]
            if one >= 0:
                for i in range(copies.shape[1]):
                    picked[lane, box + i] = rows[starts[lane] + one, i]
        begin = end
