"""Exhaustive search of tiny games: all reachable positions, and all ways to fill the gaps of a record."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import product

import clingo

from kaiser_logic.evaluation.evaluator import Evaluator
from kaiser_logic.game import Game
from kaiser_logic.notation.record import Move
from kaiser_logic.position import Position

Facts = frozenset[clingo.Symbol]


def after(evaluator: Evaluator, facts: Facts, actions: Mapping[str, clingo.Symbol]) -> Facts | None:
    """The facts right after these actions, before any automatic step; None if an action is illegal."""
    judged = evaluator.judge(facts, actions)
    return None if judged.violations else (facts - frozenset(judged.deleted)).union(judged.added)


def choices(evaluator: Evaluator, facts: Facts) -> Iterator[dict[str, clingo.Symbol]]:
    options: dict[str, list[clingo.Symbol]] = {str(f.arguments[0]): [] for f in facts if f.name == "decision"}
    if options:
        for role, action in evaluator.legal(facts):
            options.setdefault(role, []).append(action)
        for chosen in product(*options.values()):
            yield dict(zip(options, chosen, strict=True))


def is_due(facts: Facts) -> bool:
    return any(f.name == "due" for f in facts)


def reachable(game: Game, most: int = 10_000) -> set[Facts]:
    """All positions of legal games, with those where a step is due."""
    evaluator = game.evaluator
    start = frozenset([*(s.arguments[0] for s in game.ruleset.facts("init", 1)), *game.ruleset.facts("seat", 2)])
    found, pending = {start}, [start]
    while pending and len(found) < most:
        facts = pending.pop()
        if is_due(facts):
            following = [evaluator.step(facts)]
        else:
            ways = (after(evaluator, facts, actions) for actions in choices(evaluator, facts))
            following = [facts for facts in ways if facts is not None]
        for new in following:
            if new not in found:
                found.add(new)
                pending.append(new)
    return found


def fillings(start: Position, moves: Sequence[Move], winners: tuple[str, ...] | None, most: int = 3) -> int:
    """The number of ways to fill the unknown moves, at most ``most``.

    Args:
        start: The position before the moves.
        moves: The moves of a record; simultaneous moves follow one another.
        winners: The winners of the record: empty for an unfinished game, None if the record has no result.
        most: The number at which counting ends.
    """

    @cache
    def count(position: Position, place: int) -> int:
        if place == len(moves):
            return _ends(position, winners)
        deciding = set(position.to_move)
        part = moves[place : place + len(deciding)]
        if not deciding or {m.role for m in part} != deciding:
            return 0
        options = [_options(position, m) for m in part]
        total = 0
        for chosen in product(*options):
            total += count(
                _applied(position, {m.role: a for m, a in zip(part, chosen, strict=True)}), place + len(part)
            )
            if total >= most:
                return most
        return total

    return count(start, 0)


@lru_cache(maxsize=50_000)
def _legal(position: Position) -> dict[str, tuple[str, ...]]:
    return position.legal()


def _applied(position: Position, actions: Mapping[str, str]) -> Position:
    return _apply(position, tuple(sorted(actions.items())))


@lru_cache(maxsize=50_000)
def _apply(position: Position, actions: tuple[tuple[str, str], ...]) -> Position:
    return position.apply(dict(actions))


def _options(position: Position, move: Move) -> Sequence[str]:
    legal = _legal(position)[move.role]
    return legal if move.action is None else [a for a in legal if a == str(move.action)]


def _ends(position: Position, winners: tuple[str, ...] | None) -> int:
    if winners is None:
        return 1
    result = position.result()
    return int(set(result.winners if result else ()) == set(winners))
