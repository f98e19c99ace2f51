"""The memory of native code as the rest of the package sees it: values as words and back, room for relations and indexes."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ...engine.compiled.values import Large, Row, Value
from ...rules.pattern import Signature
from .places import (
    ARITY,
    BASE,
    BUFFER,
    CHANGED,
    CLOSED,
    COUNT,
    DATA,
    EPOCH,
    ERROR,
    FREE,
    HEAD,
    LENGTH,
    LIMIT,
    MOST_SHAPES,
    NAME,
    PARTS,
    RANK,
    RECORD,
    RECORDS,
    RECORDS_END,
    ROOM,
    SHAPE,
    SHAPES,
    TABLE_BITS,
    TEXT,
    TEXTS,
    VERSION,
    WHOLE,
    WIDTH,
    WORDS,
)
from .running import intern

__all__ = ["Full", "Large", "Memory"]


class Full(Exception):
    """There is no more room."""


class Memory:
    """Words, and what has been put into them.

    Attributes:
        words: All of it.
        texts: The texts of values, one after the other.
        shapes: The number of each shape.
    """

    def __init__(self) -> None:
        """Empty."""
        self.words: Any = np.zeros(WORDS, np.int32)
        self.texts: Any = np.zeros(TEXTS, np.uint8)
        self.shapes: dict[Signature, int] = {}
        self._names: list[Signature] = []
        self._next = RECORDS_END
        self._values: dict[Value, int] = {}
        self._back: dict[int, Value] = {}
        self._indexes: dict[tuple[int, ...], int] = {}
        self.words[FREE] = RECORDS + RECORD
        self.words[TEXT] = 1
        self.words[TABLE_BITS] = 12
        self.words[EPOCH] = 1

    # -- room ------------------------------------------------------------------------------------------------------------------

    def room(self, size: int) -> int:
        """Where so many words are free from now on."""
        found = self._next
        self._next += size
        if self._next > WORDS:
            raise Full
        return found

    def relation(self, width: int, rows: int, compared: bool = False) -> int:
        """A new relation's head; ``compared``: with room for the rows that it had before."""
        head = self.room(HEAD)
        size = (rows + 1) * max(width, 1)
        data, before = self.room(size), self.room(size) if compared else 0
        self.words[head : head + CLOSED + 1] = [data, 0, rows, width, 1, 0, 1, 1, before, -1, 0, 0]
        self.words[head + WHOLE] = self.index(head, (1 << width) - 1)
        return head

    def index(self, relation: int, mask: int, inside: tuple[int, int, int] = (0, 0, 0)) -> int:
        """The head of a relation's index of these places.

        ``inside``: a place, the shape of what stands there, and of which parts of it the index is besides.
        """
        key = relation, mask, *inside
        found = self._indexes.get(key)
        if found is None:
            rows = int(self.words[relation + ROOM])
            found = self._indexes[key] = self.room(HEAD)
            lists = 1 << max(5, rows.bit_length())
            firsts, nexts = self.room(lists), self.room(rows + 1)
            self.words[found : found + PARTS + 1] = [relation, mask, firsts, nexts, 0, 0, 0, lists, *inside]
        return found

    def fill(self, relation: int, rows: list[list[int]]) -> None:
        """Gives a relation these rows, which differ from one another."""
        width, data = int(self.words[relation + WIDTH]), int(self.words[relation + DATA])
        if len(rows) > self.words[relation + ROOM]:
            raise Full
        if width and rows:
            self.words[data : data + width * len(rows)] = np.array(rows, np.int32).reshape(-1)
        self.words[relation + COUNT] = len(rows)
        self.words[relation + VERSION] += 1
        self.words[relation + CHANGED] += 1

    def rows(self, relation: int) -> list[list[int]]:
        """The rows of a relation."""
        width, data = int(self.words[relation + WIDTH]), int(self.words[relation + DATA])
        count = int(self.words[relation + COUNT])
        found: list[list[int]] = self.words[data : data + width * count].reshape(count, width).tolist()
        return found

    # -- values ----------------------------------------------------------------------------------------------------------------

    def shape(self, name: str, arity: int) -> int:
        """The number of a shape; a string is one without arguments, its name begins with a quotation mark."""
        found = self.shapes.get((name, arity))
        if found is None:
            found = self.shapes[name, arity] = len(self._names) + 1
            self._names.append((name, arity))
            if found >= MOST_SHAPES:
                raise Full
            place = SHAPES + SHAPE * found
            self.words[place : place + SHAPE] = 0
            self.words[place + ARITY] = arity
            self.words[place + NAME], self.words[place + LENGTH] = self._text(name)
            ordered = sorted(range(1, found + 1), key=lambda k: _order(self._names[k - 1]))
            for rank, k in enumerate(ordered):
                self.words[SHAPES + SHAPE * k + RANK] = _ENDS.get(self._names[k - 1], rank)
        return found

    def name(self, shape: int) -> Signature:
        """Name and number of arguments of a shape."""
        return self._names[shape - 1]

    def _text(self, text: str) -> tuple[int, int]:
        if text[:1] == '"':
            escaped = text[1:].replace("\\", "\\\\").replace("\n", "\\n").replace('"', '\\"')
            text = f'"{escaped}"'
        data = text.encode()
        place = int(self.words[TEXT])
        if place + len(data) > TEXTS:
            raise Full
        self.texts[place : place + len(data)] = np.frombuffer(data, np.uint8)
        self.words[TEXT] += len(data)
        return place, len(data)

    def word(self, value: Value) -> int:
        """The word of a value."""
        if isinstance(value, int):
            if abs(value) > LIMIT:
                raise Full
            return value
        found = self._values.get(value)
        if found is None:
            if isinstance(value, str):
                record = [self.shape(value, 0)]
            else:
                record = [self.shape(str(value[0]), len(value) - 1), *map(self.word, value[1:])]
            if BUFFER + len(record) > SHAPES:
                raise Full
            self.words[BUFFER : BUFFER + len(record)] = record
            found = self._values[value] = int(intern(self.words, len(record) - 1))
            if self.words[ERROR]:
                self.words[ERROR] = 0
                raise Full
        return found

    def value(self, word: int) -> Value:
        """The value of a word."""
        if word < BASE:
            return word
        found = self._back.get(word)
        if found is None:
            place = word - BASE
            name, arity = self.name(int(self.words[place]))
            args = self.words[place + RECORD : place + RECORD + arity].tolist()
            found = self._back[word] = (name, *map(self.value, args)) if arity or not name else name
        return found

    def row(self, row: Row) -> list[int]:
        """The words of a row."""
        return list(map(self.word, row))


_ENDS: Final[dict[Signature, int]] = {("#inf", 0): -1, ("#sup", 0): 1 << 30}
"""The ranks of what is below everything, numbers too, and of what is above: the greatest and the least of nothing."""


def _order(shape: Signature) -> tuple[int, int, str]:
    """A shape's place in clingo's order: constants, the empty tuple among them, strings, functions by how many arguments."""
    name, arity = shape
    return (2, arity, name) if arity else (int(name[:1] == '"'), 0, name)
