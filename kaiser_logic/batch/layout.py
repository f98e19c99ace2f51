"""The layout of a position as a row of bits: one bit for each possible fact, and the numbers without a limit beside it.

The bits of decisions and steps come first, and fill words of their own. A counter has a bit for each of its values, at most
one of which is set. Counters that the rulebook does not limit (points) are whole numbers.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final, TypeAlias

from .. import clingo
from ..engine import symbols
from ..engine.domains import bound_of
from ..engine.grounding import Grounding
from ..engine.ruleset import Ruleset
from ..lang.algebra import occurrences, variables
from ..lang.terms import ANY, FLIPPED, Atom, Compare, Fun, Int, Literal, Name, Op, Signature, Term, Var
from ..lang.terms import Rule as Value
from ..rules.predicates import AT_LEAST, COUNTER, DECISION, DUE, FLUENT
from ..rules.reader import rule_from
from ..rules.rule import Rule
from ..transform.slicing import position_seeds
from .bits import Group

# -- thresholds ----------------------------------------------------------------------------------------------
#
# Numbers beside the circuit that rules compare with static values: a bit for each such comparison.
#
# Such a rule is replaced by one that reads bits (``N`` is 30 in all games)::
#
#     end_begins :- turn(R); points(R,I); threshold(N); I > N.
#     end_begins :- turn(R); counter__(points(R)); threshold(N); at_least__(points(R),N+1).


_BEYOND: Final = {">": (0, 1), ">=": (0, 0), "<": (1, 0), "<=": (1, 1)}
"""For each sign whether a bit is negated, and its offset from the other side."""
_BOTH: Final = {"=": (">=", "<=")}
_LARGEST: Final = 2**30

Facts: TypeAlias = Mapping[Signature, tuple[clingo.Symbol, ...]]
"""The static facts, by signature."""


@dataclass(frozen=True)
class Compared:
    """A rule that reads threshold bits in place of numbers.

    Attributes:
        rule: The rule.
        least: The bits that it reads: whether a number of this kind reaches a value.
    """

    rule: Rule
    least: frozenset[tuple[Signature, int]]


def compared(rule: Rule, unbounded: frozenset[Signature], static: Facts) -> Compared | None:
    """A rule with bits in place of the numbers that it reads; None if it uses them otherwise, or reads none.

    Args:
        rule: A rule.
        unbounded: The kinds of numbers. All are stated, even 0.
        static: The facts with whose arguments they are compared; figures are allowed too.
    """
    literals: list[Literal] = list(rule.value.body)
    atoms = [x for x in literals if isinstance(x, Atom) and not x.sign and x.signature in unbounded]
    if (
        not atoms
        or not rule.heads
        or any(a.signature in unbounded for a in (*rule.heads, *rule.negative, *rule.inner))
    ):
        return None
    least: set[tuple[Signature, int]] = set()
    for atom in atoms:
        found = _replaced(rule, atom, literals, static)
        if found is None:
            return None
        literals, its = found
        least |= {(atom.signature, n) for n in its}
    value = Value(rule.value.head, tuple(literals))
    return Compared(rule_from(value, rule.place, rule.block), frozenset(least))


def _replaced(
    rule: Rule, atom: Atom, literals: list[Literal], static: Facts
) -> tuple[list[Literal], set[int]] | None:
    """The literals with bits in place of one atom, and the thresholds of these bits; None if that is impossible."""
    *args, variable = atom.args
    if not isinstance(variable, Var) or literals.count(atom) != 1:
        return None
    counter = Fun(atom.name, tuple(args)) if args else Name(atom.name)
    found: list[Literal] = []
    least, seen = set[int](), 1
    for literal in literals:
        if literal == atom:
            found.append(Atom(COUNTER[0], (counter,)))
        elif variable.name not in variables(literal):
            found.append(literal)
        else:
            bits = _bits(literal, variable, counter, rule, static)
            if bits is None:
                return None
            found += bits[0]
            least |= bits[1]
            seen += 1
    if variable != ANY and occurrences(rule.value).count(variable.name) != seen:
        return None
    return found, least


def _bits(
    literal: Literal, variable: Var, counter: Term, rule: Rule, static: Facts
) -> tuple[list[Literal], set[int]] | None:
    """A comparison as literals that read bits, and the thresholds of these; None if it is no such comparison."""
    match literal:
        case Compare(left, op, (Var() | Int()) as right, 0) if left == variable:
            sign, other = op, right
        case Compare((Var() | Int()) as left, op, right, 0) if right == variable:
            sign, other = FLIPPED[op], left
        case _:
            return None
    if sign == "!=" or other == variable:
        return None
    values = _values(other, rule, static)
    if values is None or any(abs(n) > _LARGEST for n in values):
        return None
    signs = _BOTH.get(sign, (sign,))
    beyond = [_BEYOND[s] for s in signs]
    bits: list[Literal] = [
        Atom(AT_LEAST[0], (counter, Op("+", other, Int(1)) if more else other), denied)
        for denied, more in beyond
    ]
    return bits, {n + more for n in values for _, more in beyond}


def _values(term: Var | Int, rule: Rule, static: Facts) -> set[int] | None:
    """The possible values of a term: a figure, or a variable of a static fact; None if they are unknown."""
    if isinstance(term, Int):
        return {term.value}
    for atom in rule.value.body:
        if isinstance(atom, Atom) and not atom.sign and atom.signature in static and term in atom.args:
            found = {fact.arguments[atom.args.index(term)] for fact in static[atom.signature]}
            numbers = {s.number for s in found if s.type is clingo.SymbolType.Number}
            return numbers if len(numbers) == len(found) else None
    return None


def thresholds(
    rules: Iterable[Rule], numbers: Iterable[clingo.Symbol], unbounded: frozenset[Signature], static: Facts
) -> list[clingo.Symbol]:
    """The facts at_least__(Number,Least) for the threshold bits that rules read."""
    found = [made for rule in rules if (made := compared(rule, unbounded, static))]
    least = sorted({one for made in found for one in made.least})
    return [
        clingo.Function(AT_LEAST[0], [number, clingo.Number(n)])
        for number in numbers
        for signature, n in least
        if signature == (number.name, len(number.arguments) + 1)
    ]


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
        tests: Bits that follow from numbers: the index of the number, its least value, the bit.
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
    tests: tuple[tuple[int, int, int], ...] = ()

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
        return counter(fact), fact.arguments[-1]

    @property
    def counted(self) -> list[clingo.Symbol]:
        """The facts that state which numbers exist."""
        return [clingo.Function(COUNTER[0], [number]) for number in self.numbers]

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
                found = self._beside(fact)
                if found is None or numbers[found[0]] is not None:
                    return None
                numbers[found[0]] = found[1]
        if seats != len(self.seats) or not all(map(self._fits, self._bounds, numbers)):
            return None
        for place, least, bit in self.tests:
            row |= ((numbers[place] or 0) >= least) << bit
        return row.to_bytes(8 * self.words, "little"), [n or 0 for n in numbers]

    @cached_property
    def _codes(self) -> dict[clingo.Symbol, tuple[int, int]]:
        """For each fact with a bit the number with only that bit, and its counter; -1 for none."""
        counters: dict[clingo.Symbol, int] = {}
        found = {}
        for fact, bit in self.bits.items():
            group = self.group(fact)
            of = -1 if group is None else counters.setdefault(counter(fact), len(counters))
            found[fact] = 1 << bit, of
        return found

    def _beside(self, fact: clingo.Symbol) -> tuple[int, int] | None:
        """The index and the value of the number beside the bits that a fact states; None if it states none."""
        known = self._numbers
        if fact not in known:
            if len(known) > _REMEMBERED:
                known.clear()
            place = self._places.get(counter(fact)) if symbols.signature(fact) in self.unbounded else None
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
        return [(self.least(c), self._stated(c)) for c in self.numbers]

    @staticmethod
    def _fits(bounds: tuple[int, bool], number: int | None) -> bool:
        """Whether a number fits beside the bits; None: the position states none."""
        least, stated = bounds
        if number is None:
            return not stated
        return least <= number < LARGEST and (number != 0 or stated)

    def _stated(self, number: clingo.Symbol) -> bool:
        return self.counters[number.name, len(number.arguments) + 1]

    def decode(self, words: bytes, numbers: Iterable[int]) -> frozenset[clingo.Symbol]:
        """The position of a row."""
        found, row = set(self.seats), int.from_bytes(words, "little")
        for _, _, bit in self.tests:
            row &= ~(1 << bit)
        while row:
            lowest = row & -row
            fact = self.facts[lowest.bit_length() - 1]
            assert fact is not None
            found.add(fact)
            row ^= lowest
        for c, n in zip(self.numbers, numbers, strict=True):
            if n or self._stated(c):
                found.add(clingo.Function(c.name, [*c.arguments, clingo.Number(n)]))
        return frozenset(found)

    @property
    def digest(self) -> str:
        """A hash of this layout."""
        said = [
            *map(str, self.facts),
            "numbers",
            *map(str, self.numbers),
            "seats",
            *sorted(map(str, self.seats)),
        ]
        return hashlib.sha256("\n".join(said).encode()).hexdigest()


def tested(ruleset: Ruleset, layout: Layout) -> Ruleset:
    """The rules with bits in place of numbers, for rules that only compare these with static values."""
    stated = frozenset(kind for kind in layout.unbounded if layout.counters[kind])
    found = {r: made.rule for r in ruleset.book.rules if (made := compared(r, stated, ruleset.static))}
    return ruleset.with_rules(found.get(r, r) for r in ruleset.book.rules) if found else ruleset


def counter(fact: clingo.Symbol) -> clingo.Symbol:
    """A counter's fact without its value."""
    return clingo.Function(fact.name, fact.arguments[:-1])


def layout_of(ruleset: Ruleset) -> Layout:
    """The layout of the positions under these rules; without any bit if there are too many facts for rows."""
    program = ruleset.program("vocabulary", position_seeds, [FLUENT])

    def vocabulary(allowed: Iterable[int]) -> list[clingo.Symbol]:
        numbers = [clingo.Function("number", [clingo.Number(n)]) for n in allowed]
        return [s.arguments[0] for s in Grounding(program, numbers).get(*FLUENT)]

    few = range(bound_of(ruleset.book) + 1)
    found = vocabulary(few)
    wide = len(found) > _WORD * MOST_WORDS
    more = [] if wide else vocabulary([*few, LARGEST])
    counters = dict(ruleset.book.counters)
    numbers = sorted(
        counter(f)
        for f in more
        if symbols.signature(f) in counters and f.arguments[-1] == clingo.Number(LARGEST)
    )
    unbounded = {(c.name, len(c.arguments) + 1) for c in numbers}
    aside = {*unbounded, _SEAT, DUE}
    fluents = [] if wide else [f for f in dict.fromkeys(found) if symbols.signature(f) not in aside]
    decisions = sorted(f for f in fluents if symbols.signature(f) == DECISION)
    steps = [] if wide else sorted(ruleset.steps)
    rest = sorted(f for f in fluents if symbols.signature(f) != DECISION)
    stated = frozenset(kind for kind in unbounded if counters[kind])
    tests = thresholds(ruleset.rules, numbers, stated, ruleset.static)
    facts = [*_filled([*decisions, *steps]), *_filled([*rest, *tests])]
    bits = {fact: bit for bit, fact in enumerate(facts) if fact is not None}
    return Layout(
        bits,
        tuple(facts),
        tuple(decisions),
        tuple(steps),
        len(_filled([*decisions, *steps])) // _WORD,
        tuple(numbers),
        frozenset(ruleset.facts("seat", 2)) or frozenset(s for s in ruleset.given if s.name == "seat"),
        counters,
        frozenset(ruleset.book.signed),
        tuple((numbers.index(t.arguments[0]), t.arguments[1].number, bits[t]) for t in tests),
    )


def _filled(facts: list[clingo.Symbol]) -> list[clingo.Symbol | None]:
    """The facts, padded to the end of a word."""
    return [*facts, *[None] * (-len(facts) % _WORD)]
