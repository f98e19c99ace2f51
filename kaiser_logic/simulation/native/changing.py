"""Positions put into the memory, and changed."""

from __future__ import annotations

from typing import Any

from ..vectors import kernel
from .places import (
    BASE,
    CHANGED,
    CLOSED,
    COUNT,
    DATA,
    PREDICATE,
    RECORD,
    ROOM,
    SHAPE,
    SHAPES,
    STRANGE,
    VERSION,
    WIDTH,
)
from .running import commit
from .states import ADD, DELETE, HAND, NEED, RELATION


@kernel
def begin(words: Any, facts: Any, heads: Any) -> None:
    """Puts a position into the memory: each row of ``facts`` is a relation and a row of it."""
    for head in heads:
        words[head + COUNT] = 0
        words[head + VERSION] += 1
        words[head + CHANGED] += 1
    words[STRANGE] = 0
    for fact in facts:
        head = fact[0]
        if words[head + CLOSED] != 0:
            words[STRANGE] = 1
        for k in range(words[head + WIDTH]):
            words[words[head + DATA] + words[head + COUNT] * words[head + WIDTH] + k] = fact[k + 1]
        words[head + COUNT] += 1


@kernel
def _fits(words: Any, relations: Any, state: Any) -> Any:
    """Whether what is to be deleted and added are facts for which there is room: -1, or why they are not."""
    for which in (DELETE, ADD):
        data, count = words[relations[which] + DATA], words[relations[which] + COUNT]
        for row in range(count):
            value = words[data + row]
            if value < BASE:
                return HAND
            head = words[SHAPES + SHAPE * words[value - BASE] + PREDICATE]
            if head == 0:
                state[NEED] = words[value - BASE]
                return RELATION
            if words[head + COUNT] + words[relations[ADD] + COUNT] >= words[head + ROOM]:
                return HAND
            if words[head + CLOSED] != 0:
                return HAND
    return -1


@kernel
def _deleted(words: Any, head: Any, record: Any) -> None:
    """Takes a fact from the position, if it is there."""
    rows, width, last = words[head + DATA], words[head + WIDTH], words[head + COUNT] - 1
    for row in range(last + 1):
        same = True
        for k in range(width):
            if words[rows + row * width + k] != words[record + RECORD + k]:
                same = False
                break
        if same:
            for k in range(width):
                words[rows + row * width + k] = words[rows + last * width + k]
            words[head + COUNT] = last
            words[head + VERSION] += 1
            words[head + CHANGED] += 1
            return


@kernel
def change(words: Any, relations: Any, state: Any) -> Any:
    """Takes from the position what is to be deleted, then adds what is to be; -1, or why it cannot be."""
    found = _fits(words, relations, state)
    if found >= 0:
        return found
    for which in (DELETE, ADD):
        data, count = words[relations[which] + DATA], words[relations[which] + COUNT]
        for row in range(count):
            record = words[data + row] - BASE
            head = words[SHAPES + SHAPE * words[record] + PREDICATE]
            if which == DELETE:
                _deleted(words, head, record)
                continue
            width, count_before = words[head + WIDTH], words[head + COUNT]
            for k in range(width):
                words[words[head + DATA] + words[head + COUNT] * width + k] = words[record + RECORD + k]
            commit(words, head)
            if words[head + COUNT] != count_before:
                words[head + CHANGED] += 1
    return -1
