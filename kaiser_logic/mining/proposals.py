"""Candidates by templates, as far as the positions of games let them pass.

A candidate is dropped at once where a position breaks it. It must also have been put to the test: what A implies is
only said of an A that has been seen often enough, and two features so rare that they would hardly ever meet by chance
do not exclude one another.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Final

from .. import clingo
from ..rules.pattern import ANY
from .candidates import Candidate, Template
from .features import NUMBER, Feature
from .observations import Bits, Observations
from .vocabulary import Vocabulary

_SEEN: Final = 15
"""A feature that implies something has been seen in so many positions,"""
_PART: Final = 200
"""or in one of so many, where there are few positions; in `_LEAST` at least."""
_LEAST: Final = 3
_MEETINGS: Final = 6
"""Features that exclude one another would have met in so many positions, were they independent,"""
_MEETINGS_PART: Final = 50
"""or in one of so many, where there are few positions; once at least."""


class Proposals:
    """The candidates that no position breaks."""

    def __init__(
        self, vocabulary: Vocabulary, seen: Observations, stated: frozenset[tuple[str, int]]
    ) -> None:
        """Put together from a vocabulary, filtered by positions; ``stated``: the counters whose zero is stated."""
        self._vocabulary, self._seen, self._stated = vocabulary, seen, stated
        self._often = max(_LEAST, min(_SEEN, len(seen) // _PART))
        self._meetings = max(1, min(_MEETINGS, len(seen) // _MEETINGS_PART))
        self._plain = {f: seen.shown(f) for f in vocabulary.features if f.sort is None}
        self._keyed = {f: seen.by_value(f) for f in vocabulary.features if f.sort is not None}
        self._contexts = [f for f in self._plain if f.context and self._plain[f]]
        self.tried = 0

    def all(self) -> list[Candidate]:
        """All of them, each once."""
        found = [*self._single(), *self._pairs(), *self._each(), *self._shared(), *self._bounds()]
        return list(dict.fromkeys(found))

    def _single(self) -> Iterator[Candidate]:
        for feature, where in self._plain.items():
            self.tried += 2
            if not where:
                yield Candidate(Template.NEVER, feature)
            elif where == self._seen.all:
                yield Candidate(Template.ALWAYS, feature)

    def _pairs(self) -> Iterator[Candidate]:
        """What excludes, and what implies."""
        some = [(f, w) for f, w in self._plain.items() if 0 < w < self._seen.all]
        for (one, here), (other, there) in combinations(some, 2):
            self.tried += 3
            if not here & there:
                if self._tested(here.bit_count(), there.bit_count(), len(self._seen)):
                    yield Candidate(Template.EXCLUDES, one, other)
                continue
            if not here & ~there and here.bit_count() >= self._often:
                yield Candidate(Template.IMPLIES, one, other)
            if not there & ~here and there.bit_count() >= self._often:
                yield Candidate(Template.IMPLIES, other, one)

    def _each(self) -> Iterator[Candidate]:
        """What holds of each value of a sort while something goes on."""
        for feature, by_value in self._keyed.items():
            values = self._vocabulary.sorts[feature.sort or ""]
            for context in self._contexts:
                self.tried += 1
                where = self._plain[context]
                if where.bit_count() >= self._often and all(not where & ~by_value.get(v, 0) for v in values):
                    yield Candidate(Template.EACH, context, feature)

    def _shared(self) -> Iterator[Candidate]:
        """What excludes and implies with a variable that both have."""
        for sort, values in self._vocabulary.sorts.items():
            own = [(f, w) for f, w in self._keyed.items() if f.sort == sort and any(w.values())]
            for (one, here), (other, there) in combinations(own, 2):
                self.tried += 3
                counts = _count(here), _count(there)
                if not any(where & there.get(v, 0) for v, where in here.items()):
                    if self._tested(*counts, len(self._seen) * len(values)):
                        yield Candidate(Template.EXCLUDES_SAME, one, other)
                    continue
                if counts[0] >= self._often and _within(here, there):
                    yield Candidate(Template.IMPLIES_SAME, one, other)
                if counts[1] >= self._often and _within(there, here):
                    yield Candidate(Template.IMPLIES_SAME, other, one)

    def _tested(self, one: int, other: int, positions: int) -> bool:
        """Whether two features have been seen so often that they would have met by chance."""
        enough = min(one, other) >= self._often
        return enough and one * other >= self._meetings * positions

    def _bounds(self) -> Iterator[Candidate]:
        """Between which numbers a counter stays while something goes on."""
        for shape in self._vocabulary.shapes:
            if not shape.counted:
                continue
            counter = Feature(shape.pattern([*[ANY] * (shape.places - 1), NUMBER]))
            numbers = self._seen.numbers(counter)
            values = {row[-1].number for row in shape.rows}
            for context in self._contexts:
                where = self._plain[context]
                here = [n for n, there in numbers.items() if there & where]
                self.tried += 2
                if not here or where.bit_count() < self._often:
                    continue
                if max(here) < max(numbers):
                    yield Candidate(Template.AT_MOST, context, counter, max(here))
                if min(here) > min(values) and (shape.name, shape.places) in self._stated:
                    yield Candidate(Template.AT_LEAST, context, counter, min(here))


def _count(by_value: Mapping[clingo.Symbol | None, Bits]) -> int:
    return sum(where.bit_count() for where in by_value.values())


def _within(one: Mapping[clingo.Symbol | None, Bits], other: Mapping[clingo.Symbol | None, Bits]) -> bool:
    """Whether the one shows only where the other does, for each value."""
    return all(not where & ~other.get(v, 0) for v, where in one.items())
