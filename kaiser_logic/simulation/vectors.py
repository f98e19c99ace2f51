"""What numba has no words for: gates over many lanes at once, and the ones of a word.

A slot is `WORDS` words of 64 lanes. Its gates read all of it before they write, so that the processor's widest registers
serve, whether or not the slots are the same.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic

from .folder import keeping

WORDS: Final = 8
LANES: Final = 64 * WORDS
"""So many positions are looked at together."""
_VECTOR: Final = ir.VectorType(ir.IntType(64), WORDS)
_WORD: Final = ir.IntType(64)


def _pointer(context: Any, builder: Any, array_type: Any, array: Any, slot: Any) -> Any:
    """The address of a slot."""
    data = context.make_array(array_type)(context, builder, array).data
    index = builder.mul(slot, ir.Constant(slot.type, WORDS))
    return builder.bitcast(builder.gep(data, [index]), _VECTOR.as_pointer())


def _constant(number: int) -> Any:
    return ir.Constant(_VECTOR, [number] * WORDS)


def _gate(name: str, combine: Callable[[Any, Any, Any], Any]) -> Any:
    """A gate: ``gate(values, to, a, b)``, the last three being slots."""

    def typed(typingctx: Any, values: Any, to: Any, a: Any, b: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            target, *sources = (_pointer(context, builder, signature.args[0], args[0], x) for x in args[1:])
            loaded = [builder.load(source, align=8) for source in sources]
            builder.store(combine(builder, *loaded), target, align=8)
            return context.get_dummy_value()

        return types.none(values, types.intp, types.intp, types.intp), code

    typed.__name__ = typed.__qualname__ = name
    return intrinsic(typed)


both = _gate("both", lambda builder, a, b: builder.and_(a, b))
first_only = _gate("first_only", lambda builder, a, b: builder.and_(a, builder.not_(b)))
neither = _gate("neither", lambda builder, a, b: builder.not_(builder.or_(a, b)))
either = _gate("either", lambda builder, a, b: builder.xor(a, b))
copied = _gate("copied", lambda builder, a, b: a)
negated = _gate("negated", lambda builder, a, b: builder.not_(a))
cleared = _gate("cleared", lambda builder, a, b: _constant(0))


def _moved() -> Any:
    """A slot of one array into one of another: ``moved(to, slot, source, from, negated)``, the last 0 or 1."""

    def typed(typingctx: Any, to: Any, slot: Any, source: Any, from_: Any, negated_: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            kinds = signature.args
            target = _pointer(context, builder, kinds[0], args[0], args[1])
            found = builder.load(_pointer(context, builder, kinds[2], args[2], args[3]), align=8)
            mask = builder.sub(ir.Constant(_WORD, 0), args[4])
            every = ir.Constant(ir.VectorType(ir.IntType(32), WORDS), [0] * WORDS)
            empty = ir.Constant(_VECTOR, ir.Undefined)
            masks = builder.insert_element(empty, mask, ir.Constant(ir.IntType(32), 0))
            masks = builder.shuffle_vector(masks, empty, every)
            builder.store(builder.xor(found, masks), target, align=8)
            return context.get_dummy_value()

        return types.none(to, types.intp, source, types.intp, types.intp), code

    return intrinsic(typed)


moved = _moved()


def _swap(shift: int) -> Any:
    """A step of the transposition of 64 times 64 bits: ``swap(values, low, high)`` of two slots, low = high - shift."""
    mask = sum(1 << i for i in range(64) if not i & shift)

    def typed(typingctx: Any, values: Any, low: Any, high: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            at_low, at_high = (_pointer(context, builder, signature.args[0], args[0], x) for x in args[1:])
            x, y = builder.load(at_low, align=8), builder.load(at_high, align=8)
            moved = builder.xor(builder.lshr(x, _constant(shift)), y)
            moved = builder.and_(moved, _constant(mask))
            builder.store(builder.xor(x, builder.shl(moved, _constant(shift))), at_low, align=8)
            builder.store(builder.xor(y, moved), at_high, align=8)
            return context.get_dummy_value()

        return types.none(values, types.intp, types.intp), code

    typed.__name__ = typed.__qualname__ = f"swap{shift}"
    return intrinsic(typed)


swap32, swap16, swap8, swap4, swap2, swap1 = (_swap(shift) for shift in (32, 16, 8, 4, 2, 1))


def _counter(name: str, count: Callable[[Any, Any], Any], result: Any) -> Any:
    """A function of a word."""

    def typed(typingctx: Any, word: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return count(builder, args[0])

        return result(types.uint64), code

    typed.__name__ = typed.__qualname__ = name
    return intrinsic(typed)


ones = _counter("ones", lambda builder, word: builder.ctpop(word), types.uint64)
"""How many ones a word has."""
lowest = _counter(
    "lowest", lambda builder, word: builder.cttz(word, ir.Constant(ir.IntType(1), 0)), types.int64
)
"""The place of a word's lowest one; 64 where it has none."""


def kernel(function: Any) -> Any:
    """Compiles a function when it is first called; kept in the user's own folder, if there is one."""
    with keeping() as kept:
        return njit(cache=kept, nogil=True)(function)
