"""Results of random games: shares and means with intervals, and what a summary says.

All intervals are for 95 %: of a share Wilson's, which is sound for rare and for certain events too; of a mean the usual
one, by the spread of the values and the normal distribution, which wants some dozens of games.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import sqrt
from statistics import fmean, stdev
from typing import Any, Final

from ..evaluation.evaluator import Evaluator
from ..notation.record import Record
from ..rules.predicates import CHANCE
from .playout import GameOutcome, record

# -- playouts ------------------------------------------------------------------------------------------------
#
# What random games have come to.


@dataclass(frozen=True, eq=False)
class Results:
    """The results of random games.

    The rows of all tables are the games, the columns the seats in their order. A batch gives NumPy arrays; games that
    were played one after the other give tuples of tuples, which are indexed alike.

    Attributes:
        evaluator: Under which rules they were played.
        seed: Which games they are.
        points: Everybody's points.
        winners: Who has won.
        decided: How many decisions each role has made; a last column for chance.
        actions: How often each role did what, by its name and the action's, such as ``("red", "take/1")``.
        fallbacks: The number of decisions that a batch left to the engine for one position.
    """

    evaluator: Evaluator = field(repr=False)
    seed: int
    points: Any = field(repr=False)
    winners: Any = field(repr=False)
    decided: Any = field(repr=False)
    actions: Mapping[tuple[str, str], int] = field(repr=False)
    fallbacks: int = 0

    @classmethod
    def of(
        cls,
        evaluator: Evaluator,
        seed: int,
        games: Sequence[GameOutcome],
        actions: Mapping[tuple[str, str], int],
    ) -> Results:
        """The results of games that were played one after the other."""
        return cls(
            evaluator,
            seed,
            tuple(g.points for g in games),
            tuple(g.winners for g in games),
            tuple(g.decided for g in games),
            dict(sorted(actions.items())),
        )

    @property
    def seats(self) -> tuple[str, ...]:
        """The roles whose columns these are."""
        return self.evaluator.ruleset.seats

    def __len__(self) -> int:
        return len(self.points)

    @property
    def decisions(self) -> Any:
        """The number of decisions in each game, those of chance among them."""
        import numpy

        found = numpy.asarray(self.decided).sum(axis=1)
        return found

    def ended(self, number: int) -> GameOutcome:
        """How a game has ended."""
        return GameOutcome(
            tuple(map(int, self.points[number])),
            tuple(map(bool, self.winners[number])),
            tuple(map(int, self.decided[number])),
        )

    def record(self, number: int, board: str | None = None) -> Record:
        """A game as a record: it is played once more, by the engine for one position.

        Args:
            number: Which one, from 0.
            board: Its board file's name as seen from the record, where it has one.
        """
        return record(self.evaluator, self.seed, range(len(self))[number], board)


_Z: Final = 1.959964
"""The normal distribution has 95 % within so many standard deviations."""


@dataclass(frozen=True)
class Estimate:
    """A share or mean with its interval.

    Attributes:
        value: What was found.
        low: The interval's lower end.
        high: Its upper end.
    """

    value: float
    low: float
    high: float


def share(successes: float, tries: int) -> Estimate:
    """A share with Wilson's interval.

    >>> share(5, 10)
    Estimate(value=0.5, low=0.2365931, high=0.7634069)
    """
    p, z2 = successes / tries, _Z * _Z
    middle = (p + z2 / (2 * tries)) / (1 + z2 / tries)
    half = _Z * sqrt(p * (1 - p) / tries + z2 / (4 * tries * tries)) / (1 + z2 / tries)
    return Estimate(p, round(max(0.0, middle - half), 7), round(min(1.0, middle + half), 7))


def mean(values: Sequence[float]) -> Estimate:
    """A mean with its interval; that of a single value is the value itself.

    >>> mean([1, 2, 3, 4])
    Estimate(value=2.5, low=1.2348487, high=3.7651513)
    """
    middle = fmean(values)
    half = _Z * stdev(values) / sqrt(len(values)) if len(values) > 1 else 0.0
    return Estimate(middle, round(middle - half, 7), round(middle + half, 7))


@dataclass(frozen=True)
class SeatSummary:
    """What random games say of a seat.

    Attributes:
        seat: The role that sits there.
        wins: How many games it has won, alone or with others.
        alone: How many of them alone.
        share: Its part of all wins, a win of several parted among them.
        points: Its points.
        decisions: How many decisions it has made in a game.
    """

    seat: str
    wins: int
    alone: int
    share: Estimate
    points: Estimate
    decisions: Estimate


@dataclass(frozen=True)
class Summary:
    """What random games say.

    Attributes:
        games: How many they are.
        draws: How many of them nobody has won.
        length: The decisions of a game, those of chance among them.
        shortest: The fewest of a game.
        longest: The most of a game.
        seats: Each seat, in their order.
        actions: How often which role did what, by role and kind of action.
    """

    games: int
    draws: int
    length: Estimate
    shortest: int
    longest: int
    seats: tuple[SeatSummary, ...]
    actions: tuple[tuple[str, str, int], ...]


def summary(results: Results) -> Summary:
    """What some random games say; at least one."""
    games = len(results)
    lengths = [sum(map(int, row)) for row in results.decided]
    won = [sum(map(bool, row)) for row in results.winners]
    return Summary(
        games,
        won.count(0),
        mean(lengths),
        min(lengths),
        max(lengths),
        tuple(_seat(results, place, seat, won) for place, seat in enumerate(results.seats)),
        tuple((role, kind, int(n)) for (role, kind), n in _ordered(results)),
    )


def _seat(results: Results, place: int, seat: str, won: Sequence[int]) -> SeatSummary:
    winning = [n for row, n in zip(results.winners, won, strict=True) if row[place]]
    return SeatSummary(
        seat,
        len(winning),
        winning.count(1),
        share(sum(1 / n for n in winning), len(won)),
        mean([int(row[place]) for row in results.points]),
        mean([int(row[place]) for row in results.decided]),
    )


def _ordered(results: Results) -> Iterable[tuple[tuple[str, str], int]]:
    """The kinds of action by seat, chance last."""
    places = {role: place for place, role in enumerate((*results.seats, CHANCE))}
    return sorted(results.actions.items(), key=lambda item: (places[item[0][0]], item[0][1]))
