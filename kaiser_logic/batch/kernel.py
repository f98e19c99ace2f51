"""The one thing that is compiled: gates run on blocks of positions, and bits turned over, in vector instructions.

Both are written in LLVM's own language, so that `llvmlite <https://llvmlite.readthedocs.io>`_ alone compiles them, in some
hundredths of a second for the processor at hand. They know no game: a circuit is data.

A *block* holds `LANES` positions: for each of its planes, which are one bit of all of them, `WORDS` words.
"""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any, Final

import numpy as np

WORDS: Final = 8
"""So many words are worked on together: as many as the widest registers of a processor hold."""
LANES: Final = 64 * WORDS
"""So many positions are a block."""

_RUN: Final = """
define void @run(ptr %gates, i64 %count, ptr %values, i64 %first) {
entry:
  %some = icmp sgt i64 %count, 0
  br i1 %some, label %gate, label %done
gate:
  %i = phi i64 [ 0, %entry ], [ %next, %gate ]
  %at.a = getelementptr [2 x i32], ptr %gates, i64 %i
  %at.b = getelementptr i32, ptr %at.a, i64 1
  %a.32 = load i32, ptr %at.a
  %b.32 = load i32, ptr %at.b
  %a = zext i32 %a.32 to i64
  %b = zext i32 %b.32 to i64
  %a.slot = lshr i64 %a, 1
  %b.slot = lshr i64 %b, 1
  %a.odd = and i64 %a, 1
  %b.odd = and i64 %b, 1
  %a.mask = sub i64 0, %a.odd
  %b.mask = sub i64 0, %b.odd
  %a.one = insertelement <8 x i64> poison, i64 %a.mask, i32 0
  %b.one = insertelement <8 x i64> poison, i64 %b.mask, i32 0
  %a.masks = shufflevector <8 x i64> %a.one, <8 x i64> poison, <8 x i32> zeroinitializer
  %b.masks = shufflevector <8 x i64> %b.one, <8 x i64> poison, <8 x i32> zeroinitializer
  %a.from = getelementptr [8 x i64], ptr %values, i64 %a.slot
  %b.from = getelementptr [8 x i64], ptr %values, i64 %b.slot
  %a.read = load <8 x i64>, ptr %a.from, align 8
  %b.read = load <8 x i64>, ptr %b.from, align 8
  %a.value = xor <8 x i64> %a.read, %a.masks
  %b.value = xor <8 x i64> %b.read, %b.masks
  %both = and <8 x i64> %a.value, %b.value
  %slot = add i64 %first, %i
  %to = getelementptr [8 x i64], ptr %values, i64 %slot
  store <8 x i64> %both, ptr %to, align 8
  %next = add i64 %i, 1
  %more = icmp slt i64 %next, %count
  br i1 %more, label %gate, label %done
done:
  ret void
}
"""
"""``run(gates, count, values, first)``: each gate is the conjunction of two literals; the first one's value has the number ``first``."""

_TURN: Final = """
define void @turn(ptr %matrices, i64 %count) {
entry:
  %some = icmp sgt i64 %count, 0
  br i1 %some, label %matrix, label %done
matrix:
  %n = phi i64 [ 0, %entry ], [ %n.next, %turned ]
  %here = getelementptr [512 x i64], ptr %matrices, i64 %n
  br label %stage
stage:
  %shift = phi i64 [ 32, %matrix ], [ %shift.next, %stage.end ]
  %mask = phi i64 [ u0x00000000FFFFFFFF, %matrix ], [ %mask.next, %stage.end ]
  %shift.one = insertelement <8 x i64> poison, i64 %shift, i32 0
  %shifts = shufflevector <8 x i64> %shift.one, <8 x i64> poison, <8 x i32> zeroinitializer
  %mask.one = insertelement <8 x i64> poison, i64 %mask, i32 0
  %masks = shufflevector <8 x i64> %mask.one, <8 x i64> poison, <8 x i32> zeroinitializer
  br label %pair
pair:
  %i = phi i64 [ 0, %stage ], [ %i.next, %pair ]
  %j = or i64 %i, %shift
  %at.i = getelementptr [8 x i64], ptr %here, i64 %i
  %at.j = getelementptr [8 x i64], ptr %here, i64 %j
  %low = load <8 x i64>, ptr %at.i, align 8
  %high = load <8 x i64>, ptr %at.j, align 8
  %down = lshr <8 x i64> %low, %shifts
  %other = xor <8 x i64> %down, %high
  %moved = and <8 x i64> %other, %masks
  %up = shl <8 x i64> %moved, %shifts
  %low.new = xor <8 x i64> %low, %up
  %high.new = xor <8 x i64> %high, %moved
  store <8 x i64> %low.new, ptr %at.i, align 8
  store <8 x i64> %high.new, ptr %at.j, align 8
  %j.next = add i64 %j, 1
  %not = xor i64 %shift, -1
  %i.next = and i64 %j.next, %not
  %more = icmp slt i64 %i.next, 64
  br i1 %more, label %pair, label %stage.end
stage.end:
  %shift.next = lshr i64 %shift, 1
  %wide = shl i64 %mask, %shift.next
  %mask.next = xor i64 %mask, %wide
  %again = icmp sgt i64 %shift.next, 0
  br i1 %again, label %stage, label %turned
turned:
  %n.next = add i64 %n, 1
  %others = icmp slt i64 %n.next, %count
  br i1 %others, label %matrix, label %done
done:
  ret void
}
"""
"""``turn(matrices, count)``: in each matrix of 64 rows, of 8 words each, bit j of row i and bit i of row j change places."""


@cache
def _compiled() -> tuple[Any, Any, Any]:
    """The two functions, and what keeps them alive."""
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    module = llvm.parse_assembly(_RUN + _TURN)
    module.verify()
    machine = llvm.Target.from_default_triple().create_target_machine(
        cpu=llvm.get_host_cpu_name(), features=llvm.get_host_cpu_features().flatten(), opt=3
    )
    engine = llvm.create_mcjit_compiler(module, machine)
    engine.finalize_object()
    number, address = ctypes.c_int64, ctypes.c_void_p
    run = ctypes.CFUNCTYPE(None, address, number, address, number)(engine.get_function_address("run"))
    turn = ctypes.CFUNCTYPE(None, address, number)(engine.get_function_address("turn"))
    return run, turn, engine


def run(gates: Any, start: int, end: int, values: Any, first: int) -> None:
    """Runs the gates from ``start`` to before ``end`` on one block; gate 0 has the value of the number ``first``."""
    _compiled()[0](gates.ctypes.data + 8 * start, end - start, values.ctypes.data, first + start)


def turn(matrices: Any) -> None:
    """Turns matrices over: the last two dimensions are 64 rows of `WORDS` words."""
    _compiled()[1](matrices.ctypes.data, matrices.size // (64 * WORDS))


def room(slots: int) -> Any:
    """A block of so many planes whose words lie as the processor likes it; nothing is written to it."""
    whole = np.empty(slots * WORDS + WORDS, np.uint64)
    skipped = -(whole.ctypes.data // 8) % WORDS
    return whole[skipped : skipped + slots * WORDS].reshape(slots, WORDS)


def planes_of(rows: Any) -> Any:
    """Rows of words as blocks of planes: one for each bit; the dimensions are blocks, planes, words.

    >>> planes_of(np.array([[0b10], [0b11]], np.uint64))[0, :3, 0].tolist()
    [2, 3, 0]
    """
    count, words = rows.shape
    blocks = -(-count // LANES)
    whole = rows
    if count < blocks * LANES:
        whole = np.zeros((blocks * LANES, words), np.uint64)
        whole[:count] = rows
    turned = np.ascontiguousarray(whole.reshape(blocks, WORDS, 64, words).transpose(0, 3, 2, 1))
    turn(turned)
    return turned.reshape(blocks, 64 * words, WORDS)


def rows_of(planes: Any, count: int) -> Any:
    """Blocks of planes as rows of words, for so many rows.

    >>> rows = np.array([[5, 1], [9, 2]], np.uint64)
    >>> bool((rows_of(planes_of(rows), 2) == rows).all())
    True
    """
    blocks, bits, _ = planes.shape
    words = -(-bits // 64)
    whole = np.zeros((blocks, 64 * words, WORDS), np.uint64)
    whole[:, :bits] = planes
    turn(whole)
    found = whole.reshape(blocks, words, 64, WORDS).transpose(0, 3, 2, 1)
    return found.reshape(blocks * LANES, words)[:count]


def bits_of(planes: Any, count: int) -> Any:
    """For each plane and position whether its bit is set, as numbers 0 and 1."""
    flat = np.ascontiguousarray(planes.transpose(1, 0, 2)).reshape(planes.shape[1], -1)
    return np.unpackbits(flat.view(np.uint8), axis=1, bitorder="little")[:, :count]
