"""Candidate invariants: two features that exclude or imply each other, or a bound of a number. Each has one rule."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from itertools import combinations
from typing import Final

from .. import clingo
from ..lang.printer import show_literal
from ..lang.terms import ANY, Atom, Compare, Int, Literal, Name, Term
from ..lang.terms import Rule as Value
from ..rules.reader import rule_from
from ..rules.rule import Rule
from ..solving.build import no
from .vocabulary import KEY, NUMBER, Bits, Feature, Observations, Vocabulary, match


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


_BOTH = {Template.EXCLUDES, Template.EXCLUDES_SAME, Template.AT_MOST, Template.AT_LEAST}
_LACKING = {Template.IMPLIES, Template.IMPLIES_SAME, Template.EACH}


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
    def wanted(self) -> tuple[Term, ...]:
        """The facts that its body requires; the number of a counter is its variable."""
        if self.template is Template.ALWAYS:
            return ()
        both = self.template in _BOTH and self.second is not None
        return (self.first.pattern, self.second.pattern) if both and self.second else (self.first.pattern,)

    @property
    def unwanted(self) -> tuple[Term, ...]:
        """The facts that its body excludes."""
        if self.template is Template.ALWAYS:
            return (self.first.pattern,)
        lacks = self.template in _LACKING and self.second is not None
        return (self.second.pattern,) if lacks and self.second else ()

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
        """Its rule, as an invariant with this name; ``witness``: the witness if it has no variable.

        >>> from kaiser_logic.lang.printer import show
        >>> from kaiser_logic.rules.reader import read_term
        >>> over, empty = Feature(read_term("phase(over)")), Feature(read_term("heap(0)"))
        >>> show(Candidate(Template.IMPLIES, over, empty).rule("played_out"))
        'broken(played_out,x) :- phase(over); not heap(0).'
        """
        found = KEY if self.sort else Name(witness)
        return Value(Atom("broken", (Name(invariant), found)), self.literals)


def breaks(candidate: Candidate, facts: Collection[clingo.Symbol], values: Iterable[clingo.Symbol]) -> bool:
    """Whether facts break a candidate; ``values``: the values of its variable, if it has one.

    This defines the meaning of the templates a second time, without logic programs: see :class:`.inductive.EncodingCheck`.
    """
    one = _found(candidate.first, facts)
    other = _found(candidate.second, facts) if candidate.second is not None else None
    match candidate.template:
        case Template.NEVER:
            return one is not None
        case Template.ALWAYS:
            return one is None
        case Template.EXCLUDES:
            return one is not None and other is not None
        case Template.IMPLIES:
            return one is not None and other is None
        case Template.EACH:
            return one is not None and not set(values) <= (other or set())
        case Template.EXCLUDES_SAME:
            return bool((one or set()) & (other or set()))
        case Template.IMPLIES_SAME:
            return bool((one or set()) - (other or set()))
        case Template.AT_MOST:
            return one is not None and any(n.number > candidate.bound for n in other or ())
        case Template.AT_LEAST:
            return one is not None and any(n.number < candidate.bound for n in other or ())


def _found(feature: Feature, facts: Iterable[clingo.Symbol]) -> set[clingo.Symbol] | None:
    """The value of a feature's variable if the feature holds; None if it does not."""
    matches = [m for m in (match(feature.pattern, f) for f in facts) if m is not None]
    return set().union(*matches) if matches else None


def rules_of(candidates: dict[str, Candidate]) -> list[Rule]:
    """The rules of candidates as invariants with these names, in clingo's syntax."""
    values = (candidate.rule(name) for name, candidate in candidates.items())
    return [rule_from(value, "candidates", number) for number, value in enumerate(values, 1)]


# -- unbroken candidates -------------------------------------------------------------------------------------
#
# Candidates by templates, as far as the positions of games allow them.
#
# A position that breaks a candidate refutes it. A candidate must also have been tested: an implication is proposed only if
# A has been seen often enough. Two features exclude each other only if they would have met by chance, given their
# frequencies.


_MOST_OCCURRENCES: Final = 15
"""The least number of positions with a feature that implies something;"""
_PART: Final = 200
"""with few positions, the least share of them (1 / this number); in any case `_LEAST`."""
_LEAST: Final = 3
_MEETINGS: Final = 6
"""The least expected number of positions with two features that exclude each other, if they were independent;"""
_MEETINGS_PART: Final = 50
"""with few positions, the least share of them (1 / this number); in any case one."""


class UnbrokenCandidates:
    """The candidates that no position breaks."""

    def __init__(
        self, vocabulary: Vocabulary, observations: Observations, stated: frozenset[tuple[str, int]]
    ) -> None:
        """Builds them from a vocabulary and filters them by positions; ``stated``: the counters whose zero is stated."""
        self._vocabulary, self._observations, self._stated = vocabulary, observations, stated
        self._often = max(_LEAST, min(_MOST_OCCURRENCES, len(observations) // _PART))
        self._meetings = max(1, min(_MEETINGS, len(observations) // _MEETINGS_PART))
        self._plain = {f: observations.shown(f) for f in vocabulary.features if f.sort is None}
        self._keyed = {f: observations.by_value(f) for f in vocabulary.features if f.sort is not None}
        self._contexts = [f for f in self._plain if f.context and self._plain[f]]
        self.tried = 0

    def all(self) -> list[Candidate]:
        """All candidates, each once."""
        found = [*self._single(), *self._pairs(), *self._each(), *self._shared(), *self._bounds()]
        return list(dict.fromkeys(found))

    def _single(self) -> Iterator[Candidate]:
        for feature, where in self._plain.items():
            self.tried += 2
            if not where:
                yield Candidate(Template.NEVER, feature)
            elif where == self._observations.all:
                yield Candidate(Template.ALWAYS, feature)

    def _pairs(self) -> Iterator[Candidate]:
        """The exclusions and implications between two features."""
        some = [(f, w) for f, w in self._plain.items() if 0 < w < self._observations.all]
        for (one, here), (other, there) in combinations(some, 2):
            self.tried += 3
            if not here & there:
                if self._tested(here.bit_count(), there.bit_count(), len(self._observations)):
                    yield Candidate(Template.EXCLUDES, one, other)
                continue
            if not here & ~there and here.bit_count() >= self._often:
                yield Candidate(Template.IMPLIES, one, other)
            if not there & ~here and there.bit_count() >= self._often:
                yield Candidate(Template.IMPLIES, other, one)

    def _each(self) -> Iterator[Candidate]:
        """The candidates about each value of a sort while another feature holds."""
        for feature, by_value in self._keyed.items():
            values = self._vocabulary.sorts[feature.sort or ""]
            for context in self._contexts:
                self.tried += 1
                where = self._plain[context]
                if where.bit_count() >= self._often and all(not where & ~by_value.get(v, 0) for v in values):
                    yield Candidate(Template.EACH, context, feature)

    def _shared(self) -> Iterator[Candidate]:
        """The exclusions and implications between two features with a shared variable."""
        for sort, values in self._vocabulary.sorts.items():
            own = [(f, w) for f, w in self._keyed.items() if f.sort == sort and any(w.values())]
            for (one, here), (other, there) in combinations(own, 2):
                self.tried += 3
                counts = _count(here), _count(there)
                if not any(where & there.get(v, 0) for v, where in here.items()):
                    if self._tested(*counts, len(self._observations) * len(values)):
                        yield Candidate(Template.EXCLUDES_SAME, one, other)
                    continue
                if counts[0] >= self._often and _shows_only_with(here, there):
                    yield Candidate(Template.IMPLIES_SAME, one, other)
                if counts[1] >= self._often and _shows_only_with(there, here):
                    yield Candidate(Template.IMPLIES_SAME, other, one)

    def _tested(self, one: int, other: int, positions: int) -> bool:
        """Whether two features have been seen so often that they would have met by chance."""
        enough = min(one, other) >= self._often
        return enough and one * other >= self._meetings * positions

    def _bounds(self) -> Iterator[Candidate]:
        """The bounds of a counter while a feature holds."""
        for schema in self._vocabulary.schemas:
            if not schema.counted:
                continue
            counter = Feature(schema.pattern([*[ANY] * (schema.places - 1), NUMBER]))
            numbers = self._observations.numbers(counter)
            values = {row[-1].number for row in schema.rows}
            for context in self._contexts:
                where = self._plain[context]
                here = [n for n, there in numbers.items() if there & where]
                self.tried += 2
                if not here or where.bit_count() < self._often:
                    continue
                if max(here) < max(numbers):
                    yield Candidate(Template.AT_MOST, context, counter, max(here))
                if min(here) > min(values) and (schema.name, schema.places) in self._stated:
                    yield Candidate(Template.AT_LEAST, context, counter, min(here))


def _count(by_value: Mapping[clingo.Symbol | None, Bits]) -> int:
    return sum(where.bit_count() for where in by_value.values())


def _shows_only_with(
    one: Mapping[clingo.Symbol | None, Bits], other: Mapping[clingo.Symbol | None, Bits]
) -> bool:
    """Whether one feature holds only where the other does, for each value."""
    return all(not where & ~other.get(v, 0) for v, where in one.items())
