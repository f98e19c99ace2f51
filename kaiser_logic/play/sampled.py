"""Positions of random games in which a query holds: such an answer is reachable, and looks like a game."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Final

from ..errors import KaiserLogicError
from ..evaluation.origin import Origin, reached_by
from ..game import Game
from ..query.evaluation import Evaluation
from ..query.formula import ACTED
from ..query.mistakes import read_query
from ..query.open_query import describe
from .match import Match, random_actions

MOST: Final = 600
"""The largest number of positions, in all games together."""
_GAMES: Final = 6
_EFFORT: Final = 20_000
"""A query that may visit more instances of atoms is not evaluated at so many positions."""


@dataclass(frozen=True)
class SampledPosition:
    """A position of a random game in which a query holds.

    Attributes:
        match: The game up to there.
        because: What makes the query true.
    """

    match: Match
    because: str

    @property
    def origin(self) -> Origin:
        """The verdict that it is reachable."""
        return reached_by(tuple((move.role, str(move.action)) for move in self.match.moves))


def sampled_position(game: Game, query: str, positions: int = MOST) -> SampledPosition | None:
    """The first valid position of some random games in which a query holds and somebody has to decide.

    The games are the same each time. None if there is none, if the query is faulty, takes long or asks about actions, or if the
    games cannot go on: then the solver has the answer.
    """
    try:
        read = read_query(query, game.ruleset)
        if any(map(read.asks, ACTED)):
            return None
        asked = Evaluation(game.evaluator, read)
        for seed in range(_GAMES):
            match, random = Match(game), Random(seed)
            while match.deciding and positions > 0:
                positions -= 1
                facts = match.position.symbols
                if asked.effort(facts) > _EFFORT:
                    return None
                solution = asked.solution(facts)
                if solution is not None and not match.position.broken_invariants():
                    return SampledPosition(match, describe(solution))
                for role, action in random_actions(match.position, random).items():
                    match.do(role, action)
    except KaiserLogicError:
        pass
    return None
