"""What random games have come to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..evaluation.evaluator import Evaluator
from ..notation.record import Record
from .course import Ended, record


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
        handed: How many decisions a batch has handed to the engine that looks at one position.
    """

    evaluator: Evaluator = field(repr=False)
    seed: int
    points: Any = field(repr=False)
    winners: Any = field(repr=False)
    decided: Any = field(repr=False)
    actions: Mapping[tuple[str, str], int] = field(repr=False)
    handed: int = 0

    @classmethod
    def of(
        cls, evaluator: Evaluator, seed: int, games: Sequence[Ended], actions: Mapping[tuple[str, str], int]
    ) -> Results:
        """Of games that were played one after the other."""
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
        """How many decisions there were in each game, those of chance among them."""
        import numpy

        found = numpy.asarray(self.decided).sum(axis=1)
        return found

    def ended(self, number: int) -> Ended:
        """How a game has ended."""
        return Ended(
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
