"""Many random games, played in several processes, here or on other machines; their statistics.

The results of the seats are shares and means with 95 % intervals. A share has Wilson's interval, which is sound for rare and for
certain events too. A mean has the usual one, from the variance and the normal distribution, which needs some dozens
of games.

To count how often each documented rule occurs, at each decision the violations of all candidates are counted, and the lines
that change something when the decision is carried out and in each step after it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from math import sqrt
from statistics import fmean, stdev
from typing import Any, Final, TypeAlias, TypeVar

from ..engine.configuration import Configuration
from ..errors import NotDecided
from ..evaluation.evaluator import Evaluator, evaluator_of
from ..evaluation.rule_lines import rule_lines
from ..notation.record import Record
from ..position import Position
from ..rules.library import fingerprint
from ..rules.predicates import CHANCE, VIOLATES
from ..workers import Job, JobRefused, workers_of
from .playout import GameOutcome, ending, name_counted, playout, record

# -- playouts ------------------------------------------------------------------------------------------------
#
# The results of random games.


@dataclass(frozen=True, eq=False)
class Results:
    """The results of random games.

    The rows of all tables are the games, and the columns are the seats in their order. A batch gives NumPy arrays; games that
    were played one after the other give tuples of tuples, which have the same indices.

    Attributes:
        evaluator: The engine under the rules of the games.
        seed: The seed of the games.
        points: The points of each seat.
        winners: Whether each seat has won.
        decided: The number of decisions of each role; chance is the last column.
        actions: The number of actions of each role and kind, such as ``("red", "take/1")``.
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
    def collect(
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
        """The roles of the columns."""
        return self.evaluator.ruleset.seats

    def __len__(self) -> int:
        return len(self.points)

    @property
    def decisions(self) -> Any:
        """The number of decisions in each game, including those of chance."""
        import numpy

        totals = numpy.asarray(self.decided).sum(axis=1)
        return totals

    def outcome_of(self, number: int) -> GameOutcome:
        """The result of a game."""
        return GameOutcome(
            tuple(map(int, self.points[number])),
            tuple(map(bool, self.winners[number])),
            tuple(map(int, self.decided[number])),
        )

    def record(self, number: int, board: str | None = None) -> Record:
        """A game as a record. The engine for one position plays it again.

        Args:
            number: The number of the game, from 0.
            board: The name of its board file relative to the record, if it has one.
        """
        return record(self.evaluator, self.seed, range(len(self))[number], board)


_Z: Final = 1.959964
"""The normal distribution has 95 % within this number of standard deviations."""


@dataclass(frozen=True)
class Estimate:
    """A share or mean with its interval."""

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
    """The statistics of a seat.

    Attributes:
        seat: Its role.
        wins: The number of games that it has won, alone or with others.
        alone: The number of games that it has won alone.
        share: Its share of all wins. Several winners of a game divide the win.
        points: Its points.
        decisions: The number of its decisions in a game.
    """

    seat: str
    wins: int
    alone: int
    share: Estimate
    points: Estimate
    decisions: Estimate


@dataclass(frozen=True)
class Summary:
    """The statistics of random games.

    Attributes:
        games: The number of games.
        draws: The number of games without a winner.
        length: The number of decisions of a game, including those of chance.
        shortest: The smallest such number.
        longest: The largest such number.
        seats: The statistics of each seat, in their order.
        actions: The number of actions in a game, by role and kind of action.
    """

    games: int
    draws: int
    length: Estimate
    shortest: int
    longest: int
    seats: tuple[SeatSummary, ...]
    actions: tuple[tuple[str, str, int], ...]


def summary(results: Results) -> Summary:
    """The statistics of some random games; at least one."""
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
        tuple((role, kind, int(n)) for (role, kind), n in _order_kinds(results)),
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


def _order_kinds(results: Results) -> Iterable[tuple[tuple[str, str], int]]:
    """The kinds of action by seat, chance last."""
    places = {role: place for place, role in enumerate((*results.seats, CHANCE))}
    return sorted(results.actions.items(), key=lambda item: (places[item[0][0]], item[0][1]))


_CHUNK: Final = 8
"""The number of games that one process plays at a time."""
T = TypeVar("T")
_Some: TypeAlias = tuple[list[GameOutcome], Mapping[tuple[str, str], int]]
"""The results of some games, and the counts of their actions."""


def play(evaluator: Evaluator, seed: int, number: int, actions: Counter[tuple[str, str]]) -> GameOutcome:
    """Plays one game; its actions are counted in ``actions``, by role and kind of action."""
    decided: Counter[str] = Counter()
    for position, taken in playout(evaluator, seed, number):
        decided.update(taken.keys())
        for role, action in taken.items():
            actions[role, name_counted(action)] += 1
        last = position
    return ending(last, decided, f"game {number} of seed {seed}")


def play_games(
    evaluator: Evaluator,
    games: int,
    seed: int,
    jobs: int | None = None,
    progress: Callable[[str], None] = lambda _: None,
    scheduler: str | None = None,
) -> Results:
    """Plays random games in several processes.

    Args:
        evaluator: The engine that plays.
        games: The number of games.
        seed: Their seed.
        jobs: The number of processes; by default one for each core.
        progress: Is called with the number of games played so far.
        scheduler: The address of a Dask scheduler whose workers play, instead of processes on this machine.

    Raises:
        NotDecided: A game cannot be played to its end.
        Refused: A worker of the scheduler has other rulebooks than this process.
        WrongUsage: Dask is missing, or there is no scheduler at the address.
    """
    configuration = evaluator.ruleset.configuration
    books = fingerprint(configuration.source) if scheduler else ""
    call = partial(_chunk, configuration, seed, books)
    ends: list[GameOutcome] = []
    actions: Counter[tuple[str, str]] = Counter()
    for results, counted in _in_parts(call, range(games), _CHUNK, jobs, progress, "random games", scheduler):
        ends += results
        actions.update(counted)
    return Results.collect(evaluator, seed, ends, actions)


def sampled_positions(
    evaluator: Evaluator, moments: Sequence[int], seed: int, jobs: int | None = None
) -> list[Position]:
    """Positions of random games, one from each game, which several processes play.

    Args:
        evaluator: The engine that plays.
        moments: The number of moments of decision after which each game is stopped; a game that is over by then gives nothing.
        seed: The seed of the games.
        jobs: The number of processes; by default one for each core.

    Raises:
        NotDecided: A game cannot be played.
    """
    call = partial(_sampled_positions, evaluator.ruleset.configuration, seed)
    return [position for part in _in_parts(call, list(enumerate(moments)), _CHUNK, jobs) for position in part]


def _sampled_positions(configuration: Configuration, seed: int, moments: Sequence[tuple[int, int]]) -> list[Position]:
    """Positions of some games, in another process: the number of each game, and the number of moments after which it stops."""
    evaluator = evaluator_of(configuration)
    games = ((playout(evaluator, seed, number), most) for number, most in moments)
    ends = (next(islice(positions, most, None), None) for positions, most in games)
    return [end[0] for end in ends if end is not None and end[0].decisions]


def _in_parts(
    call: Callable[[Any], T],
    items: Sequence[Any],
    size: int,
    jobs: int | None,
    progress: Callable[[str], None] = lambda _: None,
    what: str = "",
    scheduler: str | None = None,
) -> list[T]:
    """The answers of a call for parts of the items, in their order, from processes here or from a scheduler.

    Raises:
        NotDecided: A part fails.
    """
    parts = {str(first): items[first : first + size] for first in range(0, len(items), size)}
    calls = [Job(name, partial(call, part)) for name, part in parts.items()]
    answers: dict[str, T] = {}
    with workers_of(jobs, scheduler) as workers:
        for answer in workers.answers(calls):
            if answer.value is None:
                raise NotDecided(answer.reason)
            answers[answer.name] = answer.value
            progress(f"{what}: {min(len(answers) * size, len(items))}/{len(items)}")
    return [answers[name] for name in parts]


def _chunk(configuration: Configuration, seed: int, books: str, numbers: range) -> _Some:
    """Some games, in another process; ``books``: a hash of the rulebooks that it must have, if it is not a child."""
    if books and books != fingerprint(configuration.source):
        raise JobRefused("a worker has other rulebooks than this process, so it is not used")
    actions: Counter[tuple[str, str]] = Counter()
    evaluator = evaluator_of(configuration)
    return [play(evaluator, seed, number, actions) for number in numbers], actions


_WATCHED: Final = 4
"""The number of games for one process at a time."""


@dataclass(frozen=True)
class RuleCount:
    """The number of occurrences of a documented rule.

    Attributes:
        rule: Its id.
        acts: The number of moves and steps at which it changes something.
        forbids: The number of decisions at which it forbids a candidate.
        games: The number of games in which it does either.
    """

    rule: str
    acts: int
    forbids: int
    games: int


def occurrences(
    evaluator: Evaluator,
    games: int,
    seed: int,
    jobs: int | None = None,
    progress: Callable[[str], None] = lambda _: None,
) -> list[RuleCount]:
    """The occurrences of each documented rule that changes or forbids something in random games, in the rulebook's order.

    The games are those of :func:`play_games`, replayed one position after the other.

    Args:
        evaluator: The engine that plays.
        games: The number of games.
        seed: Their seed.
        jobs: How many processes; by default one for each core.
        progress: Is called with the number of games replayed so far.

    Raises:
        NotDecided: A game cannot be played to its end.
    """
    call = partial(_count_occurrences, evaluator.ruleset.configuration, seed)
    counts_of: Counter[tuple[str, str]] = Counter()
    for counts in _in_parts(call, range(games), _WATCHED, jobs, progress, "rules"):
        counts_of.update(counts)
    book = evaluator.ruleset.book
    ids = {id for id, _ in rule_lines(evaluator.ruleset, changing=True).all}
    ids |= {r.block for r in book.rules if r.block and any(h.signature == VIOLATES for h in r.heads)}
    ids |= {id for id, _ in counts_of}
    rules = (id for id, doc in book.docs.items() if id in ids and doc.kind == "rule")
    return [RuleCount(id, *(counts_of[id, what] for what in ("acts", "forbids", "games"))) for id in rules]


def _count_occurrences(configuration: Configuration, seed: int, numbers: range) -> Counter[tuple[str, str]]:
    """The occurrences in some games, by rule."""
    evaluator = evaluator_of(configuration)
    lines = rule_lines(evaluator.ruleset, changing=True)
    counts: Counter[tuple[str, str]] = Counter()
    for number in numbers:
        met: set[str] = set()
        for position, taken in playout(evaluator, seed, number):
            if not taken:
                continue
            forbidden, _ = lines.forbidden(position.symbols)
            counts.update((id, "forbids") for id in forbidden)
            met |= forbidden
            for applying, _ in lines.acting(evaluator, position.symbols, taken):
                acting = {id for id, _ in applying}
                counts.update((id, "acts") for id in acting)
                met |= acting
        counts.update((id, "games") for id in met)
    return counts
