"""The tiny games, loaded once, with all their valid positions."""

from functools import cache

import clingo

from kaiser_logic.game import Game, load
from support.mutants import TINY
from support.queries import Worlds


@cache
def tiny(name: str) -> Game:
    return load(TINY / name)


@cache
def worlds(name: str, most: int, moves: bool = False) -> Worlds:
    """The valid positions of a tiny game with at most ``most`` points; with ``moves``, also the effects of actions."""
    return Worlds(tiny(name), most, moves=moves)


def within(facts: frozenset[clingo.Symbol], most: int) -> bool:
    """Whether nobody has more than ``most`` points."""
    return all(f.arguments[-1].number <= most for f in facts if f.name == "points")
