"""Random games of an independent implementation in a compact form, and their comparison with a batch."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

from kaiser_logic.batch.layout import Layout
from kaiser_logic.evaluation.evaluator import Evaluator
from kaiser_logic.position import Position

from .coded import Actions, Facts, Lists
from .independent import copied

if TYPE_CHECKING:
    from kaiser_logic.batch.batch import Batch

Legal = Mapping[str, Sequence[str]]
Expect = Callable[[str, str, object, object, "Moment"], None]
"""Takes an answer: the evaluator, the question, the answer, the expected answer, and the decision."""


class Moment(NamedTuple):
    """A decision as the independent implementation sees it, with the position that follows."""

    facts: frozenset[str]
    legal: Legal
    chosen: Mapping[str, str]
    after: frozenset[str]
    over: Any


class Course:
    """Decisions of random games, one after the other.

    Attributes:
        facts: The facts and their numbers.
        actions: The actions and their numbers.
        positions: The facts of each position. The position after a decision follows the position before it.
        before: For each decision, the place of its position.
        legal: For each decision, the legal actions.
        chosen: For each decision, the chosen actions.
        over: The result of a game, by the place of the decision that ends it.
        idle: The roles without a legal action, by the place of the decision.
    """

    def __init__(self, layout: Layout | None = None) -> None:
        """``layout``: the layout of the rows; None if no rows are needed."""
        self.facts, self.actions = Facts(layout), Actions()
        self.positions, self.legal = Lists(), Lists()
        self.before: list[int] = []
        self.chosen: list[Mapping[str, str]] = []
        self.over: dict[int, Any] = {}
        self.idle: dict[int, list[str]] = {}

    def play(
        self, first: Any, random_game: Callable[[Any, Random], Iterable[Any]], random: Random, count: int
    ) -> None:
        """Adds so many decisions of random games that begin at a position of the independent implementation."""
        last = len(self) + count
        while len(self) < last:
            oracle = copied(first)
            for facts, legal, chosen in random_game(oracle, random):
                self._add(facts)
                if len(self) == last:
                    break
                self._decide(legal, chosen)
            else:
                self._add(oracle.facts())
                self.over[len(self) - 1] = oracle.result()

    def _add(self, facts: Iterable[str]) -> None:
        self.positions.add(map(self.facts.numbers.__getitem__, facts))

    def _decide(self, legal: Legal, chosen: Mapping[str, str]) -> None:
        numbers: list[int] = []
        for role, actions in legal.items():
            numbers += self.actions.numbers(role, actions)
            if not actions:
                self.idle.setdefault(len(self), []).append(role)
        self.legal.add(numbers)
        self.before.append(len(self.positions) - 1)
        self.chosen.append(dict(chosen))

    def __len__(self) -> int:
        return len(self.before)

    def __getitem__(self, place: int) -> Moment:
        """A decision, as texts."""
        its = self.before[place]
        facts, after = (self.facts.texts(self.positions[k]) for k in (its, its + 1))
        return Moment(facts, self.legal_at(place), self.chosen[place], after, self.over.get(place))

    def legal_at(self, place: int) -> dict[str, list[str]]:
        """The legal actions of a decision."""
        found: dict[str, list[str]] = {role: [] for role in self.idle.get(place, ())}
        for number in self.legal[place]:
            role, action = self.actions.pairs[number]
            found.setdefault(role, []).append(action)
        return found

    def position(self, evaluator: Evaluator, place: int, after: bool = False) -> Position:
        """The position before or after a decision."""
        return Position(evaluator, self.facts.symbols(self.positions[self.before[place] + after]))


def sets(legal: Legal) -> dict[str, list[str]]:
    """The legal actions in a fixed order."""
    return {role: sorted(its) for role, its in legal.items()}


# -- the batch -----------------------------------------------------------------------------------------------------------


def against(batch: Batch, course: Course, sample: Sequence[int], expect: Expect) -> None:
    """Compares a batch with a whole course: every legal action of every decision, every fact of every next position.

    Rows and numbers are compared. Where there is no row, and at the decisions in ``sample``, texts are compared.
    """
    import numpy as np

    from kaiser_logic.batch.packed import PackedPositions

    state, beside, fits = course.facts.rows(course.positions)
    before = np.array(course.before, np.int64)
    others = {int(k): course.position(batch.evaluator, int(k)) for k in np.flatnonzero(~fits[before])}
    packed = PackedPositions(batch.evaluator, batch.store.layout, state[before], beside[before], dict(others))
    for place in differing(batch, packed, course):
        legal = sets(batch.legal([packed[place]])[0])
        listed = legal if place in course.idle else Unlike(legal)
        expect("batch", "legal", listed, sets(course.legal_at(place)), course[place])
    after = batch.apply(packed, course.chosen)
    assert isinstance(after, PackedPositions) and after.state is not packed.state
    same = (after.state == state[before + 1]).all(axis=1) & (after.numbers == beside[before + 1]).all(axis=1)
    as_texts = ~fits[before + 1]
    as_texts[list(after.others)] = True
    for place in map(int, np.flatnonzero(as_texts)):
        expect("batch", "the next position", after[place].facts, course[place].after, course[place])
    for place in map(int, np.flatnonzero(~same & ~as_texts)):
        expect("batch", "the next position", Unlike(after[place].facts), course[place].after, course[place])
    if sample:
        _sampled(batch, packed, after, course, sample, expect)


class Unlike:
    """A value that is known to differ, though its text may be equal."""

    def __init__(self, what: object) -> None:
        self._what = what

    def __repr__(self) -> str:
        return repr(self._what)


def differing(batch: Batch, packed: Any, course: Course) -> list[int]:
    """The decisions where a batch lists other legal actions, or one more or less often; and those of ``course.idle``."""
    import numpy as np

    offsets, found = batch.legal_numbers(packed)
    ours = [course.actions.numbers(role, [action])[0] for role, action in batch.actions]
    found = np.array(ours, np.int64)[found]
    expected = np.frombuffer(course.legal.numbers, np.int32)
    ends = np.frombuffer(course.legal.ends, np.int64)
    counts = np.diff(ends)
    differs = np.diff(offsets) != counts
    differs[list(course.idle)] = True
    owner = np.arange(len(course))
    its, theirs = (np.repeat(owner, np.diff(of)) for of in (ends, offsets))
    mine, other = expected[~differs[its]], found[~differs[theirs]]
    its, theirs = its[~differs[its]], theirs[~differs[theirs]]
    unlike = mine[np.lexsort((mine, its))] != other[np.lexsort((other, theirs))]
    differs[its[unlike]] = True
    return [int(place) for place in np.flatnonzero(differs)]


def _sampled(
    batch: Batch, packed: Any, after: Any, course: Course, sample: Sequence[int], expect: Expect
) -> None:
    """Compares the texts that a batch gives, and the rows that it packs, at some decisions."""
    own = batch.pack([course.position(batch.evaluator, place) for place in sample])
    for k, (place, legal) in enumerate(zip(sample, batch.legal(own), strict=True)):
        moment = course[place]
        expect("batch", "legal, as texts", sets(legal), sets(moment.legal), moment)
        expect("batch", "the next position, as texts", after[place].facts, moment.after, moment)
        expect("batch", "whether it is a row", k in own.others, place in packed.others, moment)
        rows = [
            [*map(int, its.state[at]), *map(int, its.numbers[at])] for its, at in ((own, k), (packed, place))
        ]
        expect("batch", "the row", *rows, moment)
