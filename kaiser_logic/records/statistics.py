"""What happened in recorded games: lengths, results, and how often each kind of action was taken, by seat.

>>> figures = statistics([]).games
>>> figures
()
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from statistics import median
from typing import Any

from ..notation.sources import Source
from .each_record import each_record
from .replay import Replay
from .tags import Paths, Under, files_in, sources_of


@dataclass(frozen=True)
class Seat:
    """What the players of one seat did, counted from 1 in the order of the seats; seat 0 is chance.

    Attributes:
        games: The games with this seat.
        moves: The moves of the seat.
        wins: The finished games that it has won, alone or with others.
        points: The sum of its points in finished games.
        actions: How often each kind of action was taken.
    """

    games: int
    moves: int
    wins: int
    points: int
    actions: Mapping[str, int]


@dataclass(frozen=True)
class GameStatistics:
    """What happened in the records of one game with one number of players.

    Attributes:
        game: The game's id.
        players: The number of players.
        finished: The records that end the game.
        unfinished: Those that stop before.
        faulty: Those with a fault; their legal moves up to it count.
        drawn: The finished games that nobody has won.
        lengths: How many records have each number of legal moves.
        finished_lengths: The same for finished games.
        seats: By seat; chance is the first.
    """

    game: str
    players: int
    finished: int
    unfinished: int
    faulty: int
    drawn: int
    lengths: Mapping[int, int]
    finished_lengths: Mapping[int, int]
    seats: tuple[Seat, ...]

    @property
    def records(self) -> int:
        """The number of records."""
        return sum(self.lengths.values())

    def as_json(self) -> dict[str, Any]:
        """The statistics as a JSON object."""
        return {
            **self.__dict__,
            "lengths": {str(n): times for n, times in self.lengths.items()},
            "finished_lengths": {str(n): times for n, times in self.finished_lengths.items()},
            "seats": [seat.__dict__ for seat in self.seats],
        }


@dataclass(frozen=True)
class Statistics:
    """The statistics of an archive.

    Attributes:
        games: For each game and number of players.
        unreadable: Why some records could not be read.
    """

    games: tuple[GameStatistics, ...] = ()
    unreadable: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """The statistics as a JSON object."""
        return {"games": [game.as_json() for game in self.games], "unreadable": list(self.unreadable)}


def spread(lengths: Mapping[int, int]) -> tuple[int, float, float, int]:
    """The smallest, the median, the mean and the largest of counted numbers, of which there is at least one."""
    numbers = sorted(Counter(lengths).elements())
    return numbers[0], float(median(numbers)), sum(numbers) / len(numbers), numbers[-1]


@dataclass
class _Game:
    """What one record contains."""

    game: str = ""
    seats: tuple[str, ...] = ()
    moves: list[tuple[str, str]] = field(default_factory=list)
    winners: tuple[str, ...] | None = None
    points: Mapping[str, int] = field(default_factory=dict)
    faulty: bool = False


def statistics(
    paths: Paths,
    jobs: int = 1,
    rules: Under | None = None,
    progress: Callable[[str], None] = lambda _: None,
) -> Statistics:
    """Counts what happened in recorded games. Their variations do not count.

    Args:
        paths: Files and directories, as for `check_many`.
        jobs: The number of processes.
        rules: Other rules than those of the records.
        progress: Called with a text that contains the number of records done so far.
    """
    sums: dict[tuple[str, int], _Sum] = defaultdict(_Sum)
    unreadable: list[str] = []
    work = partial(_contents_of, rules=rules or Under(None, None, ()))
    for _, game in each_record(work, sources_of(files_in(paths)), jobs, "not replayed", progress):
        if isinstance(game, str):
            unreadable.append(game)
        else:
            sums[game.game, len(game.seats)].add(game)
    return Statistics(
        tuple(one.result(name, players) for (name, players), one in sorted(sums.items())), tuple(unreadable)
    )


class _Sum:
    """The sums over the records of one game with one number of players."""

    def __init__(self) -> None:
        self.lengths: Counter[int] = Counter()
        self.finished: Counter[int] = Counter()
        self.faulty = self.drawn = 0
        self.wins: Counter[int] = Counter()
        self.points: Counter[int] = Counter()
        self.actions: dict[int, Counter[str]] = defaultdict(Counter)

    def add(self, game: _Game) -> None:
        """Counts one record."""
        number = {role: seat for seat, role in enumerate(game.seats, 1)}
        self.lengths[len(game.moves)] += 1
        self.faulty += game.faulty
        for role, kind in game.moves:
            self.actions[number.get(role, 0)][kind] += 1
        if game.winners is not None:
            self.finished[len(game.moves)] += 1
            self.drawn += not game.winners
            self.wins.update(number.get(role, 0) for role in game.winners)
            for role, points in game.points.items():
                self.points[number.get(role, 0)] += points

    def result(self, name: str, players: int) -> GameStatistics:
        """The statistics of the game."""
        records, finished = self.lengths.total(), self.finished.total()
        seats = tuple(
            Seat(
                records,
                self.actions[n].total(),
                self.wins[n],
                self.points[n],
                dict(sorted(self.actions[n].items())),
            )
            for n in range(players + 1)
        )
        return GameStatistics(
            name,
            players,
            finished,
            records - finished - self.faulty,
            self.faulty,
            self.drawn,
            dict(sorted(self.lengths.items())),
            dict(sorted(self.finished.items())),
            seats,
        )


def _contents_of(source: Source, rules: Under) -> _Game:
    """What one record contains."""
    replay = Replay(rules.apply(source.record()))
    replay.run()
    faults = [fault for fault in replay.faults if fault.rule != "record.assert"]
    legal = replay.moves - sum(fault.role is not None for fault in faults[-1:])
    moves = [(m.role, m.action.name) for m in replay.record.moves[:legal] if m.action is not None]
    result = replay.position.result() if replay.position is not None and not faults else None
    return _Game(
        replay.game.id,
        replay.game.seats,
        moves,
        None if result is None else result.winners,
        {} if result is None else dict(result.points),
        bool(faults),
    )
