"""The native code of one rule while it is written: loops through rows and numbers, and rows added."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir

from .blocks import Blocks
from .places import COUNT, DATA, FEW, NEXTS, ROOM, WIDTH
from .quick import MOST, WORD, hashed, word


class Writer(Blocks):
    """Native code with loops: what follows one is done for each of its rows."""

    def counted(self, low: Any, high: Any) -> Any:
        """Goes through the numbers of a range: what follows is done for each."""
        before = self.builder.block
        loop, body, latch = self.block(), self.block(), self.block()
        self.builder.branch(loop)
        self.builder.position_at_end(loop)
        number = self.builder.phi(WORD)
        number.add_incoming(low, before)
        self.builder.cbranch(self.builder.icmp_signed("<=", number, high), body, self.fail)
        self.builder.position_at_end(latch)
        number.add_incoming(self.builder.add(number, word(1)), latch)
        self.builder.branch(loop)
        self.builder.position_at_end(body)
        self.fail = latch
        return number

    def rows(
        self,
        relation: int,
        key: dict[int, Any],
        recent: tuple[Any, Any] | None = None,
        inside: tuple[int, int, dict[int, Any]] | None = None,
    ) -> Callable[[int], Any]:
        """Goes through the rows of a relation that have some values at their places; a function that reads a row's places.

        Args:
            relation: The relation.
            key: The values, by place.
            recent: Only through the rows from the one to before the other.
            inside: A place where only what has a shape and some parts matters. What else stands there may be gone through.
        """
        memory, build = self.memory, self.builder
        width, data = int(memory.words[relation + WIDTH]), int(memory.words[relation + DATA])
        low, high = recent or (word(0), self.load(relation + COUNT))
        start = build.select(build.icmp_signed("<", low, high), low, word(-1))
        looked_up = [key[place] for place in sorted(key)]
        mask, parts = sum(1 << place for place in key), (0, 0, 0)
        if inside is not None:
            looked_up += [inside[2][part] for part in sorted(inside[2])]
            parts = inside[0], inside[1], sum(1 << part for part in inside[2])
        index = memory.index(relation, mask, parts) if looked_up else 0
        few: Any = ir.Constant(ir.IntType(1), 1)
        if looked_up:
            small = build.icmp_signed("<=", build.sub(high, low), word(FEW))
            found = self._either(small, lambda: word(-2), lambda: self._probed(relation, index, looked_up))
            few = build.icmp_signed("==", found, word(-2))
            start = build.select(few, start, found)
        before = build.block
        loop, body, latch = self.block(), self.block(), self.block()
        build.branch(loop)
        build.position_at_end(loop)
        row = build.phi(WORD)
        row.add_incoming(start, before)
        build.cbranch(build.icmp_signed(">=", row, low), body, self.fail)
        build.position_at_end(latch)
        following = build.add(row, word(1))
        following = build.select(build.icmp_signed("<", following, high), following, word(-1))
        if looked_up:
            nexts, plain = int(memory.words[index + NEXTS]), following
            following = self._either(few, lambda: plain, lambda: self.load(build.add(row, word(nexts))))
        row.add_incoming(following, build.block)
        build.branch(loop)
        build.position_at_end(body)
        self.fail = latch
        if looked_up and recent:
            self.only(build.icmp_signed("<", row, high))
        base = build.add(build.mul(row, word(width)), word(data))

        def read(place: int) -> Any:
            return self.load(self.builder.add(base, word(place)))

        for place in sorted(key):
            self.only(self.builder.icmp_signed("==", read(place), key[place]))
        return read

    def _either(self, condition: Any, one: Callable[[], Any], other: Callable[[], Any]) -> Any:
        """The one value where a condition holds, else the other."""
        build = self.builder
        first, second, merged = self.block(), self.block(), self.block()
        build.cbranch(condition, first, second)
        incoming = []
        for block, value in ((first, one), (second, other)):
            build.position_at_end(block)
            incoming.append((value(), build.block))
            build.branch(merged)
        build.position_at_end(merged)
        found = build.phi(WORD)
        for value_, block in incoming:
            found.add_incoming(value_, block)
        return found

    def _probed(self, relation: int, index: int, key: list[Any]) -> Any:
        """The first row that an index lists under some values, the last one that has been added; -2: go through all rows."""
        return self.call("probe", word(relation), word(index), hashed(self.builder, key))

    def put(self, relation: int, row: list[Any], new: bool = False) -> None:
        """Adds a row; ``new``: there is none like it."""
        width, data = int(self.memory.words[relation + WIDTH]), int(self.memory.words[relation + DATA])
        if not new and 1 <= width <= MOST:
            self.call(f"row_{width}", relation, *row)
            return
        if row:
            at = self.builder.add(self.builder.mul(self.load(relation + COUNT), word(width)), word(data))
            for place, value in enumerate(row):
                self.store(value, self.builder.add(at, word(place)))
        if not new:
            self.call("commit", relation)
            return
        count = self.load(relation + COUNT)
        room = int(self.memory.words[relation + ROOM])
        self._limited(self.builder.icmp_signed("<", count, word(room)))
        self.store(self.builder.add(count, word(1)), relation + COUNT)
