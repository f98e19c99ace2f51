"""Actions with structures, chosen at random: the structures that come into question are looked at, hundreds at a time.

Each structure is a lane of its own beside that of its position, in which all actions that can hold it are looked at
together. What is chosen is what the engine for one position chooses, which has all legal actions in the order of their
texts: actions that differ in what follows the structure only are ordered by the structure first.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from .choosing import below, mask_of
from .kernels import lay, load_beside, run, subject
from .loading import tabulate
from .places import (
    ACTION,
    BLOCKS,
    BLOCKS_END,
    BOXES,
    BOXES_END,
    CHECKS,
    MOST,
    ROWS,
    ROWS_END,
    SETS,
    SETS_END,
    TICKETS,
    TICKETS_END,
)
from .vectors import LANES, kernel, lowest, ones

_ROOM: Final = 1 << 15
"""So many structures are looked at before some are chosen; more only if one lane alone has more."""
_SIX: Final = 6
_LAST: Final = 63
_ONE: Final = np.uint64(1)
PARTS: Final = 14
"""Where the numbers of the parts lie among the arrays of the buckets."""
BLOCK: Final = 15
"""Where the blocks lie among them."""


@kernel
def _gathered(table: Any, lane: int, first: int, end: int, found: Any, at: int) -> Any:
    """The places of the ones in a lane's row, from ``first`` to before ``end`` and counted from there, from ``at`` on."""
    for word in range(first >> _SIX, ((end - 1) >> _SIX) + 1):
        bits = table[word, lane] & mask_of(word, first, end)
        while bits:
            found[at] = word * 64 + lowest(bits) - first
            bits &= bits - _ONE
            at += 1
    return at


@kernel
def _place(word_bits: Any, wanted: Any) -> Any:
    """The place of the one of this number, from 0, in a word."""
    for _ in range(wanted):
        word_bits &= word_bits - _ONE
    return lowest(word_bits)


@kernel
def _looked_at(
    place: Any,
    data: Any,
    owners: Any,
    structures: Any,
    total: int,
    shapes: int,
    guards: Any,
    legal: Any,
    work: Any,
) -> None:
    """Which actions are legal with which structures.

    Args:
        place: The bucket's row of the table.
        data: All arrays of the buckets.
        owners: For each structure its lane in the table of ``work``.
        structures: The structures.
        total: How many of them.
        shapes: How many actions can hold one.
        guards: For each lane what these are subject to.
        legal: Filled: for each structure a row, of these actions and of whether that is not known.
        work: Room to work.
    """
    values, _, rows = work
    gates, outputs, parts = data[0], data[1], data[PARTS]
    boxes = place[BOXES_END] - place[BOXES]
    picked = np.zeros((LANES, boxes), np.int32)
    table = np.zeros((legal.shape[1] + 1, LANES), np.uint64)
    for first in range(0, total, LANES):
        count = min(LANES, total - first)
        load_beside(place, owners[first : first + count], count, work)
        for lane in range(count):
            base = place[ROWS] + structures[first + lane] * boxes
            for i in range(boxes):
                picked[lane, i] = parts[base + i]
        lay(place, data, picked, count, values)
        run(gates, place[SETS], place[SETS_END], values)
        tabulate(outputs, place[CHECKS], shapes + 1, values, rows, table)
        for word in range(legal.shape[1]):
            for lane in range(count):
                legal[first + lane, word] = table[word, lane] & guards[owners[first + lane], word]


@kernel
def _counted(legal: Any, first: int, end: int, block_of: Any, counts: Any) -> Any:
    """How many actions are legal with some structures, and into ``counts`` how many of each block."""
    counts[:] = 0
    found = 0
    last = len(block_of)
    for k in range(first, end):
        for word in range(((last - 1) >> _SIX) + 1):
            bits = legal[k, word]
            if word == last >> _SIX:
                bits &= (_ONE << np.uint64(last & _LAST)) - _ONE
            while bits:
                counts[block_of[word * 64 + lowest(bits)]] += 1
                found += 1
                bits &= bits - _ONE
    return found


@kernel
def _plain(table: Any, lane: int, first: int, end: int) -> Any:
    """How many ones a lane's row has from ``first`` to before ``end``."""
    found: Any = 0
    if first < end:
        for word in range(first >> _SIX, ((end - 1) >> _SIX) + 1):
            found += np.int64(ones(table[word, lane] & mask_of(word, first, end)))
    return found


@kernel
def _taken(
    place: Any, data: Any, table: Any, lane: int, legal: Any, first: int, end: int, counts: Any, wanted: Any
) -> tuple[Any, Any]:
    """The ticket of the action of a wanted number, and its structure; -1 where it has none.

    Args:
        place: The bucket's row of the table.
        data: All arrays of the buckets.
        table: What is legal of the actions without a structure.
        lane: In which lane.
        legal: What is legal with each of the structures.
        first: The first of these.
        end: The one after the last.
        counts: How many of these are in each block.
        wanted: The number, from 0.
    """
    blocks = data[BLOCK]
    at, shape = 0, 0
    for b in range(place[BLOCKS], place[BLOCKS_END]):
        number = _plain(table, lane, at, blocks[b, 0])
        if wanted < number:
            break
        wanted -= number
        at = blocks[b, 1]
        last = shape + blocks[b, 1] - blocks[b, 0]
        number = counts[b - place[BLOCKS]]
        if wanted >= number:
            wanted -= number
            shape = last
            continue
        for k in range(first, end):
            for word in range(shape >> _SIX, ((last - 1) >> _SIX) + 1):
                bits = legal[k, word] & mask_of(word, shape, last)
                number = np.int64(ones(bits))
                if wanted < number:
                    return blocks[b, 0] + word * 64 + _place(bits, wanted) - shape, k
                wanted -= number
    most = place[TICKETS_END] - place[TICKETS]
    for word in range(at >> _SIX, ((most - 1) >> _SIX) + 1):
        bits = table[word, lane] & mask_of(word, at, most)
        number = np.int64(ones(bits))
        if wanted < number:
            return word * 64 + _place(bits, wanted), -1
        wanted -= number
    return -1, -1


@kernel
def _blocks(place: Any, data: Any) -> Any:
    """For each action that can hold a structure the number of its block."""
    blocks = data[BLOCK]
    shapes = 0
    for b in range(place[BLOCKS], place[BLOCKS_END]):
        shapes += blocks[b, 1] - blocks[b, 0]
    found = np.zeros(shapes, np.int64)
    at = 0
    for b in range(place[BLOCKS], place[BLOCKS_END]):
        for _ in range(blocks[b, 0], blocks[b, 1]):
            found[at] = b - place[BLOCKS]
            at += 1
    return found


@kernel
def _asked_for(
    place: Any, table: Any, begin: int, count: int, known: Any, found: Any, owners: Any, starts: Any
) -> tuple[Any, Any]:
    """Which structures come into question, lane by lane, as long as there is room; up to which lane, and how many.

    Args:
        place: The bucket's row of the table.
        table: What is known of the positions.
        begin: The first lane.
        count: How many lanes there are.
        known: Set to False where there are too many.
        found: Filled: the structures.
        owners: Filled: for each its lane.
        starts: Filled: for each lane where its structures begin.
    """
    first = place[TICKETS_END] - place[TICKETS] + 2
    structures = (place[ROWS_END] - place[ROWS]) // (place[BOXES_END] - place[BOXES])
    end, total = begin, 0
    while end < count and total < _ROOM:
        before = total
        starts[end] = total
        if known[end]:
            total = _gathered(table, end, first, first + structures, found, total)
        if total - before > place[MOST]:
            known[end] = False
            total = before
        for k in range(before, total):
            owners[k] = end
        end += 1
    starts[end] = total
    return end, total


@kernel
def _unknown(legal: Any, first: int, end: int, shapes: int) -> Any:
    """Whether it is not known of some structures what is legal with them."""
    bits = np.uint64(0)
    for k in range(first, end):
        bits |= legal[k, shapes >> _SIX] >> np.uint64(shapes & _LAST)
    return bits & _ONE != np.uint64(0)


@kernel
def choose_structure(
    place: Any, data: Any, role: int, lanes: Any, count: int, random: Any, known: Any, done: Any,
    picked: Any, work: Any,
) -> None:  # fmt: skip
    """A random action of somebody whose actions may hold a structure, with the structure.

    Args:
        place: The bucket's row of the table.
        data: All arrays of the buckets.
        role: The row of the role's tickets.
        lanes: The positions; what is legal there is in the table of ``work``.
        count: How many of these.
        random: The random numbers.
        known: For each lane whether all is known of it; set to False where not.
        done: Filled: for each lane and role the action's number.
        picked: Filled: for each lane and box the number of the value.
        work: Room to work.
    """
    tickets, roles, table = data[2], data[8], work[1]
    boxes = place[BOXES_END] - place[BOXES]
    most = place[TICKETS_END] - place[TICKETS]
    block_of = _blocks(place, data)
    shapes = len(block_of)
    counts = np.zeros(place[BLOCKS_END] - place[BLOCKS], np.int64)
    room = _ROOM + (place[ROWS_END] - place[ROWS]) // boxes
    found, owners = np.empty(room, np.int64), np.empty(room, np.int64)
    legal = np.empty((room, (shapes >> _SIX) + 1), np.uint64)
    starts = np.zeros(count + 1, np.int64)
    guards = np.empty((count, legal.shape[1]), np.uint64)
    for lane in range(count):
        subject(place, lane, work, guards[lane])
    begin = 0
    while begin < count:
        end, total = _asked_for(place, table, begin, count, known, found, owners, starts)
        _looked_at(place, data, owners, found, total, shapes, guards, legal, work)
        for lane in range(begin, end):
            known[lane] = known[lane] and not _unknown(legal, starts[lane], starts[lane + 1], shapes)
            if not known[lane]:
                continue
            number = _counted(legal, starts[lane], starts[lane + 1], block_of, counts)
            number += _plain(table, lane, 0, most)
            if not number:
                known[lane] = False
                continue
            wanted = np.int64(below(random, lanes[lane], number))
            ticket, one = _taken(
                place, data, table, lane, legal, starts[lane], starts[lane + 1], counts, wanted
            )
            done[lane, roles[role, 0]] = place[ACTION] + tickets[place[TICKETS] + ticket]
            if one >= 0:
                base = place[ROWS] + found[one] * boxes
                for i in range(boxes):
                    picked[lane, i] = data[PARTS][base + i]
        begin = end
