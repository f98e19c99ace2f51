"""The one thing that is compiled: gates run on blocks of positions, and bits turned over, in vector instructions.

Both are written in LLVM's own language, so that `llvmlite <https://llvmlite.readthedocs.io>`_ alone compiles them, in some
hundredths of a second for the processor at hand. They know no game: a circuit is data.

A *block* holds 64 positions for each of its words: 1 or `WIDE` of them. For each plane, which is one bit of all positions, it
has these words.
"""

from __future__ import annotations

import ctypes
import threading
from functools import cache
from typing import Any, Final

import numpy as np

WIDE: Final = 8
"""So many words are worked on together: as many as the widest registers of a processor hold."""
_FEW: Final = 128
"""Up to so many positions are worked on in blocks of one word."""

_RUN: Final = """
define void @runWIDE(ptr %gates, i64 %count, ptr %values) {
entry:
  %some = icmp sgt i64 %count, 0
  br i1 %some, label %gate, label %done
gate:
  %i = phi i64 [ 0, %entry ], [ %next, %gate ]
  %at.slot = getelementptr [3 x i32], ptr %gates, i64 %i
  %at.a = getelementptr i32, ptr %at.slot, i64 1
  %at.b = getelementptr i32, ptr %at.slot, i64 2
  %slot.32 = load i32, ptr %at.slot
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
  %a.one = insertelement <WIDE x i64> poison, i64 %a.mask, i32 0
  %b.one = insertelement <WIDE x i64> poison, i64 %b.mask, i32 0
  %a.masks = shufflevector <WIDE x i64> %a.one, <WIDE x i64> poison, <WIDE x i32> zeroinitializer
  %b.masks = shufflevector <WIDE x i64> %b.one, <WIDE x i64> poison, <WIDE x i32> zeroinitializer
  %a.from = getelementptr [WIDE x i64], ptr %values, i64 %a.slot
  %b.from = getelementptr [WIDE x i64], ptr %values, i64 %b.slot
  %a.read = load <WIDE x i64>, ptr %a.from, align 8
  %b.read = load <WIDE x i64>, ptr %b.from, align 8
  %a.value = xor <WIDE x i64> %a.read, %a.masks
  %b.value = xor <WIDE x i64> %b.read, %b.masks
  %both = and <WIDE x i64> %a.value, %b.value
  %slot = zext i32 %slot.32 to i64
  %to = getelementptr [WIDE x i64], ptr %values, i64 %slot
  store <WIDE x i64> %both, ptr %to, align 8
  %next = add i64 %i, 1
  %more = icmp slt i64 %next, %count
  br i1 %more, label %gate, label %done
done:
  ret void
}
"""
"""``run(gates, count, values)``: each gate puts the conjunction of two literals into a slot."""

_TURN: Final = """
define void @turnWIDE(ptr %matrices, i64 %count) {
entry:
  %some = icmp sgt i64 %count, 0
  br i1 %some, label %matrix, label %done
matrix:
  %n = phi i64 [ 0, %entry ], [ %n.next, %turned ]
  %here = getelementptr [64 x [WIDE x i64]], ptr %matrices, i64 %n
  br label %stage
stage:
  %shift = phi i64 [ 32, %matrix ], [ %shift.next, %stage.end ]
  %mask = phi i64 [ u0x00000000FFFFFFFF, %matrix ], [ %mask.next, %stage.end ]
  %shift.one = insertelement <WIDE x i64> poison, i64 %shift, i32 0
  %shifts = shufflevector <WIDE x i64> %shift.one, <WIDE x i64> poison, <WIDE x i32> zeroinitializer
  %mask.one = insertelement <WIDE x i64> poison, i64 %mask, i32 0
  %masks = shufflevector <WIDE x i64> %mask.one, <WIDE x i64> poison, <WIDE x i32> zeroinitializer
  br label %pair
pair:
  %i = phi i64 [ 0, %stage ], [ %i.next, %pair ]
  %j = or i64 %i, %shift
  %at.i = getelementptr [WIDE x i64], ptr %here, i64 %i
  %at.j = getelementptr [WIDE x i64], ptr %here, i64 %j
  %low = load <WIDE x i64>, ptr %at.i, align 8
  %high = load <WIDE x i64>, ptr %at.j, align 8
  %down = lshr <WIDE x i64> %low, %shifts
  %other = xor <WIDE x i64> %down, %high
  %moved = and <WIDE x i64> %other, %masks
  %up = shl <WIDE x i64> %moved, %shifts
  %low.new = xor <WIDE x i64> %low, %up
  %high.new = xor <WIDE x i64> %high, %moved
  store <WIDE x i64> %low.new, ptr %at.i, align 8
  store <WIDE x i64> %high.new, ptr %at.j, align 8
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
"""``turn(matrices, count)``: in each matrix of 64 rows bit j of row i and bit i of row j change places."""


@cache
def _compiled(wide: int) -> tuple[Any, Any, Any]:
    """The two functions for blocks of so many words, and what keeps them alive."""
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    module = llvm.parse_assembly((_RUN + _TURN).replace("WIDE", str(wide)))
    module.verify()
    machine = llvm.Target.from_default_triple().create_target_machine(
        cpu=llvm.get_host_cpu_name(), features=llvm.get_host_cpu_features().flatten(), opt=3
    )
    engine = llvm.create_mcjit_compiler(module, machine)
    engine.finalize_object()
    number, address = ctypes.c_int64, ctypes.c_void_p
    run, turn = (engine.get_function_address(f"{name}{wide}") for name in ("run", "turn"))
    return (
        ctypes.CFUNCTYPE(None, address, number, address)(run),
        ctypes.CFUNCTYPE(None, address, number)(turn),
        engine,
    )


def run(gates: Any, start: int, end: int, values: Any) -> None:
    """Runs the gates from ``start`` to before ``end`` on one block, which has a plane for each slot."""
    _compiled(values.shape[-1])[0](gates.ctypes.data + 12 * start, end - start, values.ctypes.data)


def turn(matrices: Any) -> None:
    """Turns matrices over: the last two dimensions are 64 rows of words."""
    wide = matrices.shape[-1]
    _compiled(wide)[1](matrices.ctypes.data, matrices.size // (64 * wide))


class _Room(threading.local):
    """What is worked in, one for each thread: to ask for new pages each time would take longer than the gates."""

    words = np.empty(0, np.uint64)


_ROOM: Final = _Room()


def room(slots: int, wide: int) -> Any:
    """A block of so many planes whose words lie as the processor likes it: what is in it is of no meaning."""
    size = (slots + 1) * WIDE
    if len(_ROOM.words) < size:
        _ROOM.words = np.empty(size, np.uint64)
    skipped = -(_ROOM.words.ctypes.data // 8) % WIDE
    return _ROOM.words[skipped : skipped + slots * wide].reshape(slots, wide)


def planes_of(rows: Any, words: Any = slice(None)) -> Any:
    """Rows of words as blocks of planes: one for each bit; the dimensions are blocks, planes, words.

    Args:
        rows: The rows.
        words: Which of their words are asked for.

    >>> planes_of(np.array([[0b10], [0b11]], np.uint64))[0, :3, 0].tolist()
    [2, 3, 0]
    """
    count, length = rows.shape
    wide = WIDE if count > _FEW else 1
    blocks = -(-count // (64 * wide))
    whole = rows
    if count < 64 * wide * blocks:
        whole = np.zeros((64 * wide * blocks, length), np.uint64)
        whole[:count] = rows
    turned = np.ascontiguousarray(whole.reshape(blocks, wide, 64, length).transpose(0, 3, 2, 1)[:, words])
    turn(turned)
    return turned.reshape(blocks, -1, wide)


def rows_of(planes: Any, count: int) -> Any:
    """Blocks of planes, of which there are 64 for each word, as rows of words, for so many rows; the planes are lost.

    >>> rows = np.array([[5, 1], [9, 2]], np.uint64)
    >>> bool((rows_of(planes_of(rows), 2) == rows).all())
    True
    """
    blocks, bits, wide = planes.shape
    turn(planes)
    found = planes.reshape(blocks, bits // 64, 64, wide).transpose(0, 3, 2, 1)
    return found.reshape(64 * wide * blocks, bits // 64)[:count]


def bits_of(rows: Any) -> Any:
    """For each bit of rows of words whether it is set, as numbers 0 and 1."""
    return np.unpackbits(np.ascontiguousarray(rows).view(np.uint8), axis=1, bitorder="little")
