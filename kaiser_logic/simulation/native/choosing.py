"""Native choices: values in the order of their texts, and the action that a random number chooses in that order."""

from __future__ import annotations

from typing import Any, Final

from ..choosing import below
from ..vectors import kernel
from .places import (
    ARITY,
    BASE,
    COUNT,
    DATA,
    ERROR,
    LABEL,
    LENGTH,
    MOST_SORTED,
    ORDER,
    OWN,
    RECORD,
    SHAPE,
    SHAPES,
    SORTED,
    TEXT_AT,
    TEXT_LENGTH,
)
from .texts import CLOSE, COMMA, rendered

_LABELS: Final = 1 << 30
"""Labels are below this."""
_FEW: Final = 64
"""So few values are put in order by their labels."""
_WORD: Final = 0xFFFFFFFF


@kernel
def before(words: Any, texts: Any, a: Any, b: Any) -> Any:
    """Whether the text of a value comes before that of another one; only where they differ is it looked at."""
    behind = 0
    while a != b:
        first, second = a - BASE, b - BASE
        if words[first] != words[second]:
            break
        shape = SHAPES + SHAPE * words[first]
        arity, k = words[shape + ARITY], 0
        while words[first + RECORD + k] == words[second + RECORD + k]:
            k += 1
        x, y = words[first + RECORD + k], words[second + RECORD + k]
        if x < BASE or y < BASE:
            break
        a, b = x, y
        behind = COMMA if k + 1 < arity or (arity == 1 and words[shape + LENGTH] == 0) else CLOSE
    first, second = words[a - BASE + TEXT_AT], words[b - BASE + TEXT_AT]
    mine, other = words[a - BASE + TEXT_LENGTH], words[b - BASE + TEXT_LENGTH]
    for k in range(min(mine, other)):
        left, right = texts[first + k], texts[second + k]
        if left != right:
            return left < right
    if mine == other:
        return False
    if mine < other:
        return behind < texts[second + mine]
    return texts[first + other] < behind


@kernel
def labelled(words: Any, texts: Any, value: Any) -> None:
    """Sees to it that a value has its text, and a label in the order of texts as long as there is room for it."""
    place = value - BASE
    if words[place + LABEL] != 0:
        return
    rendered(words, texts, value)
    count = words[SORTED]
    if count >= MOST_SORTED or words[ERROR] != 0:
        return
    low, high = 0, count
    while low < high:
        middle = (low + high) >> 1
        if before(words, texts, words[ORDER + middle], value):
            low = middle + 1
        else:
            high = middle
    for k in range(count, low, -1):
        words[ORDER + k] = words[ORDER + k - 1]
    words[ORDER + low] = value
    words[SORTED] = count + 1
    left = words[words[ORDER + low - 1] - BASE + LABEL] if low > 0 else 0
    right = words[words[ORDER + low + 1] - BASE + LABEL] if low < count else _LABELS
    words[place + LABEL] = (left + right) >> 1
    if words[place + LABEL] == left:
        step = _LABELS // (count + 2)
        for k in range(count + 1):
            words[words[ORDER + k] - BASE + LABEL] = step * (k + 1)


@kernel
def earlier(words: Any, texts: Any, a: Any, b: Any) -> Any:
    """As :func:`before`, by labels where there are some."""
    first, second = words[a - BASE + LABEL], words[b - BASE + LABEL]
    if first > 0 and second > 0:
        return first < second
    return before(words, texts, a, b)


@kernel
def _in_order(words: Any, values: Any, first: int, end: int) -> Any:
    """Puts a few values into the order of their texts, if all have labels; whether they have, and are few."""
    if end - first > _FEW:
        return False
    for k in range(first, end):
        if words[values[k] - BASE + LABEL] == 0:
            return False
    for k in range(first, end):
        values[k] |= words[values[k] - BASE + LABEL] << 32
    for gap in (10, 4, 1):
        for k in range(first + gap, end):
            key, i = values[k], k
            while i - gap >= first and values[i - gap] > key:
                values[i] = values[i - gap]
                i -= gap
            values[i] = key
    for k in range(first, end):
        values[k] &= _WORD
    return True


@kernel
def placed(words: Any, texts: Any, values: Any, first: int, end: int, wanted: int) -> Any:
    """The value that stands at a place when values are in the order of their texts; they are put into another order."""
    low, high = first, end - 1
    goal = first + wanted
    if _in_order(words, values, first, end):
        return values[goal]
    while low < high:
        pivot = values[(low + high) >> 1]
        i, j = low, high
        while i <= j:
            while earlier(words, texts, values[i], pivot):
                i += 1
            while earlier(words, texts, pivot, values[j]):
                j -= 1
            if i <= j:
                values[i], values[j] = values[j], values[i]
                i += 1
                j -= 1
        if goal <= j:
            high = j
        elif goal >= i:
            low = i
        else:
            break
    return values[goal]


@kernel
def _reached(words: Any, values: Any, first: int, left: int) -> Any:
    """The value in which a number lies, when each takes as many as its weight."""
    at = first
    while left >= max(words[values[at] - BASE + OWN], 1):
        left -= max(words[values[at] - BASE + OWN], 1)
        at += 1
    return values[at]


@kernel
def weighted(words: Any, texts: Any, values: Any, first: int, end: int, weights: Any, random: Any) -> Any:
    """A random one of some values, as probable as the rows of a relation of weights say; 1 where they say nothing."""
    data, known = words[weights + DATA], False
    for row in range(words[weights + COUNT]):
        value, weight = words[data + 2 * row], words[data + 2 * row + 1]
        if value >= BASE and 0 < weight < BASE:
            words[value - BASE + OWN] = max(weight, words[value - BASE + OWN])
            known = True
    total = 0
    for k in range(first, end):
        total += max(words[values[k] - BASE + OWN], 1)
    left = int(below(random, 0, total if known else end - first))
    found = values[first]
    low, high = first, end - 1
    if _in_order(words, values, first, end):
        found = _reached(words, values, first, left)
        high = low - 1
    while low <= high:
        pivot, at = values[(low + high) >> 1], low
        before_it = 0
        values[(low + high) >> 1] = values[high]
        values[high] = pivot
        for k in range(low, high):
            if earlier(words, texts, values[k], pivot):
                before_it += max(words[values[k] - BASE + OWN], 1)
                values[at], values[k] = values[k], values[at]
                at += 1
        values[high] = values[at]
        values[at] = pivot
        own = max(words[pivot - BASE + OWN], 1)
        if left < before_it:
            high = at - 1
        elif left < before_it + own:
            found = pivot
            break
        else:
            left -= before_it + own
            low = at + 1
    for row in range(words[weights + COUNT]):
        if words[data + 2 * row] >= BASE:
            words[words[data + 2 * row] - BASE + OWN] = 0
    return found


@kernel
def ordered(words: Any, texts: Any, values: Any, first: int, end: int) -> None:
    """Puts values into the order of their texts."""
    gap = 1
    while 3 * gap + 1 < end - first:
        gap = 3 * gap + 1
    while gap > 0:
        for k in range(first + gap, end):
            value, i = values[k], k
            while i - gap >= first and earlier(words, texts, value, values[i - gap]):
                values[i] = values[i - gap]
                i -= gap
            values[i] = value
        gap //= 3
