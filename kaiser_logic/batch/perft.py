"""Counts sequences of decisions, as chess engines count moves. The numbers compare engines.

A moment of decision is one step of a sequence. Simultaneous decisions count as one, and chance decides like any role.
A position that several sequences reach is expanded once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import product
from math import prod
from typing import Final, Protocol

from .. import clingo
from ..engine import symbols
from ..engine.configuration import ENGINES
from ..errors import WrongUsage
from ..evaluation.evaluator import evaluator_of
from ..position import Position
from .optional import batch_of

BATCH: Final = "batch"
"""The engine for many positions at once."""
_CHUNK: Final = 4096
"""The number of positions that are expanded at a time."""
PathCounts = Mapping[Position, int]
"""Positions, each with the number of paths that lead to it."""


class Startable(Protocol):
    """A game."""

    def initial(self) -> Position:
        """The position at the start."""


def perft(start: Position | Startable, depth: int, *, engine: str = ENGINES[0]) -> int:
    """The number of sequences of ``depth`` moments of decision. Simultaneous decisions count as one.

    Args:
        start: The position at which the sequences start, or a game for its first position.
        depth: Their length. There is one sequence of length 0.
        engine: ``compiled``; ``clingo``, which is slower; or ``batch``, which counts whole levels at once with circuits.
            All give the same numbers.

    Raises:
        NotDecided: There are too many actions to list.
        WrongUsage: There is no such engine.
    """
    return counts(start, depth, engine=engine)[-1]


def counts(start: Position | Startable, depth: int, *, engine: str = ENGINES[0]) -> list[int]:
    """The number of sequences of each length from 0 to ``depth``: see :func:`perft`."""
    position = _under(start, engine)
    return [1, *_counting(position, engine)({position: 1}, depth)]


def divided(
    start: Position | Startable, depth: int, *, engine: str = ENGINES[0]
) -> Iterator[tuple[Mapping[str, str], int]]:
    """For each combination of first decisions, by role, the number of sequences that begin with it: see :func:`perft`."""
    position = _under(start, engine)
    for actions in _joint(position) if depth else ():
        texts = {role: symbols.text(action) for role, action in actions.items()}
        yield texts, [1, *_counting(position, engine)({_after(position, actions): 1}, depth - 1)][-1]


def _counting(position: Position, engine: str) -> Callable[[dict[Position, int], int], list[int]]:
    """The function that counts the sequences of each length from 1 on, by this engine."""
    if engine != BATCH:
        return counted
    batch = batch_of(position.evaluator)
    from .batch import LevelCounter

    return LevelCounter(batch, counted).counted


def _under(start: Position | Startable, engine: str) -> Position:
    """The position, evaluated by this engine."""
    known = (*ENGINES, BATCH)
    if engine not in known:
        raise WrongUsage(f"there is no engine {engine!r}; the engines are: {', '.join(known)}")
    position = start if isinstance(start, Position) else start.initial()
    single = ENGINES[0] if engine == BATCH else engine
    configuration = replace(position.ruleset.configuration, engine=single)
    return Position(evaluator_of(configuration), position.symbols)


def counted(paths: PathCounts, depth: int) -> list[int]:
    """The numbers of sequences of each length from 1 to ``depth``, from all of these positions together."""
    found = [0] * depth
    if depth:
        found[0] = sum(number * _choices(position) for position, number in paths.items())
    if depth > 1:
        for part in _parts(paths):
            after: Counter[Position] = Counter()
            for position, number in part:
                for actions in _joint(position):
                    after[_after(position, actions)] += number
            for place, number in enumerate(counted(after, depth - 1), 1):
                found[place] += number
    return found


def _parts(paths: PathCounts) -> Iterator[list[tuple[Position, int]]]:
    items = list(paths.items())
    for first in range(0, len(items), _CHUNK):
        yield items[first : first + _CHUNK]


def _legal(position: Position) -> dict[str, list[clingo.Symbol]]:
    found: dict[str, list[clingo.Symbol]] = {role: [] for role in position.decisions}
    if found:
        for role, action in sorted(
            position.evaluator.legal(position.symbols), key=lambda a: (a[0], symbols.text(a[1]))
        ):
            found[role].append(action)
    return found


def _choices(position: Position) -> int:
    """The number of joint decisions in a position."""
    legal = _legal(position)
    return prod(map(len, legal.values())) if legal else 0


def _joint(position: Position) -> Iterator[dict[str, clingo.Symbol]]:
    """All joint decisions in a position: an action for each role that decides."""
    legal = _legal(position)
    if legal:
        for actions in product(*legal.values()):
            yield dict(zip(legal, actions, strict=True))


def _after(position: Position, actions: Mapping[str, clingo.Symbol]) -> Position:
    return position.successor(position.evaluator.judge(position.symbols, actions))
