"""Whether a position is reachable; much effort is worth random games, many at once."""

from __future__ import annotations

from ..engine.grounding import Facts
from ..evaluation.evaluator import Evaluator
from ..evaluation.origin import MANY, OPEN, Origin, excluded_by, origin
from ..solving.extra import excluding
from .optional import is_installed


def origin_of(evaluator: Evaluator, facts: Facts, effort: int, invariants: str = "", timeout: float = 600.0) -> Origin:
    """Whether a position is reachable: see `Game.origin`."""
    name = excluding(evaluator, invariants, facts, timeout) if invariants else None
    if name is not None:
        return excluded_by(name)
    answer = origin(evaluator, facts, effort)
    if answer.verdict == OPEN and effort >= MANY and is_installed():
        from .population import among_random_games

        answer = among_random_games(evaluator, facts, answer, effort, timeout)
    return answer
