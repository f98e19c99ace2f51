"""Relations in short ways: a row taken unless it is there, the index that this wants, what has changed at last.

Functions of native code as in :mod:`.quick`, one for each number of places.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from llvmlite import ir

from .places import (
    BEFORE,
    CHANGED,
    COUNT,
    DATA,
    DONE,
    FEW,
    FIRSTS,
    MADE,
    MOST_LISTS,
    NEXTS,
    ROOM,
    ROWS_BEFORE,
    SIZE,
    VERSION,
    WHOLE,
    WIDTH,
)
from .quick import MOST, WORD, Quick, hashed, probe, term, word


def _row(module: Any, width: int) -> None:
    """Takes a row, unless it is there."""
    code = Quick(module, f"row_{width}", width + 1)
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
    for head_, place in ((index, DONE), (relation, COUNT)):
        code.store(build.add(count, word(1)), head_, place)
    build.ret(word(0))
    build.position_at_end(unready)
    full = code.block()
    code.only(build.icmp_signed("<", count, code.load(relation, ROOM)), full)
    code.call(f"whole_{width}", relation)
    build.branch(many)
    build.position_at_end(full)
    _left(code, relation, new, values)


def _left(code: Quick, relation: Any, new: Any, values: Sequence[Any]) -> None:
    """Leaves a row to what knows all cases: there is room for one more than can be taken."""
    for k, value in enumerate(values):
        code.store(value, new, k)
    code.builder.ret(code.call("commit", relation))


def _whole(module: Any, width: int) -> None:
    """Makes the index of whole rows anew, with room for one more, and for as many as there were before."""
    code = Quick(module, f"whole_{width}", 1)
    build = code.builder
    (relation,) = code.args
    count, data, index = code.load(relation, COUNT), code.load(relation, DATA), code.load(relation, WHOLE)
    firsts, nexts = code.load(index, FIRSTS), code.load(index, NEXTS)
    before, most = code.load(relation, ROWS_BEFORE), code.load(index, MOST_LISTS)
    wanted = build.shl(
        build.select(build.icmp_signed("<", count, before), before, build.add(count, word(1))), word(1)
    )
    wanted = build.select(build.icmp_signed("<", wanted, most), wanted, most)
    start, growing, grow, grown = build.block, code.block(), code.block(), code.block()
    loop, body, end = code.block(), code.block(), code.block()
    build.branch(growing)
    build.position_at_end(growing)
    bits = build.phi(WORD)
    bits.add_incoming(word(5), start)
    lists = build.shl(word(1), bits)
    build.cbranch(build.icmp_signed("<", lists, wanted), grow, grown)
    build.position_at_end(grow)
    bits.add_incoming(build.add(bits, word(1)), grow)
    build.branch(growing)
    build.position_at_end(grown)
    code.clear(firsts, lists)
    for value, place in ((bits, SIZE), (code.load(relation, VERSION), MADE), (count, DONE)):
        code.store(value, index, place)
    build.branch(loop)
    build.position_at_end(loop)
    row = build.phi(WORD)
    row.add_incoming(word(0), grown)
    build.cbranch(build.icmp_signed("<", row, count), body, end)
    build.position_at_end(body)
    at = build.add(data, build.mul(row, word(width)))
    values = [code.load(at, k) for k in range(width)]
    head = build.add(firsts, build.and_(hashed(build, values), build.sub(lists, word(1))))
    code.store(code.load(head), build.add(nexts, row))
    code.store(row, head)
    row.add_incoming(build.add(row, word(1)), body)
    build.branch(loop)
    build.position_at_end(end)
    build.ret(word(0))


def _scanned(code: Quick, data: Any, end: Any, values: Sequence[Any]) -> None:
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


def _settle(module: Any) -> None:
    """Says whether a relation that was made anew has other rows than before.

    Where its rows are the same its indexes, which were of a version, are good as they were.
    """
    code = Quick(module, "settle", 2)
    build = code.builder
    relation, version = code.args
    count, data, old = code.load(relation, COUNT), code.load(relation, DATA), code.load(relation, BEFORE)
    size = build.mul(count, code.load(relation, WIDTH))
    start, changed, copying = build.block, code.block(), code.block()
    same, loop, look, following = code.block(), code.block(), code.block(), code.block()
    build.cbranch(build.icmp_signed("==", count, code.load(relation, ROWS_BEFORE)), loop, changed)
    build.position_at_end(loop)
    place = build.phi(WORD)
    place.add_incoming(word(0), start)
    build.cbranch(build.icmp_signed("<", place, size), look, same)
    build.position_at_end(look)
    equal = build.icmp_signed("==", code.load(build.add(data, place)), code.load(build.add(old, place)))
    build.cbranch(equal, following, changed)
    build.position_at_end(following)
    place.add_incoming(build.add(place, word(1)), following)
    build.branch(loop)
    build.position_at_end(same)
    code.store(version, relation, VERSION)
    build.ret(word(0))
    build.position_at_end(changed)
    first = build.phi(WORD)  # what comes before this is the same
    first.add_incoming(word(0), start)
    first.add_incoming(place, look)
    code.store(count, relation, ROWS_BEFORE)
    code.store(build.add(code.load(relation, CHANGED), word(1)), relation, CHANGED)
    build.branch(copying)
    build.position_at_end(copying)
    at = build.phi(WORD)
    at.add_incoming(first, changed)
    copy, end = code.block(), code.block()
    build.cbranch(build.icmp_signed("<", at, size), copy, end)
    build.position_at_end(copy)
    code.store(code.load(build.add(data, at)), build.add(old, at))
    at.add_incoming(build.add(at, word(1)), copy)
    build.branch(copying)
    build.position_at_end(end)
    build.ret(word(0))


def module() -> Any:
    """All of them."""
    found = ir.Module()
    _settle(found)
    probe(found)
    for count in range(1, MOST + 1):
        term(found, count)
        _whole(found, count)
        _row(found, count)
    return found
