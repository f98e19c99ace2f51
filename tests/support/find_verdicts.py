"""The verdict of `find` on a query; every position that it finds is evaluated independently of the solver."""

from kaiser_logic.errors import NotDecided
from kaiser_logic.game import Game
from kaiser_logic.query.evaluation import Evaluation
from kaiser_logic.query.language import parse_query
from support.limits import NO_END


def verdict(game: Game, query: str) -> str:
    try:
        found = game.find_result(query, timeout=NO_END)
    except NotDecided as error:
        assert str(error)
        return "open"
    evaluation = Evaluation(game.evaluator, parse_query(query, game.book))
    assert all(evaluation.holds(p.symbols) and not p.broken_invariants() for p in found.positions)
    assert len(found.because) == len(found.positions)
    return "found" if found.positions else "none"
