"""The ways that are gone most often, without a call of what is slower: a term that is known, a row, an index that is complete.

They are functions of native code, one for each number of arguments or places; what they do not know they leave to
:mod:`.running`, which hashes in the same way.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from llvmlite import ir

from .places import (
    BASE,
    BUFFER,
    COUNT,
    DONE,
    FIRSTS,
    MADE,
    OWED,
    PATIENCE,
    RECORD,
    SIZE,
    TABLE,
    TABLE_BITS,
    VERSION,
)

WORD: Final = ir.IntType(32)
WORDS: Final = WORD.as_pointer()
PREFIX: Final = "kaiser_logic_"
"""What the names of all that native rules call begin with."""
MOST: Final = 12
"""So many arguments or places there can be."""
_FACTOR: Final = 0x9E3779B1


def word(number: int) -> Any:
    """A constant."""
    return ir.Constant(WORD, number)


def hashed(builder: Any, values: Sequence[Any]) -> Any:
    """The hash of some words, as :func:`.running.hashed` goes on with one after the other."""
    found: Any = word(0)
    for value in values:
        found = builder.mul(builder.xor(found, value), word(_FACTOR))
        found = builder.xor(found, builder.lshr(found, word(15)))
    return found


class Quick:
    """A function while it is written: its arguments are the memory and words."""

    def __init__(self, module: Any, name: str, count: int) -> None:
        function = ir.Function(module, ir.FunctionType(WORD, [WORDS] + [WORD] * count), PREFIX + name)
        self.function = function
        self.builder = ir.IRBuilder(function.append_basic_block())
        self.words, *self.args = function.args

    def block(self) -> Any:
        """A new block."""
        return self.function.append_basic_block()

    def load(self, place: Any, offset: int = 0) -> Any:
        """A word of the memory."""
        return self.builder.load(self._at(place, offset))

    def store(self, value: Any, place: Any, offset: int = 0) -> None:
        """Writes a word."""
        self.builder.store(value, self._at(place, offset))

    def _at(self, place: Any, offset: int) -> Any:
        if isinstance(place, int):
            return self.builder.gep(self.words, [word(place + offset)])
        return self.builder.gep(self.words, [self.builder.add(place, word(offset)) if offset else place])

    def only(self, condition: Any, otherwise: Any) -> None:
        """Goes on where a condition holds, else elsewhere."""
        following = self.block()
        self.builder.cbranch(condition, following, otherwise)
        self.builder.position_at_end(following)

    def call(self, name: str, *args: Any) -> Any:
        """Calls something else."""
        module = self.function.module
        function = module.globals.get(PREFIX + name)
        if function is None:
            kind = ir.FunctionType(WORD, [WORDS] + [WORD] * len(args))
            function = ir.Function(module, kind, PREFIX + name)
        return self.builder.call(function, [self.words, *args])

    def clear(self, place: Any, count: Any) -> None:
        """Fills so many words with -1."""
        bytes_, wide = ir.IntType(8), ir.IntType(64)
        fill = self.function.module.declare_intrinsic("llvm.memset", [bytes_.as_pointer(), wide])
        at = self.builder.bitcast(self._at(place, 0), bytes_.as_pointer())
        size = self.builder.mul(self.builder.zext(count, wide), ir.Constant(wide, 4))
        self.builder.call(fill, [at, ir.Constant(bytes_, 255), size, ir.Constant(ir.IntType(1), 0)])

    def equal(self, place: Any, values: Sequence[Any], offset: int, otherwise: Any) -> None:
        """Goes on where these words lie there."""
        for k, value in enumerate(values):
            self.only(self.builder.icmp_signed("==", self.load(place, offset + k), value), otherwise)


def term(module: Any, arity: int) -> None:
    """The value of a shape and its arguments."""
    code = Quick(module, f"term_{arity}", arity + 1)
    build = code.builder
    shape, *args = code.args
    bits = code.load(TABLE_BITS)
    last = build.sub(build.shl(word(1), bits), word(1))
    first = build.and_(hashed(build, code.args), last)
    start = build.block
    loop, look, following, missing = code.block(), code.block(), code.block(), code.block()
    build.branch(loop)
    build.position_at_end(loop)
    slot = build.phi(WORD)
    slot.add_incoming(first, start)
    place = code.load(slot, TABLE)
    build.cbranch(build.icmp_signed("==", place, word(0)), missing, look)
    build.position_at_end(look)
    code.equal(place, [shape], 0, following)
    code.equal(place, args, RECORD, following)
    build.ret(build.add(place, word(BASE)))
    build.position_at_end(following)
    slot.add_incoming(build.and_(build.add(slot, word(1)), last), following)
    build.branch(loop)
    build.position_at_end(missing)
    for k, value in enumerate(code.args):
        code.store(value, BUFFER + k)
    build.ret(code.call("intern", word(arity)))


def probe(module: Any) -> None:
    """The first row that an index of a relation lists under a hash: the last one that has been added.

    -2 where all rows are to be gone through: an index costs more than that, and pays only if it is asked for repeatedly.
    """
    code = Quick(module, "probe", 3)
    build = code.builder
    relation, index, found = code.args
    unready, absent, complete, made = code.block(), code.block(), code.block(), code.block()
    count = code.load(relation, COUNT)
    code.only(build.icmp_signed("==", code.load(index, MADE), code.load(relation, VERSION)), absent)
    done = code.load(index, DONE)
    code.only(build.icmp_signed("==", done, count), unready)
    build.branch(complete)
    build.position_at_end(absent)
    owed = build.add(code.load(index, OWED), count)
    code.store(owed, index, OWED)
    code.only(build.icmp_signed("<", owed, build.mul(count, word(PATIENCE))), made)
    build.ret(word(-2))
    build.position_at_end(made)
    code.store(word(0), index, OWED)
    build.branch(unready)
    build.position_at_end(unready)
    code.call("ready", index)
    build.branch(complete)
    build.position_at_end(complete)
    last = build.sub(build.shl(word(1), code.load(index, SIZE)), word(1))
    build.ret(code.load(build.add(code.load(index, FIRSTS), build.and_(found, last))))
