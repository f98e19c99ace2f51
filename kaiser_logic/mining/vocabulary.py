"""The features that candidates can speak of, from the vocabulary of a game.

Constants are told apart where they are few: phases, rounds, cards. Those of players and of places are not: what is true
of one of them is true of all, or a matter of the board.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from .. import clingo
from ..engine import symbols
from ..engine.ruleset import Ruleset
from ..lang.terms import ANY, Atom, Fun, Name, Signature, Term, Var
from ..lang.unification import arguments, label
from ..query.meaning import matched
from ..rules.predicates import CHANCE, DECISION, DUE
from ..solving.vocabulary import Vocabulary as Sorts

# -- features ------------------------------------------------------------------------------------------------
#
# Features: patterns of facts that a position may show, of which candidates for invariants are put together.
#
# A feature is one pattern, such as ``held(_,rival,_)``; one with a variable, ``held(X,rival,_)``, has a sort: a static
# predicate of one place, such as ``player/1``, which holds whatever the variable may stand for.


KEY: Final[Term] = Var("X")
"""The variable of a feature that has one."""
NUMBER: Final[Term] = Var("N")
"""The variable of a counter of which the number is asked."""


@dataclass(frozen=True)
class Feature:
    """A pattern of facts: a position shows it where one of its facts matches.

    Attributes:
        pattern: The fact; ``_`` stands for anything, ``X`` for the variable.
        sort: What the variable ranges over, a static predicate; None where there is no variable.
        context: Whether it tells what is going on, such as a phase, a decision, a step.
    """

    pattern: Term
    sort: str | None = None
    context: bool = False

    @property
    def atom(self) -> Atom:
        """The pattern as an atom of a rule."""
        return Atom(label(self.pattern), arguments(self.pattern))


def match(pattern: Term, value: clingo.Symbol) -> list[clingo.Symbol] | None:
    """The value of a pattern's variable if a value matches it (empty without a variable), or None.

    >>> held = Fun("held", (KEY, Name("rival"), ANY))
    >>> match(held, clingo.parse_term("held(red,rival,1)")), match(held, clingo.parse_term("held(red,pope,1)"))
    ([Function('red', [], True)], None)
    """
    found = matched((pattern,), (value,), {})
    return None if found is None else list(found.values())


_FEW: Final = 12
"""Constants are told apart at a place that has at most so many;"""
_FEW_COUNTS: Final = 4
"""numbers of a counter where it has at most so many, otherwise only 0."""
_EVERYWHERE: Final = 3
"""The sort that stands at most places, so many at least, is that of the board's places."""
_NO_SORTS: Final = frozenset({"fluent", "init", "number", "players", "simultaneous", "step"})

Row: TypeAlias = tuple[clingo.Symbol, ...]


@dataclass(frozen=True)
class Shape:
    """Facts that look alike: those of a fluent; of decisions and steps, those of one name.

    Attributes:
        around: ``decision`` or ``due``, where the name stands inside of that; else empty.
        name: The fluent's, the decision's or the step's name.
        rows: What stands at its places in the facts that there are; first the role, where it is a decision.
        counted: Whether its last place is a counter's number.
    """

    around: str
    name: str
    rows: tuple[Row, ...]
    counted: bool = False

    @property
    def places(self) -> int:
        """The number of its places."""
        return len(self.rows[0])

    def pattern(self, places: Sequence[Term]) -> Term:
        """The fact with this at its places."""
        first, rest = ((places[0],), places[1:]) if self.around == DECISION[0] else ((), places)
        inner: Term = Fun(self.name, tuple(rest)) if rest else Name(self.name)
        return Fun(self.around, (*first, inner)) if self.around else inner


def shapes(ruleset: Ruleset, sorts: Sorts) -> list[Shape]:
    """The shapes of all facts, but for those whose numbers have no limit, and seats."""
    left_out = sorts.cut | {("seat", 2)}
    rows: dict[tuple[str, str, int], list[Row]] = defaultdict(list)
    for fact in (*sorts.narrow, *ruleset.steps):
        signature = symbols.signature(fact)
        if signature in left_out:
            continue
        if signature in (DECISION, DUE):
            *first, inner = fact.arguments
            row = (*first, *inner.arguments)
            rows[signature[0], inner.name, len(row)].append(row)
        else:
            rows["", fact.name, signature[1]].append(tuple(fact.arguments))
    counters = ruleset.book.counters
    return [
        Shape(around, name, tuple(sorted(dict.fromkeys(found))), not around and (name, count) in counters)
        for (around, name, count), found in rows.items()
    ]


class Vocabulary:
    """The features and sorts of a game.

    Attributes:
        shapes: All shapes of facts.
        features: All features, each once.
        sorts: For each sort of a variable its values.
        alike: The sorts of players and of places, whose values are not told apart.
    """

    def __init__(self, ruleset: Ruleset, sorts: Sorts) -> None:
        """The vocabulary of these rules."""
        self.shapes = shapes(ruleset, sorts)
        self._values = _unary(ruleset)
        self._chance = symbols.constant(CHANCE)
        least = {
            (shape, i): sort
            for shape in self.shapes
            for i in range(shape.places)
            if (sort := self._least({row[i] for row in shape.rows})) is not None
        }
        used = set(least.values())
        self._sorts = {place: self._widest(sort, used) for place, sort in least.items()}
        players = frozenset(map(symbols.constant, ruleset.seats))
        often = Counter(s for s in self._sorts.values() if self._values[s] != players).most_common(1)
        self.alike = {s for s in used if self._values[s] == players}
        self.alike |= {sort for sort, count in often if count >= _EVERYWHERE}
        self.sorts = {s: tuple(sorted(self._values[s])) for s in sorted(set(self._sorts.values()))}
        self.features = tuple(dict.fromkeys(self._all()))

    def sort_at(self, shape: Shape, place: int) -> str | None:
        """The sort of what stands at a place, where it has one."""
        return self._sorts.get((shape, place))

    def _least(self, values: Collection[clingo.Symbol]) -> str | None:
        """The least sort that has all these values, where there is one."""
        wanted = frozenset(values) - {self._chance}
        if len(wanted) < 2 or any(v.type is not clingo.SymbolType.Function for v in wanted):
            return None
        fits = [(len(has), sort) for sort, has in self._values.items() if wanted <= has]
        return min(fits)[1] if fits else None

    def _widest(self, sort: str, used: Iterable[str]) -> str:
        """The largest of the sorts in use that has all values of this one: variables of both can be compared."""
        holding = [s for s in used if self._values[sort] <= self._values[s]]
        return max(holding, key=lambda s: (len(self._values[s]), s))

    def _all(self) -> Iterator[Feature]:
        for shape in self.shapes:
            for fixed in self._fixed(shape):
                args = [fixed.get(i, ANY) for i in range(shape.places)]
                context = bool(shape.around) or (shape.places <= 1 and not shape.counted and ANY not in args)
                yield Feature(shape.pattern(args), None, context)
                for i in range(shape.places):
                    sort = self.sort_at(shape, i)
                    if sort is not None and i not in fixed and shape.around != DUE[0]:
                        yield Feature(shape.pattern([*args[:i], KEY, *args[i + 1 :]]), sort)
        for name, arity in (DECISION, DUE):
            if any(s.around == name for s in self.shapes):
                yield Feature(Fun(name, (ANY,) * arity), None, True)

    def _fixed(self, shape: Shape) -> Iterator[dict[int, Term]]:
        """The constants at places: none, or one at one place."""
        yield {}
        if shape.around:
            return
        for i in range(shape.places):
            values = sorted({row[i] for row in shape.rows})
            if shape.counted and i == shape.places - 1:
                few = [v for v in values if len(values) <= _FEW_COUNTS or v == clingo.Number(0)]
            elif self.sort_at(shape, i) in self.alike or len(values) > _FEW:
                few = []
            else:
                few = values
            for value in few:
                yield {i: symbols.term_of(value)}


def _unary(ruleset: Ruleset) -> dict[str, frozenset[clingo.Symbol]]:
    """The static predicates of one place, which may be sorts."""
    static: dict[Signature, tuple[clingo.Symbol, ...]] = dict(ruleset.static)
    return {
        name: frozenset(f.arguments[0] for f in facts)
        for (name, arity), facts in static.items()
        if arity == 1 and facts and name not in _NO_SORTS
    }


# -- observations --------------------------------------------------------------------------------------------
#
# Positions that games have come to, and which of them show a feature: sets of positions as the bits of numbers.


Bits: TypeAlias = int
"""A set of positions: bit number k for the position number k."""
Facts: TypeAlias = frozenset[clingo.Symbol]


class Observations:
    """The features of given positions.

    Attributes:
        positions: The positions, each once.
        all: All of them as bits.
    """

    def __init__(self, positions: Iterable[Facts]) -> None:
        """The observations of these positions."""
        self.positions = tuple(dict.fromkeys(positions))
        self.all: Bits = (1 << len(self.positions)) - 1
        self._facts = _where(self.positions)
        self._by_signature: dict[Signature, list[clingo.Symbol]] = defaultdict(list)
        for fact in self._facts:
            self._by_signature[symbols.signature(fact)].append(fact)

    def __len__(self) -> int:
        return len(self.positions)

    def shown(self, feature: Feature) -> Bits:
        """The positions that have a feature, for any value of its variable."""
        found = 0
        for where in self.by_value(feature).values():
            found |= where
        return found

    def by_value(self, feature: Feature) -> Mapping[clingo.Symbol | None, Bits]:
        """For each value of a feature's variable (None without a variable), the positions that show the feature."""
        found: dict[clingo.Symbol | None, Bits] = defaultdict(int)
        pattern = feature.pattern
        signature = label(pattern), len(pattern.args) if isinstance(pattern, Fun) else 0
        for fact in self._by_signature.get(signature, ()):
            matched = match(pattern, fact)
            if matched is not None:
                found[matched[0] if matched else None] |= self._facts[fact]
        return found

    def numbers(self, feature: Feature) -> Mapping[int, Bits]:
        """For each number of a counter, the positions in which it has that number."""
        return {v.number: where for v, where in self.by_value(feature).items() if v is not None}


def _where(positions: Sequence[Facts]) -> dict[clingo.Symbol, Bits]:
    """For each fact the positions that have it."""
    size = len(positions) // 8 + 1
    found: dict[clingo.Symbol, bytearray] = {}
    for number, facts in enumerate(positions):
        place, bit = number >> 3, 1 << (number & 7)
        for fact in facts:
            row = found.get(fact)
            if row is None:
                row = found[fact] = bytearray(size)
            row[place] |= bit
    return {fact: int.from_bytes(row, "little") for fact, row in found.items()}
