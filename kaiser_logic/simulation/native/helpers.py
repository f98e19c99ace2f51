"""What native rules call by its address."""

from __future__ import annotations

from typing import Any, Final

import numba
from llvmlite import binding as llvm

from ..folder import keeping
from . import running
from .places import COUNT, DATA, ERROR, ROOM, WIDTH, WORDS
from .quick import PREFIX

_numba: Any = numba
_WORDS = _numba.types.CPointer(_numba.types.int32)


_HELPERS: Final = {
    "commit": 1, "ready": 1, "intern": 1, "order": 2, "total": 1, "best": 3, "copy": 2,
}  # fmt: skip
"""What native rules call, each with the number of its arguments."""


def _called(function: Any) -> Any:
    count = _HELPERS[function.__name__]
    with keeping() as kept:
        return _numba.cfunc(_numba.types.int32(_WORDS, *[_numba.types.int32] * count), cache=kept)(function)


@_called
def commit(words: Any, relation: Any) -> Any:
    """Takes a row, unless it is there."""
    running.commit(_numba.carray(words, (WORDS,)), relation)
    return 0


@_called
def ready(words: Any, index: Any) -> Any:
    """Sees to it that an index is complete."""
    running.ready(_numba.carray(words, (WORDS,)), index)
    return 0


@_called
def intern(words: Any, arity: Any) -> Any:
    """The value that lies in the buffer."""
    return running.intern(_numba.carray(words, (WORDS,)), arity)


@_called
def order(words: Any, a: Any, b: Any) -> Any:
    """How two values stand in clingo's order."""
    return running.order(_numba.carray(words, (WORDS,)), a, b)


@_called
def total(words: Any, relation: Any) -> Any:
    """The sum of the first places."""
    return running.total(_numba.carray(words, (WORDS,)), relation)


@_called
def best(words: Any, relation: Any, empty: Any, sign: Any) -> Any:
    """The least or the greatest of the first places."""
    return running.best(_numba.carray(words, (WORDS,)), relation, empty, sign)


@_called
def copy(words: Any, source: Any, to: Any) -> Any:
    """Gives a relation the rows of another one."""
    memory = _numba.carray(words, (WORDS,))
    count, width = memory[source + COUNT], memory[source + WIDTH]
    if count > memory[to + ROOM]:
        memory[ERROR] = 1
        count = 0
    for k in range(count * width):
        memory[memory[to + DATA] + k] = memory[memory[source + DATA] + k]
    memory[to + COUNT] = count
    return 0


def announce() -> None:
    """Makes all of them known to the linker."""
    for function in (commit, ready, intern, order, total, best, copy):
        llvm.add_symbol(PREFIX + function.__name__, function.address)
