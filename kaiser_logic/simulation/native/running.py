"""What native rules call: rows added once, indexes, terms put together, values compared."""

from __future__ import annotations

from typing import Any

from ..vectors import kernel
from .places import (
    ARITY,
    BASE,
    BUFFER,
    COUNT,
    DATA,
    DONE,
    ERROR,
    FEW,
    FIRSTS,
    FREE,
    KNOWN,
    LARGEST,
    LIMIT,
    MADE,
    MASK,
    MOST_LISTS,
    NEXTS,
    OF,
    PARTS,
    PLACE,
    RANK,
    RECORD,
    RECORDS,
    RECORDS_END,
    ROOM,
    ROWS_BEFORE,
    SHAPE,
    SHAPED,
    SHAPES,
    SIZE,
    TABLE,
    TABLE_BITS,
    VERSION,
    WHOLE,
    WIDTH,
)

_WORD = 0xFFFFFFFF
_FACTOR = 0x9E3779B1


@kernel
def hashed(so_far: Any, word: Any) -> Any:
    """A hash with one more word; the same as native rules calculate."""
    found = ((so_far ^ (word & _WORD)) * _FACTOR) & _WORD
    return found ^ (found >> 15)


@kernel
def ready(words: Any, index: Any) -> None:
    """Sees to it that an index has all rows of its relation."""
    relation = words[index + OF]
    if words[index + MADE] != words[relation + VERSION]:
        words[index + MADE] = words[relation + VERSION]
        words[index + DONE] = 0
    count, done, width = words[relation + COUNT], words[index + DONE], words[relation + WIDTH]
    if done == count and done > 0 and count < 1 << words[index + SIZE]:
        return
    firsts, nexts, data, mask = (
        words[index + FIRSTS],
        words[index + NEXTS],
        words[relation + DATA],
        words[index + MASK],
    )
    if done == 0 or count < done or count >= 1 << words[index + SIZE]:
        size, rows = (
            5,
            max(count, words[relation + ROWS_BEFORE]),
        )  # so many as there were before may come again
        while (1 << size) < 2 * rows and (1 << size) < words[index + MOST_LISTS]:
            size += 1
        words[index + SIZE] = size
        for k in range(1 << size):
            words[firsts + k] = -1
        done = 0
    last = (1 << words[index + SIZE]) - 1
    for row in range(done, count):
        found = 0
        for place in range(width):
            if mask >> place & 1:
                found = hashed(found, words[data + row * width + place])
        if words[index + SHAPED] > 0:
            record = words[data + row * width + words[index + PLACE]] - BASE
            if record < 0 or words[record] != words[index + SHAPED]:
                continue
            for part in range(words[SHAPES + SHAPE * words[record] + ARITY]):
                if words[index + PARTS] >> part & 1:
                    found = hashed(found, words[record + RECORD + part])
        words[nexts + row] = words[firsts + (found & last)]
        words[firsts + (found & last)] = row
    words[index + DONE] = count


@kernel
def commit(words: Any, relation: Any) -> None:
    """Takes the row that was written behind the last one, unless it is there."""
    data, count, width = words[relation + DATA], words[relation + COUNT], words[relation + WIDTH]
    new = data + count * width
    index, head = words[relation + WHOLE], 0
    if count <= FEW:
        row = count - 1
    else:
        ready(words, index)
        found = 0
        for k in range(width):
            found = hashed(found, words[new + k])
        head = words[index + FIRSTS] + (found & ((1 << words[index + SIZE]) - 1))
        row = words[head]
    while row >= 0:
        place = data + row * width
        same = True
        for k in range(width):
            if words[place + k] != words[new + k]:
                same = False
                break
        if same:
            return
        row = row - 1 if count <= FEW else words[words[index + NEXTS] + row]
    if count >= words[relation + ROOM]:
        words[ERROR] = 1
        return
    if count > FEW:
        words[words[index + NEXTS] + count] = words[head]
        words[head] = count
        words[index + DONE] = count + 1
    words[relation + COUNT] = count + 1


@kernel
def _enlarged(words: Any) -> None:
    """Doubles the table of records."""
    words[TABLE_BITS] += 1
    last = (1 << words[TABLE_BITS]) - 1
    for slot in range(last + 1):
        words[TABLE + slot] = 0
    place = RECORDS + RECORD
    while place < words[FREE]:
        arity = words[SHAPES + SHAPE * words[place] + ARITY]
        found = hashed(0, words[place])
        for k in range(arity):
            found = hashed(found, words[place + RECORD + k])
        slot = found & last
        while words[TABLE + slot] != 0:
            slot = (slot + 1) & last
        words[TABLE + slot] = place
        place += RECORD + arity


@kernel
def intern(words: Any, arity: Any) -> Any:
    """The value whose shape and arguments lie in the buffer."""
    found = 0
    for k in range(arity + 1):
        found = hashed(found, words[BUFFER + k])
    last = (1 << words[TABLE_BITS]) - 1
    slot = found & last
    while words[TABLE + slot] != 0:
        place = words[TABLE + slot]
        same = words[place] == words[BUFFER]
        if same:
            for k in range(arity):
                if words[place + RECORD + k] != words[BUFFER + 1 + k]:
                    same = False
                    break
        if same:
            return BASE + place
        slot = (slot + 1) & last
    place = words[FREE]
    if place + RECORD + arity >= RECORDS_END or 2 * words[KNOWN] > 1 << LARGEST:
        words[ERROR] = 1
        return BASE + RECORDS
    for k in range(RECORD):
        words[place + k] = 0
    words[place] = words[BUFFER]
    for k in range(arity):
        words[place + RECORD + k] = words[BUFFER + 1 + k]
    words[FREE] = place + RECORD + arity
    words[KNOWN] += 1
    words[TABLE + slot] = place
    if 2 * words[KNOWN] > last and words[TABLE_BITS] < LARGEST:
        _enlarged(words)
    return BASE + place


@kernel
def order(words: Any, a: Any, b: Any) -> Any:
    """How values stand in clingo's order: below 0, 0 or above 0."""
    while a != b:
        if a < BASE and b < BASE:
            return -1 if a < b else 1
        if a < BASE:  # numbers come before all else, but for what is below everything: its rank is below 0
            return 1 if words[SHAPES + SHAPE * words[b - BASE] + RANK] < 0 else -1
        if b < BASE:
            return -1 if words[SHAPES + SHAPE * words[a - BASE] + RANK] < 0 else 1
        first, second = a - BASE, b - BASE
        mine, other = SHAPES + SHAPE * words[first], SHAPES + SHAPE * words[second]
        if mine != other:
            return -1 if words[mine + RANK] < words[other + RANK] else 1
        k = 0  # equal values are equal words: some part differs, and the first one that does decides
        while words[first + RECORD + k] == words[second + RECORD + k]:
            k += 1
        a, b = words[first + RECORD + k], words[second + RECORD + k]
    return 0


@kernel
def total(words: Any, relation: Any) -> Any:
    """The sum of the first places, but for those that are no numbers."""
    found = 0
    for row in range(words[relation + COUNT]):
        word = words[words[relation + DATA] + row * words[relation + WIDTH]]
        if word < BASE:
            found += word
    if abs(found) > LIMIT:
        words[ERROR] = 1
        return 0
    return found


@kernel
def best(words: Any, relation: Any, empty: Any, sign: Any) -> Any:
    """The least of the first places (sign 1), or the greatest (-1)."""
    found = empty
    for row in range(words[relation + COUNT]):
        word = words[words[relation + DATA] + row * words[relation + WIDTH]]
        if row == 0 or order(words, word, found) * sign < 0:
            found = word
    return found
