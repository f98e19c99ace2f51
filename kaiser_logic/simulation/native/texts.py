"""Texts of values as native code writes them: the order of actions is that of their texts."""

from __future__ import annotations

from typing import Any, Final

from ..vectors import kernel
from .places import ARITY, BASE, ERROR, LENGTH, NAME, RECORD, SHAPE, SHAPES, TEXT, TEXT_AT, TEXT_LENGTH, TEXTS

_ZERO: Final = 48
_MINUS: Final = 45
_OPEN: Final = 40
CLOSE: Final = 41
COMMA: Final = 44
_DIGITS: Final = 12
"""A number has no more."""


@kernel
def _copied(texts: Any, source: Any, length: Any, at: Any) -> Any:
    """Writes a text once more; where it ends."""
    for k in range(length):
        texts[at + k] = texts[source + k]
    return at + length


@kernel
def _number(texts: Any, number: Any, at: Any) -> Any:
    """Writes a number; where it ends."""
    if number < 0:
        texts[at] = _MINUS
        at += 1
        number = -number
    digits = 1
    while 10**digits <= number:
        digits += 1
    for k in range(digits):
        texts[at + digits - 1 - k] = _ZERO + number % 10
        number //= 10
    return at + digits


@kernel
def rendered(words: Any, texts: Any, value: Any) -> None:
    """Sees to it that a value that is no number has its text."""
    while words[value - BASE + TEXT_LENGTH] == 0 and words[ERROR] == 0:
        _rendered(words, texts, _inmost(words, value) - BASE)


@kernel
def _inmost(words: Any, value: Any) -> Any:
    """A value without a text, the given one or a part of it, all of whose parts have theirs."""
    found = 0
    while found != value:
        found, place = value, value - BASE
        for k in range(words[SHAPES + SHAPE * words[place] + ARITY]):
            part = words[place + RECORD + k]
            if part >= BASE and words[part - BASE + TEXT_LENGTH] == 0:
                value = part
                break
    return found


@kernel
def _rendered(words: Any, texts: Any, place: Any) -> None:
    """Writes the text of a value whose parts have theirs."""
    shape = SHAPES + SHAPE * words[place]
    arity, length = words[shape + ARITY], words[shape + LENGTH]
    needed = length + 3 + arity
    for k in range(arity):
        part = words[place + RECORD + k]
        needed += words[part - BASE + TEXT_LENGTH] if part >= BASE else _DIGITS
    begin = words[TEXT]
    if begin + needed > TEXTS:
        words[ERROR] = 1
        return
    at = _copied(texts, words[shape + NAME], length, begin)
    if arity > 0 or length == 0:
        for k in range(arity):
            texts[at] = COMMA if k > 0 else _OPEN
            word = words[place + RECORD + k]
            if word >= BASE:
                record = word - BASE
                at = _copied(texts, words[record + TEXT_AT], words[record + TEXT_LENGTH], at + 1)
            else:
                at = _number(texts, word, at + 1)
        if arity == 0:
            texts[at] = _OPEN
            at += 1
        elif arity == 1 and length == 0:
            texts[at] = COMMA
            at += 1
        texts[at] = CLOSE
        at += 1
    words[place + TEXT_AT] = begin
    words[place + TEXT_LENGTH] = at - begin
    words[TEXT] = at
