"""The layout of a position as a row of bits: one bit for each possible fact, and the numbers without a limit beside it.

The bits of decisions and steps come first, and fill words of their own. A counter has a bit for each of its values, at most
one of which is set. Counters that the rulebook does not limit (points) are whole numbers.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Final, TypeAlias

from .. import clingo
from ..engine import symbols
from ..engine.domains import bound_of
from ..engine.grounding import Grounding
from ..engine.ruleset import Ruleset
from ..lang.algebra import occurrences, variables
from ..lang.terms import ANY, FLIPPED, Atom, Compare, Int, Literal, Signature, Var
from ..rules.predicates import DECISION, DUE, FLUENT
from ..rules.rule import PlacedRule, Role
from ..transform.slicing import position_seeds
from .bits import Group, Unsupported

# -- numbers that are compared -------------------------------------------------------------------------------
#
# Rules may compare numbers beside the bits with static values. Between two of these all numbers are alike. So each interval has
# a bit, which circuits read as a fact with one number of the interval. Of the points that this rule reads (``N`` is 30 in all
# games), 30 stands for all numbers up to 30, and 31 for all others::
#
#     end_begins :- turn(R); points(R,I); threshold(N); I > N.


_EDGES: Final = {">": (1,), ">=": (0,), "<": (0,), "<=": (1,), "=": (0, 1), "!=": (0, 1)}
"""For each sign where intervals begin, relative to the other side."""
_LARGEST: Final = 2**30

Facts: TypeAlias = Mapping[Signature, tuple[clingo.Symbol, ...]]
"""The static facts, by signature."""
Edge: TypeAlias = tuple[Signature, int]
"""A kind of number, and the least value of an interval."""


def edges(rule: PlacedRule, kinds: Collection[Signature], static: Facts) -> set[Edge] | None:
    """Where intervals begin whose numbers are alike for a rule; None if it does more with numbers than compare them.

    Args:
        rule: A rule.
        kinds: The kinds of numbers. All are stated, even 0.
        static: The facts with whose arguments they are compared; figures are allowed too.
    """
    if not rule.heads or any(a.signature in kinds for a in (*rule.heads, *rule.negative, *rule.inner)):
        return None
    starts: set[Edge] = set()
    for atom in rule.value.body:
        if not isinstance(atom, Atom) or atom.signature not in kinds or atom.args[-1] == ANY:
            continue
        number = atom.args[-1]
        if not isinstance(number, Var):
            return None
        reading = [x for x in rule.value.body if x != atom and number.name in variables(x)]
        beginning = [_edges(literal, number, rule, static) for literal in reading]
        if None in beginning or occurrences(rule.value).count(number.name) != 1 + len(reading):
            return None
        starts |= {(atom.signature, n) for facts in beginning for n in facts or ()}
    return starts


def _edges(literal: Literal, number: Var, rule: PlacedRule, static: Facts) -> set[int] | None:
    """Where intervals begin for a comparison; None if it is no such comparison."""
    match literal:
        case Compare(left, sign, (Var() | Int()) as other, 0) if left == number:
            pass
        case Compare((Var() | Int()) as other, flipped, right, 0) if right == number:
            sign = FLIPPED[flipped]
        case _:
            return None
    values = _values(other, rule, static)
    if values is None or any(abs(n) > _LARGEST for n in values):
        return None
    return {n + more for n in values for more in _EDGES[sign]}


def _values(term: Var | Int, rule: PlacedRule, static: Facts) -> set[int] | None:
    """The possible values of a term: a figure, or a variable of a static fact; None if they are unknown."""
    if isinstance(term, Int):
        return {term.value}
    for atom in rule.value.body if term != ANY else ():
        if isinstance(atom, Atom) and not atom.sign and atom.signature in static and term in atom.args:
            values = {fact.arguments[atom.args.index(term)] for fact in static[atom.signature]}
            numbers = {s.number for s in values if s.type is clingo.SymbolType.Number}
            return numbers if len(numbers) == len(values) else None
    return None


_WORD: Final = 64
_SEAT: Final[Signature] = ("seat", 2)
MOST_WORDS: Final = 500
"""The largest number of words of a row. Larger positions have no rows."""
LARGEST: Final = 50_000
"""The exclusive bound of numbers beside the circuit. The engine for one position handles larger ones."""


_REMEMBERED: Final = 100_000
"""The largest number of cached facts beside the bits."""


@dataclass(frozen=True)
class Layout:
    """The bit of each fact.

    Attributes:
        bits: The bit of each fact.
        facts: The fact of each bit; None for bits that fill a word.
        decisions: The decisions.
        steps: The facts for due steps.
        control: The number of words for decisions and steps.
        numbers: The counters without a limit, as terms.
        seats: The seat facts, which are part of every position.
        counters: The kinds of counters, each with whether 0 is stated.
        signed: The kinds of counters that can be negative.
        edges: Where intervals of numbers begin.
        tests: Bits for intervals of numbers: the index of the number, the least value, the exclusive upper bound, the bit.
        static: The static facts with which numbers are compared.
    """

    bits: dict[clingo.Symbol, int]
    facts: tuple[clingo.Symbol | None, ...]
    decisions: tuple[clingo.Symbol, ...]
    steps: tuple[clingo.Symbol, ...]
    control: int
    numbers: tuple[clingo.Symbol, ...]
    seats: frozenset[clingo.Symbol]
    counters: dict[Signature, bool]
    signed: frozenset[Signature]
    edges: frozenset[Edge]
    tests: tuple[tuple[int, int, int, int], ...]
    static: Facts

    @property
    def words(self) -> int:
        """The number of words of a position."""
        return len(self.facts) // _WORD

    @cached_property
    def unbounded(self) -> frozenset[Signature]:
        """The kinds of facts that are numbers beside the bits."""
        return frozenset((c.name, len(c.arguments) + 1) for c in self.numbers)

    def group(self, fact: clingo.Symbol) -> Group | None:
        """The counter and the value of a counter's fact; None for other facts."""
        if symbols.signature(fact) not in self.counters:
            return None
        return symbols.counter_of(fact), fact.arguments[-1]

    @cached_property
    def stated(self) -> frozenset[Signature]:
        """Those of the kinds that positions state even if the number is 0."""
        return frozenset(kind for kind in self.unbounded if self.counters[kind])

    @property
    def given(self) -> list[clingo.Symbol]:
        """Facts that circuits read in every position: seats, and any number in place of those that are not compared."""
        compared = {number for number, *_ in self.tests}
        numbers = (c for n, c in enumerate(self.numbers) if n not in compared and self._is_stated(c))
        return [*self.seats, *(clingo.Function(c.name, [*c.arguments, clingo.Number(0)]) for c in numbers)]

    def readable(self, rules: Iterable[PlacedRule]) -> list[PlacedRule]:
        """The rules that circuits read: without those that only add to numbers beside the bits.

        Raises:
            Unsupported: A rule reads such a number, and does more than compare it at the edges of intervals.
        """
        readable_rules: list[PlacedRule] = []
        for rule in rules:
            read = {a.signature for a in (*rule.positive, *rule.negative, *rule.inner)} & self.unbounded
            if read and rule.role is Role.GENERATED and any(a.name == "change" for a in rule.positive):
                continue
            read_edges = edges(rule, self.stated, self.static) if read else set()
            if read_edges is None or not read_edges <= self.edges or not read <= self.stated:
                raise Unsupported(f"{rule.file}:{rule.line} reads {min(read)[0]}")
            readable_rules.append(rule)
        return readable_rules

    def least(self, number: clingo.Symbol) -> int:
        """The least value of a counter without a limit."""
        return -LARGEST if (number.name, len(number.arguments) + 1) in self.signed else 0

    def encode(self, facts: Iterable[clingo.Symbol]) -> tuple[bytes, list[int]] | None:
        """The words of a position as bytes, and the numbers beside them; None if the position does not fit."""
        row, seats = 0, 0
        numbers: list[int | None] = [None] * len(self.numbers)
        seen: set[int] = set()
        codes = self._codes
        for fact in facts:
            code = codes.get(fact)
            if code is not None:
                row |= code[0]
                if code[1] in seen:
                    return None
                if code[1] >= 0:
                    seen.add(code[1])
            elif fact in self.seats:
                seats += 1
            else:
                number_place = self._number_beside(fact)
                if number_place is None or numbers[number_place[0]] is not None:
                    return None
                numbers[number_place[0]] = number_place[1]
        if seats != len(self.seats) or not all(map(self._fits, self._bounds, numbers)):
            return None
        for place, least, end, bit in self.tests:
            row |= (least <= (numbers[place] or 0) < end) << bit
        return row.to_bytes(8 * self.words, "little"), [n or 0 for n in numbers]

    @cached_property
    def _codes(self) -> dict[clingo.Symbol, tuple[int, int]]:
        """For each fact with a bit the number with only that bit, and its counter; -1 for none."""
        counters: dict[clingo.Symbol, int] = {}
        codes = {}
        for fact, bit in self.bits.items():
            group = self.group(fact)
            if symbols.signature(fact) not in self.unbounded:
                of = -1 if group is None else counters.setdefault(symbols.counter_of(fact), len(counters))
                codes[fact] = 1 << bit, of
        return codes

    def _number_beside(self, fact: clingo.Symbol) -> tuple[int, int] | None:
        """The index and the value of the number beside the bits that a fact states; None if it states none."""
        known = self._numbers
        if fact not in known:
            if len(known) > _REMEMBERED:
                known.clear()
            place = self._places.get(symbols.counter_of(fact)) if symbols.signature(fact) in self.unbounded else None
            known[fact] = None if place is None else (place, fact.arguments[-1].number)
        return known[fact]

    @cached_property
    def _numbers(self) -> dict[clingo.Symbol, tuple[int, int] | None]:
        return {}

    @cached_property
    def _places(self) -> dict[clingo.Symbol, int]:
        return {c: place for place, c in enumerate(self.numbers)}

    @cached_property
    def _bounds(self) -> list[tuple[int, bool]]:
        """For each number beside the bits its least value, and whether positions state it when it is 0."""
        return [(self.least(c), self._is_stated(c)) for c in self.numbers]

    @staticmethod
    def _fits(bounds: tuple[int, bool], number: int | None) -> bool:
        """Whether a number fits beside the bits; None: the position states none."""
        least, stated = bounds
        if number is None:
            return not stated
        return least <= number < LARGEST and (number != 0 or stated)

    def _is_stated(self, number: clingo.Symbol) -> bool:
        return self.counters[number.name, len(number.arguments) + 1]

    def decode(self, words: bytes, numbers: Iterable[int]) -> frozenset[clingo.Symbol]:
        """The position of a row."""
        facts, row = set(self.seats), int.from_bytes(words, "little")
        for *_, bit in self.tests:
            row &= ~(1 << bit)
        while row:
            lowest = row & -row
            fact = self.facts[lowest.bit_length() - 1]
            assert fact is not None
            facts.add(fact)
            row ^= lowest
        for c, n in zip(self.numbers, numbers, strict=True):
            if n or self._is_stated(c):
                facts.add(clingo.Function(c.name, [*c.arguments, clingo.Number(n)]))
        return frozenset(facts)


def layout_of(ruleset: Ruleset) -> Layout:
    """The layout of the positions under these rules; without any bit if there are too many facts for rows."""
    program = ruleset.program("vocabulary", position_seeds, [FLUENT])

    def vocabulary(allowed: Iterable[int]) -> list[clingo.Symbol]:
        numbers = [clingo.Function("number", [clingo.Number(n)]) for n in allowed]
        return [s.arguments[0] for s in Grounding(program, numbers).get(*FLUENT)]

    few = range(bound_of(ruleset.book) + 1)
    possible_facts = vocabulary(few)
    wide = len(possible_facts) > _WORD * MOST_WORDS
    more = [] if wide else vocabulary([*few, LARGEST])
    counters = dict(ruleset.book.counters)
    numbers = sorted(
        symbols.counter_of(f)
        for f in more
        if symbols.signature(f) in counters and f.arguments[-1] == clingo.Number(LARGEST)
    )
    unbounded = {(c.name, len(c.arguments) + 1) for c in numbers}
    aside = {*unbounded, _SEAT, DUE}
    fluents = [] if wide else [f for f in dict.fromkeys(possible_facts) if symbols.signature(f) not in aside]
    decisions = sorted(f for f in fluents if symbols.signature(f) == DECISION)
    steps = [] if wide else sorted(ruleset.steps)
    rest = sorted(f for f in fluents if symbols.signature(f) != DECISION)
    stated = frozenset(kind for kind in unbounded if counters[kind])
    begin = {edge for rule in ruleset.rules for edge in edges(rule, stated, ruleset.static) or ()}
    intervals = list(_intervals(numbers, begin))
    facts = [*_fill_word([*decisions, *steps]), *_fill_word([*rest, *(fact for fact, *_ in intervals)])]
    bits = {fact: bit for bit, fact in enumerate(facts) if fact is not None}
    return Layout(
        bits,
        tuple(facts),
        tuple(decisions),
        tuple(steps),
        len(_fill_word([*decisions, *steps])) // _WORD,
        tuple(numbers),
        frozenset(ruleset.facts("seat", 2)) or frozenset(s for s in ruleset.given if s.name == "seat"),
        counters,
        frozenset(ruleset.book.signed),
        frozenset(begin),
        tuple((number, least, end, bits[fact]) for fact, number, least, end in intervals),
        ruleset.static,
    )


def _intervals(
    numbers: Sequence[clingo.Symbol], begin: Iterable[Edge]
) -> Iterator[tuple[clingo.Symbol, int, int, int]]:
    """For each interval of numbers its fact, the index of the number, the least value and the exclusive upper bound."""
    for place, number in enumerate(numbers):
        own = sorted(n for kind, n in begin if kind == (number.name, len(number.arguments) + 1))
        for least, end in pairwise([-LARGEST, *own, LARGEST]) if own else ():
            value = least if least in own else end - 1
            yield clingo.Function(number.name, [*number.arguments, clingo.Number(value)]), place, least, end


def _fill_word(facts: list[clingo.Symbol]) -> list[clingo.Symbol | None]:
    """The facts, padded to the end of a word."""
    return [*facts, *[None] * (-len(facts) % _WORD)]
