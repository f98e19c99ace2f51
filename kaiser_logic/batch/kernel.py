"""The compiled functions: gates run on blocks of positions, conversion of rows to planes and back, choice of legal actions.

The functions are written with the builder of `llvmlite <https://llvmlite.readthedocs.io>`_, which alone compiles them, in a
tenth of a second, for the processor at hand. They know no game: a circuit is data.

A *block* holds 64 positions for each of its words: 1 or `VECTOR_WORDS` of them. For each *plane*, which is one bit of all
positions, it has these words. A *table* is what planes become when each 64 of them are turned over: for each word of a row,
and each place from 0 to 63, the words of the positions at this place. With c words for each plane, position n lies in block
``n // (64 * c)``, at place ``n % 64``, in column ``n // 64 % c``.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any, Final

import llvmlite.binding as llvm
import numpy as np
from llvmlite import ir

VECTOR_WORDS: Final = 8
"""The number of words that are processed together, which is the width of the largest registers of a processor."""
_SMALL_BLOCK: Final = 128
"""The largest number of positions for which blocks of one word are used."""
_BYTE: Final = ir.IntType(8)
_INT32: Final = ir.IntType(32)
_INT64: Final = ir.IntType(64)


# -- writing functions -----------------------------------------------------------------------------------------------------


def _number(value: int) -> Any:
    return ir.Constant(_INT64, value)


class _Writer(ir.IRBuilder):  # type: ignore[misc]  # llvmlite has no types
    """Writes one function, which gets addresses and numbers and returns nothing.

    Attributes:
        columns: The number of words that are processed together.
        vector: The type of these words.
    """

    def __init__(self, module: ir.Module, name: str, arguments: int, columns: int) -> None:
        """A function with this number of arguments."""
        function = ir.Function(module, ir.FunctionType(ir.VoidType(), [_INT64] * arguments), name)
        super().__init__(function.append_basic_block())
        self.arguments = function.args
        self.columns, self.vector = columns, ir.VectorType(_INT64, columns)

    @contextmanager
    def loop(self, end: Any, *values: Any) -> Iterator[tuple[Any, list[Any], list[Any]]]:
        """Repeats the code inside for each number from 0 to before ``end``.

        Yields the number, the values that are carried from one round to the next, and a list for the next ones; after the
        loop the second list is what they have come to.
        """
        before = self.block
        head, body, after = (self.append_basic_block() for _ in range(3))
        self.branch(head)
        self.position_at_end(head)
        number = self.phi(_INT64)
        carried = [self.phi(value.type) for value in values]
        self.cbranch(self.icmp_signed("<", number, end), body, after)
        self.position_at_end(body)
        new: list[Any] = []
        yield number, carried, new
        following = self.add(number, _number(1))
        for phi, first, later in zip([number, *carried], [_number(0), *values], [following, *new], strict=True):
            phi.add_incoming(first, before)
            phi.add_incoming(later, self.block)
        self.branch(head)
        self.position_at_end(after)

    def at(self, address: Any, index: Any, kind: Any) -> Any:
        """The address of an element of an array."""
        size = {_BYTE: 1, _INT32: 4, _INT64: 8}.get(kind) or 8 * self.columns
        return self.inttoptr(self.add(address, self.mul(index, _number(size))), kind.as_pointer())

    def load_element(self, address: Any, index: Any, kind: Any) -> Any:
        """An element of an array."""
        return self.load(self.at(address, index, kind), align=4 if kind is _INT32 else 1 if kind is _BYTE else 8)

    def write(self, value: Any, address: Any, index: Any) -> None:
        """Writes an element of an array."""
        self.store(value, self.at(address, index, value.type), align=8)

    def broadcast(self, word: Any) -> Any:
        """A vector of equal words."""
        one = self.insert_element(ir.Constant(self.vector, ir.Undefined), word, ir.Constant(_INT32, 0))
        zeros = ir.Constant(ir.VectorType(_INT32, self.columns), None)
        return self.shuffle_vector(one, ir.Constant(self.vector, ir.Undefined), zeros)

    def splat(self, value: int) -> Any:
        """A vector of words with this number."""
        return ir.Constant(self.vector, [value] * self.columns)

    def popcount(self, vector: Any) -> Any:
        """The number of bits that are set in each word."""
        name = f"llvm.ctpop.v{self.columns}i64"
        known = self.module.globals.get(name)
        return self.call(known or ir.Function(self.module, ir.FunctionType(self.vector, [self.vector]), name), [vector])

    def literal(self, values: Any, literal: Any) -> Any:
        """The value of a literal: the vector of its slot, negated if the literal is odd."""
        literal = self.zext(literal, _INT64)
        negated = self.sub(_number(0), self.and_(literal, _number(1)))
        return self.xor(self.load_element(values, self.lshr(literal, _number(1)), self.vector), self.broadcast(negated))

    def place(self, position: Any) -> tuple[Any, Any, Any]:
        """Block, place and column of a position."""
        block = self.udiv(position, _number(64 * self.columns))
        column = self.and_(self.lshr(position, _number(6)), _number(self.columns - 1))
        return block, self.and_(position, _number(63)), column


def _run(w: _Writer) -> None:
    """``(gates, count, values)``: each gate puts the conjunction of two literals into a slot."""
    gates, count, values = w.arguments
    with w.loop(count) as (gate, _, _):
        first = w.mul(gate, _number(3))
        slot, a, b = (w.load_element(gates, w.add(first, _number(n)), _INT32) for n in range(3))
        w.write(w.and_(w.literal(values, a), w.literal(values, b)), values, w.zext(slot, _INT64))


def _fetch(w: _Writer) -> None:
    """``(literals, count, values, found)``: the planes of literals, one after the other."""
    literals, count, values, planes = w.arguments
    with w.loop(count) as (n, _, _):
        w.write(w.literal(values, w.load_element(literals, n, _INT32)), planes, n)


def _transpose(w: _Writer) -> None:
    """``(matrices, count)``: in each matrix of 64 rows bit j of row i and bit i of row j change places."""
    matrices, count = w.arguments
    with w.loop(count) as (n, _, _):
        here = w.add(matrices, w.mul(n, _number(64 * 8 * w.columns)))
        mask = 0xFFFFFFFFFFFFFFFF
        for shift in (32, 16, 8, 4, 2, 1):
            mask ^= mask << shift & 0xFFFFFFFFFFFFFFFF
            with w.loop(_number(32)) as (pair, _, _):
                inside = w.and_(pair, _number(shift - 1))
                i = w.add(w.shl(w.sub(pair, inside), _number(1)), inside)
                j = w.or_(i, _number(shift))
                low, high = w.load_element(here, i, w.vector), w.load_element(here, j, w.vector)
                moved = w.and_(w.xor(w.lshr(low, w.splat(shift)), high), w.splat(mask))
                w.write(w.xor(low, w.shl(moved, w.splat(shift))), here, i)
                w.write(w.xor(high, moved), here, j)


def _gather(w: _Writer) -> None:
    """``(rows, length, lanes, count, words, width, table)``: words of some rows, each of so many words, into a table."""
    rows, length, lanes, count, words, width, table = w.arguments
    with w.loop(count) as (n, _, _):
        row = w.mul(w.load_element(lanes, n, _INT64), length)
        block, place, column = w.place(n)
        with w.loop(width) as (k, _, _):
            value = w.load_element(rows, w.add(row, w.load_element(words, k, _INT64)), _INT64)
            at = w.add(w.mul(w.add(w.mul(block, width), k), _number(64)), place)
            w.write(value, table, w.add(w.mul(at, _number(w.columns)), column))


def _scatter(w: _Writer) -> None:
    """``(table, length, count, lanes, known, words, width, kept, rows, words of rows)``: back into rows what has changed.

    Of a table of so many words the first ones take the place of words of rows, but for the bits that are kept.
    """
    table, length, count, lanes, known, words, width, kept, rows, row_words = w.arguments
    with (
        w.loop(count) as (n, _, _),
        w.if_then(w.icmp_unsigned("!=", w.load_element(known, n, _BYTE), ir.Constant(_BYTE, 0))),
    ):
        row = w.mul(w.load_element(lanes, n, _INT64), row_words)
        block, place, column = w.place(n)
        with w.loop(width) as (k, _, _):
            at = w.add(w.mul(w.add(w.mul(block, length), k), _number(64)), place)
            new = w.load_element(table, w.add(w.mul(at, _number(w.columns)), column), _INT64)
            to = w.add(row, w.load_element(words, k, _INT64))
            w.write(
                w.or_(w.and_(w.load_element(rows, to, _INT64), w.load_element(kept, k, _INT64)), new),
                rows,
                to,
            )


def _count(w: _Writer) -> None:
    """``(table, length, blocks, first, masks, width, counts)``: how many bits are set in words of a table.

    Of words from the first on, so many, under masks.
    """
    table, length, blocks, first, masks, width, counts = w.arguments
    with w.loop(blocks) as (block, _, _), w.loop(_number(64)) as (place, _, _):
        with w.loop(width, w.splat(0)) as (k, (total,), new):
            word = w.add(w.mul(block, length), w.add(first, k))
            row = w.load_element(table, w.add(w.mul(word, _number(64)), place), w.vector)
            new.append(w.add(total, w.popcount(w.and_(row, w.broadcast(w.load_element(masks, k, _INT64))))))
        w.write(total, counts, w.add(w.mul(block, _number(64)), place))


def _pick(w: _Writer) -> None:
    """``(table, length, blocks, first, masks, width, wanted)``: which of the bits that `_count` counts is the wanted one.

    For each position the number that is wanted, counted from 0, is replaced by the place of this bit.
    """
    table, length, blocks, first, masks, width, wanted = w.arguments
    none = w.splat(0)
    with w.loop(blocks) as (block, _, _), w.loop(_number(64)) as (place, _, _):
        here = w.add(w.mul(block, _number(64)), place)
        start = w.load_element(wanted, here, w.vector)
        with w.loop(width, start, none, none, none) as (k, (left, rank, word, bits), new):
            at = w.add(w.mul(block, length), w.add(first, k))
            row = w.load_element(table, w.add(w.mul(at, _number(64)), place), w.vector)
            row = w.and_(row, w.broadcast(w.load_element(masks, k, _INT64)))
            rest = w.sub(left, w.popcount(row))
            is_here = w.and_(w.icmp_signed(">=", left, none), w.icmp_signed("<", rest, none))
            new += [
                rest,
                w.select(is_here, left, rank),
                w.select(is_here, w.broadcast(w.add(first, k)), word),
                w.select(is_here, row, bits),
            ]
        result = w.shl(word, w.splat(6))
        for half in (32, 16, 8, 4, 2, 1):
            below = w.popcount(w.and_(bits, w.splat((1 << half) - 1)))
            beyond = w.icmp_unsigned(">=", rank, below)
            rank = w.select(beyond, w.sub(rank, below), rank)
            bits = w.select(beyond, w.lshr(bits, w.splat(half)), bits)
            result = w.select(beyond, w.add(result, w.splat(half)), result)
        w.write(result, wanted, here)


_FUNCTIONS: Final[dict[str, tuple[int, Callable[[_Writer], None]]]] = {
    "run": (3, _run),
    "fetch": (4, _fetch),
    "turn": (2, _transpose),
    "gather": (7, _gather),
    "scatter": (10, _scatter),
    "count": (7, _count),
    "pick": (7, _pick),
}


@cache
def compile_kernels(columns: int) -> dict[str, Any]:
    """The compiled functions for blocks with this number of columns, by name, and the engine that keeps them alive."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    module = ir.Module()
    for name, (arguments, written) in _FUNCTIONS.items():
        writer = _Writer(module, name, arguments, columns)
        written(writer)
        writer.ret_void()
    parsed = llvm.parse_assembly(str(module))
    parsed.verify()
    machine = llvm.Target.from_default_triple().create_target_machine(
        cpu=llvm.get_host_cpu_name(), features=llvm.get_host_cpu_features().flatten(), opt=3
    )
    engine = llvm.create_mcjit_compiler(parsed, machine)
    engine.finalize_object()
    functions: dict[str, Any] = {"engine": engine}
    for name, (arguments, _) in _FUNCTIONS.items():
        kind = ctypes.CFUNCTYPE(None, *[ctypes.c_int64] * arguments)
        functions[name] = kind(engine.get_function_address(name))
    return functions


# -- calling them ----------------------------------------------------------------------------------------------------------


class WordArray:
    """A constant array of integers of 64 or 32 bits, and its address."""

    def __init__(self, values: Any, kind: Any = np.int64) -> None:
        """``values``: the integers; ``kind``: their type."""
        self.values = np.ascontiguousarray(values, kind)
        self.address: int = self.values.ctypes.data

    def __len__(self) -> int:
        return len(self.values)


class _Workspace(threading.local):
    """Memory for slots, one for each thread: new pages each time would take longer than the gates."""

    words = np.empty(0, np.uint64)


_WORKSPACE: Final = _Workspace()


def workspace(slots: int, columns: int) -> Any:
    """An uninitialised block of slots, aligned to the vectors of the processor."""
    size = (slots + 1) * VECTOR_WORDS
    if len(_WORKSPACE.words) < size:
        _WORKSPACE.words = np.empty(size, np.uint64)
    skipped = -(_WORKSPACE.words.ctypes.data // 8) % VECTOR_WORDS
    return _WORKSPACE.words[skipped : skipped + slots * columns].reshape(slots, columns)


def transpose(table: Any) -> None:
    """Transposes planes into a table, or back, in place: each 64 planes are a matrix of bits."""
    columns = table.shape[-1]
    compile_kernels(columns)["turn"](table.ctypes.data, table.size // (64 * columns))


def gather(rows: Any, lanes: Any, words: WordArray) -> Any:
    """Words of some rows as blocks of planes: one plane for each bit; the dimensions are blocks, planes, columns."""
    count, width = len(lanes), len(words)
    columns = VECTOR_WORDS if count > _SMALL_BLOCK else 1
    blocks = -(-count // (64 * columns))
    make = np.empty if count == 64 * columns * blocks else np.zeros
    planes = make((blocks, 64 * width, columns), np.uint64)
    rows, lanes = np.ascontiguousarray(rows), np.ascontiguousarray(lanes, np.int64)
    functions, to = compile_kernels(columns), planes.ctypes.data
    functions["gather"](rows.ctypes.data, rows.shape[1], lanes.ctypes.data, count, words.address, width, to)
    functions["turn"](to, blocks * width)
    return planes


def planes_of(rows: Any) -> Any:
    """Rows of words as blocks of planes.

    >>> planes_of(np.array([[0b10], [0b11]], np.uint64))[0, :3, 0].tolist()
    [2, 3, 0]
    """
    return gather(rows, np.arange(len(rows)), WordArray(np.arange(rows.shape[1])))


def rows_in(table: Any, count: int) -> Any:
    """The rows of a table whose dimensions are blocks, words, places, columns, for a number of positions.

    >>> rows = np.array([[5, 1], [9, 2]], np.uint64)
    >>> planes = planes_of(rows)
    >>> transpose(planes)
    >>> bool((rows_in(planes.reshape(1, 2, 64, 1), 2) == rows).all())
    True
    """
    blocks, words, places, columns = table.shape
    return table.transpose(0, 3, 2, 1).reshape(blocks * columns * places, words)[:count]


def lanes_in(words: Any, count: int) -> Any:
    """One word for each position, of an array whose dimensions are blocks, places, columns."""
    return words.transpose(0, 2, 1).reshape(-1)[:count]


def bits_of(rows: Any) -> Any:
    """The bits of rows of words, as numbers 0 and 1."""
    return np.unpackbits(np.ascontiguousarray(rows).view(np.uint8), axis=1, bitorder="little")


class BitRange:
    """A range of bits of rows, which are counted and chosen among."""

    def __init__(self, first: int, end: int) -> None:
        """The bits from ``first`` to before ``end``."""
        self._first = first >> 6
        number = ((1 << end) - (1 << first)) >> (64 * self._first)
        width = -(-(end - 64 * self._first) // 64)
        self._masks = WordArray(np.frombuffer(number.to_bytes(8 * width, "little"), np.int64))

    def count(self, table: Any, count: int) -> Any:
        """For each of ``count`` positions of a table the number of bits that are set."""
        blocks, _, _, columns = table.shape
        counts = np.empty((blocks, 64, columns), np.int64)
        self._call("count", table, counts)
        return lanes_in(counts, count)

    def pick(self, table: Any, lanes: Any, wanted: Any) -> Any:
        """For some positions the index in the row of the wanted one of the set bits of the range, counted from 0."""
        blocks, _, _, columns = table.shape
        asked = np.full(blocks * 64 * columns, -1, np.int64)
        asked[lanes] = wanted
        indices = np.ascontiguousarray(asked.reshape(blocks, columns, 64).transpose(0, 2, 1))
        self._call("pick", table, indices)
        return lanes_in(indices, len(asked))[lanes]

    def _call(self, name: str, table: Any, target: Any) -> None:
        blocks, length, _, columns = table.shape
        masks = self._masks
        compile_kernels(columns)[name](
            table.ctypes.data, length, blocks, self._first, masks.address, len(masks), target.ctypes.data
        )


class WordUpdate:
    """Words of rows that are overwritten, except for some of their bits."""

    def __init__(self, words: Any, kept: Any) -> None:
        """``words``: the indices of the words; ``kept``: for each a mask of the bits that stay."""
        self._words, self._kept = WordArray(words), WordArray(kept.view(np.int64))

    def __len__(self) -> int:
        return len(self._words)

    def write_words(self, table: Any, rows: Any, lanes: Any, known: Any) -> None:
        """Writes the first words of a table to the rows ``lanes``, where ``known`` is True."""
        _, length, _, columns = table.shape
        assert rows.flags.c_contiguous and known.flags.c_contiguous
        lanes = np.ascontiguousarray(lanes, np.int64)
        compile_kernels(columns)["scatter"](
            table.ctypes.data, length, len(lanes), lanes.ctypes.data, known.ctypes.data, self._words.address,
            len(self), self._kept.address, rows.ctypes.data, rows.shape[1],
        )  # fmt: skip
