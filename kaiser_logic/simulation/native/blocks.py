"""The native code of one rule while it is written: blocks of LLVM, and what is bound at the place that has been reached."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from llvmlite import ir

from ...engine.compiled.trees import Tree
from ...engine.compiled.values import Unsupported
from ...engine.compiled.writer import Writer
from .memory import Memory
from .places import BASE, BUFFER, ERROR, LIMIT, RECORD
from .quick import MOST, PREFIX, WORD, WORDS, word


class Blocks(Writer):
    """Native code, each part of which goes on where the one before holds, and else to the next row of the loop above it.

    Attributes:
        memory: Where everything lies.
        module: What is written.
        builder: What writes it.
        fail: Where it goes on when something does not hold.
        values: What the variables are.
    """

    def __init__(self, memory: Memory, module: Any, function: Any) -> None:
        """Nothing is written yet in a function."""
        super().__init__()
        self.memory, self.module, self.function = memory, module, function
        self.builder = ir.IRBuilder(function.append_basic_block())
        self.words = function.args[0]
        self.values: dict[str, Any] = {}
        self.fail: Any = None

    # -- blocks ----------------------------------------------------------------------------------------------------------------

    def block(self) -> Any:
        """A new block."""
        return self.function.append_basic_block()

    def only(self, condition: Any) -> None:
        """Goes on only where this holds."""
        following = self.block()
        self.builder.cbranch(condition, following, self.fail)
        self.builder.position_at_end(following)

    def away(self, block: Any) -> None:
        """Goes to a block."""
        self.builder.branch(block)

    @contextmanager
    def inside(self) -> Iterator[Any]:
        """What is written inside is gone through as a whole, then it goes on behind it; that block is given."""
        bound, integers, values, fail = set(self.bound), set(self.integers), dict(self.values), self.fail
        after = self.fail = self.block()
        yield after
        self.builder.branch(self.fail)
        self.builder.position_at_end(after)
        self.bound, self.integers, self.values, self.fail = bound, integers, values, fail

    def load(self, place: Any) -> Any:
        """A word of the memory."""
        at = word(place) if isinstance(place, int) else place
        return self.builder.load(self.builder.gep(self.words, [at]))

    def store(self, value: Any, place: Any) -> None:
        """Writes a word."""
        at = word(place) if isinstance(place, int) else place
        self.builder.store(value, self.builder.gep(self.words, [at]))

    def call(self, name: str, *args: Any) -> Any:
        """Calls a helper."""
        function = self.module.globals.get(PREFIX + name)
        if function is None:
            kind = ir.FunctionType(WORD, [WORDS] + [WORD] * len(args))
            function = ir.Function(self.module, kind, PREFIX + name)
        return self.builder.call(
            function, [self.words, *(word(x) if isinstance(x, int) else x for x in args)]
        )

    # -- terms -----------------------------------------------------------------------------------------------------------------

    def is_number(self, value: Any) -> Any:
        """Whether a value is a number."""
        return self.builder.icmp_signed("<", value, word(BASE))

    def term(self, term: Tree) -> Any:
        """The value of a term; `defined` has been asked before."""
        kind, build = term[0], self.builder
        if kind == "var":
            return self.values[term[1]]
        if kind == "num":
            if abs(term[1]) > LIMIT:
                raise Unsupported(str(term))
            return word(term[1])
        if kind in ("const", "str"):
            return word(self.memory.word(term[1] if kind == "const" else f'"{term[1]}'))
        if kind == "fun":
            if len(term[2]) > 32:
                raise Unsupported(str(term))
            args = [self.term(x) for x in term[2]]
            shape = word(self.memory.shape(term[1], len(args)))
            if 1 <= len(args) <= MOST:
                return self.call(f"term_{len(args)}", shape, *args)
            self.store(shape, BUFFER)
            for k, value in enumerate(args, 1):
                self.store(value, BUFFER + k)
            return self.call("intern", len(args))
        if kind == "op":
            left, right = map(self.term, term[2:])
            if term[1] in ("/", "\\"):
                return build.sdiv(left, right) if term[1] == "/" else build.srem(left, right)
            if term[1] == "*":
                wide = ir.IntType(64)
                product = build.mul(build.sext(left, wide), build.sext(right, wide))
                limit = ir.Constant(wide, LIMIT)
                shifted = build.add(product, limit)
                self._limited(build.icmp_unsigned("<=", shifted, ir.Constant(wide, 2 * LIMIT)))
                return build.trunc(product, WORD)
            found = build.add(left, right) if term[1] == "+" else build.sub(left, right)
            return self._within(found)
        raise Unsupported(str(term))

    def _within(self, found: Any) -> Any:
        """A sum or difference, if it is not too large."""
        shifted = self.builder.add(found, word(LIMIT))
        self._limited(self.builder.icmp_unsigned("<=", shifted, word(2 * LIMIT)))
        return found

    def _limited(self, fine: Any) -> None:
        """Goes on only where a number is not too large; else the whole question is left to the engine for one position."""
        following, bad = self.block(), self.block()
        self.builder.cbranch(fine, following, bad)
        self.builder.position_at_end(bad)
        self.store(word(1), ERROR)
        self.builder.branch(self.fail)
        self.builder.position_at_end(following)

    def defined(self, *terms: Tree) -> None:
        """Goes on only where the terms have values: numbers where it is calculated, and no division by nothing."""
        for term in terms:
            if term[0] == "fun":
                self.defined(*term[2])
            elif term[0] == "op":
                for part in term[2:]:
                    if part[0] == "op":
                        self.defined(part)
                    elif part[0] not in ("var", "num"):
                        self.only(ir.Constant(ir.IntType(1), 0))
                    elif not self.numeric(part):
                        self.only(self.is_number(self.term(part)))
                        self.integers.add(part[1])
                if term[1] in ("/", "\\"):
                    self.only(self.builder.icmp_signed("!=", self.term(term[3]), word(0)))

    def bind(self, name: str, value: Any, number: bool = False) -> None:
        """Gives a variable its value."""
        self.values[name] = value
        self.bound.add(name)
        if number:
            self.integers.add(name)

    def equals(self, term: Tree, value: Any) -> None:
        """Goes on where a value is the term's, whose variables get their values from it."""
        kind, build = term[0], self.builder
        if kind == "any":
            return
        if self.known(term):
            self.defined(term)
            self.only(self.builder.icmp_signed("==", value, self.term(term)))
        elif kind == "var":
            self.bind(term[1], value)
        elif kind == "fun":
            self.only(build.icmp_signed(">=", value, word(BASE)))
            place = self.builder.sub(value, word(BASE))
            shape = self.memory.shape(term[1], len(term[2]))
            self.only(self.builder.icmp_signed("==", self.load(place), word(shape)))
            for k, part in enumerate(term[2]):
                if part[0] != "any":
                    self.equals(part, self.load(self.builder.add(place, word(RECORD + k))))
        elif kind == "op" and term[1] in ("+", "-"):
            self._solve(term, value)
        elif kind == "range" and self.known(term[1]) and self.known(term[2]):
            self.defined(term[1], term[2])
            self.among(value, term)
        else:
            raise Unsupported(str(term))

    def among(self, value: Any, bounds: Tree) -> None:
        """Goes on where a value is a number of a range."""
        low, high = map(self.term, bounds[1:])
        self.only(self.is_number(value))
        self.only(self.builder.icmp_signed(">=", value, low))
        self.only(self.builder.icmp_signed("<=", value, high))

    def _solve(self, term: Tree, value: Any) -> None:
        """Matches a sum or a difference in which one side is a variable without a value."""
        _, sign, left, right = term
        if left[0] == "var" and left[1] not in self.bound and self.known(right):
            unknown, other, adds = left, right, sign == "-"
        elif right[0] == "var" and right[1] not in self.bound and self.known(left):
            unknown, other, adds = right, left, None
        else:
            raise Unsupported(str(term))
        self.only(self.is_number(value))
        self.defined(("op", "+", other, ("num", 0)))
        known = self.term(other)
        if adds is None:
            found = self.builder.sub(value, known) if sign == "+" else self.builder.sub(known, value)
        else:
            found = self.builder.add(value, known) if adds else self.builder.sub(value, known)
        self.bind(unknown[1], self._within(found), number=True)
