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
    DATA,
    DONE,
    FEW,
    FIRSTS,
    MADE,
    NEXTS,
    RECORD,
    ROOM,
    SIZE,
    TABLE,
    TABLE_BITS,
    VERSION,
    WHOLE,
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


class _Quick:
    """A function while it is written: its arguments are the memory and words."""

    def __init__(self, module: Any, name: str, count: int) -> None:
        function = ir.Function(module, ir.FunctionType(WORD, [WORDS] + [WORD] * count), PREFIX + name)
        self.function = function
        self.builder = ir.IRBuilder(function.append_basic_block())
        self.words, *self.args = function.args

    def block(self) -> Any:
        return self.function.append_basic_block()

    def load(self, place: Any, offset: int = 0) -> Any:
        return self.builder.load(self._at(place, offset))

    def store(self, value: Any, place: Any, offset: int = 0) -> None:
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

    def equal(self, place: Any, values: Sequence[Any], offset: int, otherwise: Any) -> None:
        """Goes on where these words lie there."""
        for k, value in enumerate(values):
            self.only(self.builder.icmp_signed("==", self.load(place, offset + k), value), otherwise)


def _term(module: Any, arity: int) -> None:
    """The value of a shape and its arguments."""
    code = _Quick(module, f"term_{arity}", arity + 1)
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


def _row(module: Any, width: int) -> None:
    """Takes a row, unless it is there."""
    code = _Quick(module, f"row_{width}", width + 1)
    build = code.builder
    relation, *values = code.args
    count, data = code.load(relation, COUNT), code.load(relation, DATA)
    new = build.add(data, build.mul(count, word(width)))
    unready, scan, many = code.block(), code.block(), code.block()
    code.only(build.icmp_signed("<", count, code.load(relation, ROOM)), unready)
    build.cbranch(build.icmp_signed("<=", count, word(FEW)), scan, many)
    build.position_at_end(scan)
    _scanned(code, data, new, values)
    for k, value in enumerate(values):
        code.store(value, new, k)
    code.store(build.add(count, word(1)), relation, COUNT)
    build.ret(word(0))
    build.position_at_end(many)
    index = code.load(relation, WHOLE)
    size = build.shl(word(1), code.load(index, SIZE))
    code.only(build.icmp_signed("==", code.load(index, MADE), code.load(relation, VERSION)), unready)
    code.only(build.icmp_signed("==", code.load(index, DONE), count), unready)
    code.only(build.icmp_signed("<", count, size), unready)
    nexts = code.load(index, NEXTS)
    head = build.add(code.load(index, FIRSTS), build.and_(hashed(build, values), build.sub(size, word(1))))
    first = code.load(head)
    start = build.block
    loop, look, following, missing = code.block(), code.block(), code.block(), code.block()
    build.branch(loop)
    build.position_at_end(loop)
    row = build.phi(WORD)
    row.add_incoming(first, start)
    build.cbranch(build.icmp_signed("<", row, word(0)), missing, look)
    build.position_at_end(look)
    code.equal(build.add(data, build.mul(row, word(width))), values, 0, following)
    build.ret(word(0))
    build.position_at_end(following)
    row.add_incoming(code.load(build.add(nexts, row)), following)
    build.branch(loop)
    build.position_at_end(missing)
    for k, value in enumerate(values):
        code.store(value, new, k)
    code.store(first, build.add(nexts, count))
    code.store(count, head)
    after = build.add(count, word(1))
    code.store(after, index, DONE)
    code.store(after, relation, COUNT)
    build.ret(word(0))
    build.position_at_end(unready)
    for k, value in enumerate(values):  # there is room for one more than can be taken
        code.store(value, new, k)
    build.ret(code.call("commit", relation))


def _scanned(code: _Quick, data: Any, end: Any, values: Sequence[Any]) -> None:
    """Goes through rows, and on where none of them is like this one."""
    build = code.builder
    start, loop, look, following, missing = (
        build.block,
        code.block(),
        code.block(),
        code.block(),
        code.block(),
    )
    build.branch(loop)
    build.position_at_end(loop)
    row = build.phi(WORD)
    row.add_incoming(data, start)
    build.cbranch(build.icmp_signed("<", row, end), look, missing)
    build.position_at_end(look)
    code.equal(row, values, 0, following)
    build.ret(word(0))
    build.position_at_end(following)
    row.add_incoming(build.add(row, word(len(values))), following)
    build.branch(loop)
    build.position_at_end(missing)


def _probe(module: Any) -> None:
    """The first row that an index of a relation lists under a hash: the last one that has been added."""
    code = _Quick(module, "probe", 3)
    build = code.builder
    relation, index, found = code.args
    unready, complete = code.block(), code.block()
    code.only(build.icmp_signed("==", code.load(index, MADE), code.load(relation, VERSION)), unready)
    code.only(build.icmp_signed("==", code.load(index, DONE), code.load(relation, COUNT)), unready)
    build.branch(complete)
    build.position_at_end(unready)
    code.call("ready", index)
    build.branch(complete)
    build.position_at_end(complete)
    last = build.sub(build.shl(word(1), code.load(index, SIZE)), word(1))
    build.ret(code.load(build.add(code.load(index, FIRSTS), build.and_(found, last))))


def module() -> Any:
    """All of them."""
    found = ir.Module()
    _probe(found)
    for count in range(1, MOST + 1):
        _term(found, count)
        _row(found, count)
    return found
