"""Candidate invariants. Each has one rule: two features exclude or imply each other, or a number has a bound.

The features come from the vocabulary of a game. If an argument has few constants, such as phases, rounds or cards, they are
distinguished. Players and places are never distinguished: a statement about one of them holds for all, or it depends on the
board.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import combinations
from typing import Final, TypeAlias

from .. import clingo
from ..engine import symbols
from ..engine.ruleset import Ruleset
from ..lang import unification
from ..lang.printer import show_literal
from ..lang.terms import ANY, Atom, Compare, Fun, Int, Literal, Name, Place, Signature, Term, Var
from ..lang.terms import Rule as Value
from ..lang.unification import arguments, label
from ..rules.predicates import CHANCE, DECISION, DUE
from ..rules.reader import rule_from
from ..solving.build import no
from ..solving.questions import Setting

# -- features ------------------------------------------------------------------------------------------------
#
# A feature is a pattern of facts, such as ``held(_,rival,_)``. A pattern with a variable, such as ``held(X,rival,_)``, has a
# sort: a static predicate with one argument, such as ``player/1``, which defines the values of the variable.


KEY: Final[Term] = Var("X")
"""The variable of a feature, if it has one."""
NUMBER: Final[Term] = Var("N")
"""The variable for the number of a counter."""


@dataclass(frozen=True)
class Feature:
    """A pattern of facts: a position has the feature if one of its facts matches.

    Attributes:
        pattern: The pattern; ``_`` matches anything, ``X`` is the variable.
        sort: The static predicate of the values of the variable; None if there is no variable.
        context: Whether it describes the stage of play, such as a phase, a decision or a step.
    """

    pattern: Term
    sort: str | None = None
    context: bool = False

    @property
    def atom(self) -> Atom:
        """The pattern as an atom of a rule."""
        return Atom(label(self.pattern), arguments(self.pattern))


_FEW: Final = 12
"""If an argument has more constants, they are not distinguished."""
_FEW_COUNTS: Final = 4
"""If a counter has more values, only 0 is distinguished."""
_EVERYWHERE: Final = 3
"""The sort that occurs most often counts as the places of the board, if it occurs at least this often."""
_NO_SORTS: Final = frozenset({"fluent", "init", "number", "players", "simultaneous", "step"})

Row: TypeAlias = tuple[clingo.Symbol, ...]


@dataclass(frozen=True)
class FactSchema:
    """A kind of fact: the facts of a fluent, or the decisions or steps of one name.

    Attributes:
        around: ``decision`` or ``due`` if the name is inside one; otherwise empty.
        name: The name of the fluent, the decision or the step.
        rows: The arguments of each of its facts; those of a decision begin with the role.
        counted: Whether its last argument is the number of a counter.
    """

    around: str
    name: str
    rows: tuple[Row, ...]
    counted: bool = False

    @property
    def places(self) -> int:
        """The number of arguments."""
        return len(self.rows[0])

    def pattern(self, places: Sequence[Term]) -> Term:
        """The fact with these arguments."""
        first, rest = ((places[0],), places[1:]) if self.around == DECISION[0] else ((), places)
        inner: Term = Fun(self.name, tuple(rest)) if rest else Name(self.name)
        return Fun(self.around, (*first, inner)) if self.around else inner


def schemas(ruleset: Ruleset) -> list[FactSchema]:
    """The schemas of all facts except seats and facts whose numbers have no limit."""
    sorts = Setting(ruleset).prover.vocabulary
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
        FactSchema(around, name, tuple(sorted(dict.fromkeys(places))), not around and (name, count) in counters)
        for (around, name, count), places in rows.items()
    ]


class FeatureVocabulary:
    """The features and sorts of a game.

    Attributes:
        schemas: All schemas of facts.
        features: All features, each once.
        sorts: The values of each sort of a variable.
        alike: The sorts of players and of places, whose values are not distinguished.
    """

    def __init__(self, ruleset: Ruleset) -> None:
        """Builds the vocabulary of these rules."""
        self.schemas = schemas(ruleset)
        self._values = _unary(ruleset)
        self._chance = symbols.constant(CHANCE)
        least = {
            (schema, i): sort
            for schema in self.schemas
            for i in range(schema.places)
            if (sort := self._least({row[i] for row in schema.rows})) is not None
        }
        used = set(least.values())
        self._sorts = {place: self._widest(sort, used) for place, sort in least.items()}
        players = frozenset(map(symbols.constant, ruleset.seats))
        often = Counter(s for s in self._sorts.values() if self._values[s] != players).most_common(1)
        self.interchangeable = {s for s in used if self._values[s] == players}
        self.interchangeable |= {sort for sort, count in often if count >= _EVERYWHERE}
        self.sorts = {s: tuple(sorted(self._values[s])) for s in sorted(set(self._sorts.values()))}
        self.features = tuple(dict.fromkeys(self._all()))

    def sort_at(self, schema: FactSchema, place: int) -> str | None:
        """The sort of an argument, if it has one."""
        return self._sorts.get((schema, place))

    def _least(self, values: Collection[clingo.Symbol]) -> str | None:
        """The smallest sort that contains all these values, if there is one."""
        wanted = frozenset(values) - {self._chance}
        if len(wanted) < 2 or any(v.type is not clingo.SymbolType.Function for v in wanted):
            return None
        fits = [(len(has), sort) for sort, has in self._values.items() if wanted <= has]
        return min(fits)[1] if fits else None

    def _widest(self, sort: str, used: Iterable[str]) -> str:
        """The largest sort in use that contains all values of this one, so variables of both can be compared."""
        holding = [s for s in used if self._values[sort] <= self._values[s]]
        return max(holding, key=lambda s: (len(self._values[s]), s))

    def _all(self) -> Iterator[Feature]:
        for schema in self.schemas:
            for fixed in self._constants_of(schema):
                args = [fixed.get(i, ANY) for i in range(schema.places)]
                context = bool(schema.around) or (schema.places <= 1 and not schema.counted and ANY not in args)
                yield Feature(schema.pattern(args), None, context)
                for i in range(schema.places):
                    sort = self.sort_at(schema, i)
                    if sort is not None and i not in fixed and schema.around != DUE[0]:
                        yield Feature(schema.pattern([*args[:i], KEY, *args[i + 1 :]]), sort)
        for name, arity in (DECISION, DUE):
            if any(s.around == name for s in self.schemas):
                yield Feature(Fun(name, (ANY,) * arity), None, True)

    def _constants_of(self, schema: FactSchema) -> Iterator[dict[int, Term]]:
        """The constants of arguments: none, or one of one argument."""
        yield {}
        if schema.around:
            return
        for i in range(schema.places):
            values = sorted({row[i] for row in schema.rows})
            if schema.counted and i == schema.places - 1:
                few = [v for v in values if len(values) <= _FEW_COUNTS or v == clingo.Number(0)]
            elif self.sort_at(schema, i) in self.interchangeable or len(values) > _FEW:
                few = []
            else:
                few = values
            for value in few:
                yield {i: symbols.term_of(value)}


def _unary(ruleset: Ruleset) -> dict[str, frozenset[clingo.Symbol]]:
    """The static predicates with one argument, which may be sorts."""
    static: dict[Signature, tuple[clingo.Symbol, ...]] = dict(ruleset.static)
    return {
        name: frozenset(f.arguments[0] for f in facts)
        for (name, arity), facts in static.items()
        if arity == 1 and facts and name not in _NO_SORTS
    }


# -- observations --------------------------------------------------------------------------------------------
#
# Positions of games, and the features that they have. Sets of positions are the bits of numbers.


Bits: TypeAlias = int
"""A set of positions: bit k stands for position k."""
Facts: TypeAlias = frozenset[clingo.Symbol]


class Observations:
    """The features of given positions."""

    def __init__(self, positions: Iterable[Facts]) -> None:
        """Observes these positions."""
        self.positions = tuple(dict.fromkeys(positions))
        self.all: Bits = (1 << len(self.positions)) - 1
        self._facts = _where(self.positions)
        self._by_signature: dict[Signature, list[clingo.Symbol]] = defaultdict(list)
        for fact in self._facts:
            self._by_signature[symbols.signature(fact)].append(fact)

    def __len__(self) -> int:
        return len(self.positions)

    def positions_with(self, feature: Feature) -> Bits:
        """The positions that have a feature, for any value of its variable."""
        positions = 0
        for where in self.by_value(feature).values():
            positions |= where
        return positions

    def by_value(self, feature: Feature) -> Mapping[clingo.Symbol | None, Bits]:
        """For each value of a feature's variable (None without a variable), the positions that have the feature."""
        positions: dict[clingo.Symbol | None, Bits] = defaultdict(int)
        pattern = feature.pattern
        signature = label(pattern), len(pattern.args) if isinstance(pattern, Fun) else 0
        for fact in self._by_signature.get(signature, ()):
            matched = unification.match(pattern, symbols.term_of(fact))
            if matched is not None:
                value = next(map(symbols.symbol_of, matched.values()), None)
                positions[value] |= self._facts[fact]
        return positions


def _where(positions: Sequence[Facts]) -> dict[clingo.Symbol, Bits]:
    """For each fact, the positions that have it."""
    size = len(positions) // 8 + 1
    bits: dict[clingo.Symbol, bytearray] = {}
    for number, facts in enumerate(positions):
        place, bit = number >> 3, 1 << (number & 7)
        for fact in facts:
            row = bits.get(fact)
            if row is None:
                row = bits[fact] = bytearray(size)
            row[place] |= bit
    return {fact: int.from_bytes(row, "little") for fact, row in bits.items()}


class Template(Enum):
    """The form of a candidate: the body of its rule, with features A and B."""

    NEVER = "never"  # A.
    ALWAYS = "always"  # not A.
    EXCLUDES = "excludes"  # A, B.
    IMPLIES = "implies"  # A, not B.
    EACH = "each"  # A, sort(X), not B(X).
    EXCLUDES_SAME = "excludes same"  # A(X), B(X).
    IMPLIES_SAME = "implies same"  # A(X), not B(X).
    AT_MOST = "at most"  # A, b(..,N), N > bound.
    AT_LEAST = "at least"  # A, b(..,N), N < bound.


@dataclass(frozen=True)
class Candidate:
    """A property that may hold in every position.

    Attributes:
        template: Its form.
        first: The feature A.
        second: The feature B, if there is one; for a bound, the counter, with `NUMBER` for its number.
        bound: The largest or smallest number of the counter.
    """

    template: Template
    first: Feature
    second: Feature | None = None
    bound: int = 0

    @property
    def literals(self) -> tuple[Literal, ...]:
        """The body of the rule that derives a violation."""
        one = self.first.atom
        if self.second is None:
            return (one,) if self.template is Template.NEVER else (no(one),)
        other = self.second.atom
        match self.template:
            case Template.IMPLIES | Template.IMPLIES_SAME:
                return one, no(other)
            case Template.EACH:
                return one, Atom(self.sort or "", (KEY,)), no(other)
            case Template.AT_MOST:
                return one, other, Compare(NUMBER, ">", Int(self.bound))
            case Template.AT_LEAST:
                return one, other, Compare(NUMBER, "<", Int(self.bound))
            case _:
                return one, other

    @property
    def body(self) -> str:
        """The body as text."""
        return ", ".join(map(show_literal, self.literals))

    @property
    def sort(self) -> str | None:
        """The sort of its variable X, if it has one."""
        return self.second.sort if self.second is not None else None

    @property
    def weight(self) -> tuple[int, int, str]:
        """The sort key of candidates: the shortest come first."""
        rank = list(Template).index(self.template)
        return len(self.body), rank, self.body

    def rule(self, invariant: str, witness: str = "x") -> Value:
        """The rule of an invariant with this name; ``witness`` is its witness if the candidate has no variable.

        >>> from kaiser_logic.lang.printer import show
        >>> from kaiser_logic.rules.reader import read_term
        >>> over, empty = Feature(read_term("phase(over)")), Feature(read_term("heap(0)"))
        >>> show(Candidate(Template.IMPLIES, over, empty).rule("played_out"))
        'broken(played_out,x) :- phase(over); not heap(0).'
        """
        key = KEY if self.sort else Name(witness)
        return Value(Atom("broken", (Name(invariant), key)), self.literals)


def with_candidates(ruleset: Ruleset, candidates: Mapping[str, Candidate]) -> Ruleset:
    """The rules in force, with the candidates as further invariants of these names."""
    made = [rule_from(c.rule(name), Place("candidates", n)) for n, (name, c) in enumerate(candidates.items(), 1)]
    return ruleset.with_rules((*ruleset.book.rules, *made))


# -- unbroken candidates -------------------------------------------------------------------------------------
#
# The candidates of all templates that no position of a game breaks.
#
# The positions must also have tested a candidate. An implication is proposed only if A has occurred often enough. An exclusion
# is proposed only if the two features occur so often that they would have met by chance.


_OCCURRENCES: Final = 15
"""A feature that implies another must occur in this many positions."""
_PART: Final = 200
"""If there are few positions, it must occur in one of this many, but in `_LEAST` positions at least."""
_LEAST: Final = 3
_MEETINGS: Final = 6
"""Two features that exclude each other must have this many expected meetings, if they were independent."""
_MEETINGS_PART: Final = 50
"""If there are few positions, they must have one meeting for this many positions, but one at least."""


class UnbrokenCandidates:
    """The candidates that no position breaks.

    Attributes:
        tried: The number of candidates that were tried so far.
    """

    def __init__(
        self, vocabulary: FeatureVocabulary, observations: Observations, stated: frozenset[tuple[str, int]]
    ) -> None:
        """Builds them from a vocabulary; ``stated`` are the counters that have a fact for the number 0, too."""
        self._vocabulary, self._observations, self._stated = vocabulary, observations, stated
        self._often = max(_LEAST, min(_OCCURRENCES, len(observations) // _PART))
        self._meetings = max(1, min(_MEETINGS, len(observations) // _MEETINGS_PART))
        self._where = {f: observations.by_value(f) for f in vocabulary.features}
        self._plain = {f: observations.positions_with(f) for f in vocabulary.features if f.sort is None}
        self._contexts = {f: where for f, where in self._plain.items() if f.context and where}
        self.tried = 0

    def all(self) -> list[Candidate]:
        """All candidates, each once."""
        pairs = (c for sort in (None, *self._vocabulary.sorts) for c in self._pairs(sort))
        return list(dict.fromkeys([*self._single(), *pairs, *self._each(), *self._bounds()]))

    def _single(self) -> Iterator[Candidate]:
        for feature, where in self._plain.items():
            self.tried += 2
            if not where:
                yield Candidate(Template.NEVER, feature)
            elif where == self._observations.all:
                yield Candidate(Template.ALWAYS, feature)

    def _pairs(self, sort: str | None) -> Iterator[Candidate]:
        """The exclusions and implications between two features with a shared variable of this sort, or without a variable."""
        excludes, implies = (
            (Template.EXCLUDES_SAME, Template.IMPLIES_SAME) if sort else (Template.EXCLUDES, Template.IMPLIES)
        )
        cases = len(self._observations) * (len(self._vocabulary.sorts[sort]) if sort else 1)
        some = [f for f in self._where if f.sort == sort and self._count(f)]
        some = [f for f in some if sort or self._plain[f] != self._observations.all]
        for one, other in combinations(some, 2):
            self.tried += 3
            often = self._count(one), self._count(other)
            if not any(where & self._where[other].get(v, 0) for v, where in self._where[one].items()):
                # they would have met by chance
                if min(often) >= self._often and often[0] * often[1] >= self._meetings * cases:
                    yield Candidate(excludes, one, other)
                continue
            if often[0] >= self._often and self._occurs_only_with(one, other):
                yield Candidate(implies, one, other)
            if often[1] >= self._often and self._occurs_only_with(other, one):
                yield Candidate(implies, other, one)

    def _count(self, feature: Feature) -> int:
        """The number of positions with a feature, for all values of its variable together."""
        return sum(where.bit_count() for where in self._where[feature].values())

    def _occurs_only_with(self, one: Feature, other: Feature) -> bool:
        """Whether one feature holds only where the other does, for each value."""
        return all(not where & ~self._where[other].get(v, 0) for v, where in self._where[one].items())

    def _each(self) -> Iterator[Candidate]:
        """The candidates about each value of a sort while another feature holds."""
        for feature, by_value in self._where.items():
            if feature.sort is None:
                continue
            values = self._vocabulary.sorts[feature.sort]
            for context, where in self._contexts.items():
                self.tried += 1
                if where.bit_count() >= self._often and all(not where & ~by_value.get(v, 0) for v in values):
                    yield Candidate(Template.EACH, context, feature)

    def _bounds(self) -> Iterator[Candidate]:
        """The bounds of a counter while a feature holds."""
        for schema in self._vocabulary.schemas:
            if not schema.counted:
                continue
            counter = Feature(schema.pattern([*[ANY] * (schema.places - 1), NUMBER]))
            numbers = {v.number: where for v, where in self._observations.by_value(counter).items() if v}
            least = min(row[-1].number for row in schema.rows)
            for context, where in self._contexts.items():
                occurring = [n for n, with_number in numbers.items() if with_number & where]
                self.tried += 2
                if not occurring or where.bit_count() < self._often:
                    continue
                if max(occurring) < max(numbers):
                    yield Candidate(Template.AT_MOST, context, counter, max(occurring))
                if min(occurring) > least and (schema.name, schema.places) in self._stated:
                    yield Candidate(Template.AT_LEAST, context, counter, min(occurring))
