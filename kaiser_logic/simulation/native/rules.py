"""A rule as native code: the same order of joins as in :mod:`kaiser_logic.engine.compiled.joins`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from typing import Any

from llvmlite import ir

from ...engine.compiled.joins import Body
from ...engine.compiled.ordering import has_value, matchable
from ...engine.compiled.pools import unpooled
from ...engine.compiled.syntax import parse
from ...engine.compiled.trees import (
    Aggregate,
    Comparison,
    Conditional,
    Literal,
    Parsed,
    Predicate,
    Tree,
    Truth,
    variables,
)
from ...rules.pattern import Signature
from .places import COUNT, ROOM, VERSION
from .quick import word
from .rounds import Recent, derived_again, rounds
from .writing import Writer

_ROWS = 1 << 13
"""So many things an aggregate can be of."""
_PARTS = 30
"""The first parts of a structure by which there are indexes."""
Relations = Callable[[Signature], int]
"""The relation that a rule reads or writes, by its predicate."""


def write(
    blocks: Writer,
    text: str,
    derived: Signature,
    relations: Relations,
    new: bool = False,
    again: frozenset[Signature] = frozenset(),
) -> list[int]:
    """Writes what a rule derives of a predicate of its head.

    Args:
        blocks: What is written.
        text: The rule.
        derived: The predicate.
        relations: Where the rows of each predicate lie.
        new: Whether no two rows that it derives are the same.
        again: The predicates that are derived in rounds: only what needs a row of the last round is derived.

    Raises:
        Unsupported: It has what is not compiled.
    """
    marks: list[int] = []
    parsed = parse(text)
    bodies = list(product(*map(unpooled, parsed.body)))
    heads = [h for atom in parsed.heads for h in unpooled(atom) if (h.name, len(h.args)) == derived]
    for body in (b for its in bodies for b in rounds(its, again)):
        for head in heads:
            with blocks.inside():
                found = _Native(blocks, Parsed((head,), body, ranged=parsed.ranged), relations, new, again)
                found.write(head)
            marks += found.marks
    blocks.builder.ret_void()
    return marks


class _Native(Body):
    """A rule without pools, while it is written."""

    writer: Writer

    def __init__(
        self, writer: Writer, rule: Parsed, relations: Relations, new: bool, again: frozenset[Signature]
    ) -> None:
        super().__init__(writer, rule)
        self.relations, self.new, self.again = relations, new, again
        self.marks: list[int] = []
        self.recent: tuple[Any, Any] | None = None

    def write(self, head: Predicate) -> None:
        """Writes all of it."""
        body, wanted = list(self.rule.body), set(variables(head.args))
        recent = next((x for x in body if isinstance(x, Recent)), None)
        if recent is not None:
            self._mark(recent)
        if recent is not None and self._begins(recent, body):
            body.remove(recent)
            self.literal(recent, wanted.union(variables(tuple(body))))
        self.join(body, wanted)
        row = []
        for term in self.chosen(head):
            self.writer.defined(term)
            row.append(self.writer.term(term))
        self.writer.put(self.relations((head.name, len(head.args))), row, self.new)

    def _mark(self, recent: Recent) -> None:
        """Goes on only where there are rows that are new to the rule; from now on it knows them."""
        writer = self.writer
        self.marks.append(writer.memory.room(1))
        low = writer.load(self.marks[0])
        high = writer.load(self.relations((recent.name, len(recent.args))) + COUNT)
        writer.store(high, self.marks[0])
        writer.only(writer.builder.icmp_signed("<", low, high))
        self.recent = low, high

    def _begins(self, recent: Recent, body: list[Literal]) -> bool:
        """Whether it is well to begin with the recent rows: what else is derived in rounds can then be looked up."""
        known = set(variables(recent.args))
        others = [
            x for x in body if x is not recent and isinstance(x, Predicate) and derived_again(x, self.again)
        ]
        keyed = (any(t[0] != "any" and known.issuperset(variables(t)) for t in x.args) for x in others)
        return all(keyed) and all(matchable(self.writer, t) for t in recent.args)

    def _through(self, bounds: Tree) -> Any:
        """Goes through the numbers of a range."""
        self.writer.defined(*(("op", "+", t, ("num", 0)) for t in bounds[1:]))
        return self.writer.counted(*map(self.writer.term, bounds[1:]))

    # -- literals ----------------------------------------------------------------------------------------------------------

    def literal(self, literal: Literal, later: set[str]) -> None:
        """Goes on where a literal holds."""
        if isinstance(literal, Truth):
            self.writer.only(ir.Constant(ir.IntType(1), int(literal.holds != bool(literal.sign % 2))))
        else:
            super().literal(literal, later)

    def comparison(self, literal: Comparison) -> None:
        """Tests a comparison, or gives a variable its value."""
        writer = self.writer
        sides = [literal.left, *(t for _, t in literal.guards)]
        if all(map(writer.known, sides)):
            writer.defined(*sides)
            values = list(map(writer.term, sides))
            tests = [
                self._test(
                    values[k], sign, values[k + 1], writer.numeric(sides[k]) and writer.numeric(sides[k + 1])
                )
                for k, (sign, _) in enumerate(literal.guards)
            ]
            self._only(tests, literal.sign)
            return
        left, right = sides
        if left[0] == "range" or not has_value(writer, right) or not matchable(writer, left):
            left, right = right, left
        if right[0] == "range":
            if writer.known(left):
                writer.defined(*(("op", "+", t, ("num", 0)) for t in right[1:]))
                writer.defined(left)
                writer.among(writer.term(left), right)
                return
            number = self._through(right)
            writer.equals(left, number)
            if left[0] == "var":
                writer.integers.add(left[1])
            return
        writer.defined(right)
        numeric = writer.numeric(right)
        writer.equals(left, writer.term(right))
        if numeric and left[0] == "var":
            writer.integers.add(left[1])

    def _test(self, left: Any, sign: str, right: Any, numbers: bool) -> Any:
        """Whether a comparison holds."""
        build = self.writer.builder
        if sign in ("=", "!="):
            return build.icmp_signed("==" if sign == "=" else "!=", left, right)
        if numbers:
            return build.icmp_signed(sign, left, right)
        return build.icmp_signed(sign, self.writer.call("order", left, right), word(0))

    def _only(self, tests: list[Any], sign: int) -> None:
        """Goes on where all tests hold, or where not, by the sign."""
        build = self.writer.builder
        found = tests[0]
        for test in tests[1:]:
            found = build.and_(found, test)
        self.writer.only(build.not_(found) if sign % 2 else found)

    def aggregate(self, literal: Aggregate) -> None:
        """Compares an aggregate's value, or gives it to a variable."""
        writer, memory = self.writer, self.writer.memory
        widths = {len(terms) for terms, _ in literal.elements}
        width = max(widths, default=1) + (len(widths) > 1)
        among = memory.relation(width, _ROWS)
        writer.store(word(0), among + COUNT)
        writer.store(writer.builder.add(writer.load(among + VERSION), word(1)), among + VERSION)
        for terms, body in self.elements(literal):
            with writer.inside():
                self.join(body, set(variables(terms)))
                writer.defined(*terms)
                row = [writer.term(t) for t in terms]
                if len(widths) > 1:  # rows of unlike length differ, whatever they are filled with
                    row = [*row, *[word(0)] * (width - 1 - len(row)), word(len(row))]
                writer.put(among, row)
        number = literal.function in ("#sum", "#count")
        if literal.function == "#count":
            value = writer.load(among + COUNT)
        elif literal.function == "#sum":
            value = writer.call("total", among)
        else:
            empty, sign = ("#sup", 1) if literal.function == "#min" else ("#inf", -1)
            value = writer.call("best", among, word(memory.word(empty)), sign)
        tests = []
        for sign_, term in literal.guards:
            if not writer.known(term):
                writer.equals(term, value)
                if number and term[0] == "var":
                    writer.integers.add(term[1])
                continue
            writer.defined(term)
            tests.append(self._test(value, sign_, writer.term(term), number and writer.numeric(term)))
        if tests:
            self._only(tests, literal.sign)

    def conditional(self, literal: Conditional) -> None:
        """Goes on where a literal holds wherever its condition does."""
        writer = self.writer
        outer = writer.fail
        for body in product(*map(unpooled, literal.condition)):
            with writer.inside():
                self.join(self.beside(body), set(variables(literal.literal)))
                following = writer.fail
                with writer.inside():
                    self.join(self.beside([literal.literal]), set())
                    writer.away(following)
                    writer.builder.position_at_end(writer.block())
                writer.away(outer)
                writer.builder.position_at_end(writer.block())

    def predicate(self, literal: Predicate, later: set[str]) -> None:
        """Goes through the rows that match an atom, or tests that there is one, or none."""
        writer, args = self.writer, literal.args
        relation = self.relations((literal.name, len(args)))
        places = [k for k, term in enumerate(args) if writer.known(term)]
        writer.defined(*(args[k] for k in places))
        if literal.sign == 1 and not writer.memory.words[relation + ROOM]:
            return  # there never is one
        key = {k: writer.term(args[k]) for k in places}
        open_ = [term for term in args if not writer.known(term)]
        names = [term[1] for term in open_ if term[0] == "var"]
        plain = all(term[0] in ("var", "any") for term in open_) and len(names) == len(set(names))
        if isinstance(literal, Recent):
            self._rows(relation, args, key, self.recent)
        elif not args or (plain and not places and (literal.sign or later.isdisjoint(names))):
            some = writer.builder.icmp_signed(">", writer.load(relation + COUNT), word(0))
            self._only([some], literal.sign)
        elif literal.sign or (plain and later.isdisjoint(names)):
            outer, holds = writer.fail, writer.block()
            with writer.inside() as none:
                self._rows(relation, args, key)
                writer.away(outer if literal.sign % 2 else holds)
                writer.builder.position_at_end(writer.block())
            assert writer.builder.block is none
            writer.away(holds if literal.sign % 2 else outer)
            writer.builder.position_at_end(holds)
        else:
            self._rows(relation, args, key)

    def _rows(  # type: ignore[override]
        self, relation: int, args: Sequence[Tree], key: dict[int, Any], recent: tuple[Any, Any] | None = None
    ) -> None:
        """Goes through the rows that match the arguments, of which those at some places have values."""
        read = self.writer.rows(relation, key, recent, self._inside(args, key))
        for k, term in enumerate(args):
            if k not in key and term[0] != "any":
                self.writer.equals(term, read(k))

    def _inside(self, args: Sequence[Tree], key: dict[int, Any]) -> tuple[int, int, dict[int, Any]] | None:
        """The first structure of which some parts have values: its place and shape, and those parts."""
        writer = self.writer
        for place, term in enumerate(args):
            if place not in key and term[0] == "fun":
                known = [k for k, part in enumerate(term[2][:_PARTS]) if writer.known(part)]
                if known:
                    writer.defined(*(term[2][k] for k in known))
                    parts = {k: writer.term(term[2][k]) for k in known}
                    return place, writer.memory.shape(term[1], len(term[2])), parts
        return None
