"""Counts sequences of decisions, as chess engines count moves. The numbers compare engines.

A moment of decision is one step of a sequence. Simultaneous decisions count as one, and chance decides like any role.
A position that several sequences reach is expanded once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from itertools import count, product
from math import prod
from typing import Final, Protocol

from .. import clingo
from ..engine import symbols
from ..engine.configuration import ENGINES
from ..errors import NotDecided, WrongUsage
from ..evaluation.evaluator import evaluator_of
from ..position import Position
from .optional import batch_of

BATCH: Final = "batch"
"""The engine for many positions at once."""
_CHUNK: Final = 4096
"""The number of positions that are expanded at a time."""
_LONGEST: Final = 10_000
"""The largest number of decisions of a turn."""
Progress = Callable[[str], None]
PathCounts = Mapping[Position, int]
"""Positions, each with the number of paths that lead to it."""


class Startable(Protocol):
    """A game."""

    def initial(self) -> Position:
        """The position at the start."""


def perft(start: Position | Startable, depth: int, *, engine: str = ENGINES[0], turns: bool = False) -> int:
    """The number of sequences of ``depth`` moments of decision. Simultaneous decisions count as one.

    A finished game counts for no length beyond its own.

    Args:
        start: The position at which the sequences start, or a game for its first position.
        depth: Their length. There is one sequence of length 0.
        engine: ``compiled``; ``clingo``, which is slower; or ``batch``, which counts whole levels at once with circuits.
            All give the same numbers.
        turns: Whether a decision and those that go on with its turn (``parts_of_turn`` in the manifest) count as one.

    Raises:
        NotDecided: There are too many actions to list.
        WrongUsage: There is no such engine, or turns cannot be counted.
    """
    return counts(start, depth, engine=engine, turns=turns)[-1]


def counts(start: Position | Startable, depth: int, *, engine: str = ENGINES[0], turns: bool = False) -> list[int]:
    """The number of sequences of each length from 0 to ``depth``: see :func:`perft`."""
    position = _with_engine(start, engine)
    return [1, *_counting(position, engine, turns)({position: 1}, depth)]


def levels(
    start: Position | Startable,
    depth: int,
    *,
    engine: str = ENGINES[0],
    turns: bool = False,
    progress: Progress = lambda _: None,
) -> Iterator[int]:
    """Yields the number of sequences of length 1, 2 and so on as soon as it is counted: see :func:`perft`.

    Each level is counted anew from the start, which costs little beside the last one.

    Args:
        start: The position at which the sequences start, or a game.
        depth: The largest length.
        engine: As for `perft`.
        turns: As for `perft`.
        progress: Is called with the number of circuits built so far, if that takes long.
    """
    position = _with_engine(start, engine)
    counting = _counting(position, engine, turns, progress)
    for length in range(1, depth + 1):
        yield counting({position: 1}, length)[-1]


def divide(
    start: Position | Startable, depth: int, *, engine: str = ENGINES[0], turns: bool = False
) -> Iterator[tuple[Mapping[str, str], int]]:
    """For each combination of first decisions, by role, the number of sequences that begin with it: see :func:`perft`."""
    position = _with_engine(start, engine)
    counting = _counting(position, engine, turns)
    parts = _parts_of_turn(position) if turns else frozenset()
    for actions in _joint(position) if depth else ():
        texts = {role: symbols.text(action) for role, action in actions.items()}
        after = _turns_end({_position_after(position, actions): 1}, parts)
        yield texts, [sum(after.values()), *counting(after, depth - 1)][-1]


def _counting(
    position: Position, engine: str, turns: bool, progress: Progress = lambda _: None
) -> Callable[[PathCounts, int], list[int]]:
    """The function that counts the sequences of each length from 1 on, by this engine."""
    if turns:
        if engine == BATCH:
            raise WrongUsage(f"turns are counted one position at a time: engine {ENGINES[0]} or {ENGINES[1]}")
        return partial(_counted_turns, parts=_parts_of_turn(position))
    if engine != BATCH:
        return count_sequences
    batch = batch_of(position.evaluator, progress=progress)
    from .batch import LevelCounter

    return LevelCounter(batch, count_sequences).count_sequences


def _parts_of_turn(position: Position) -> frozenset[str]:
    """The names of the decisions that go on with a turn; WrongUsage if the rulebook declares none."""
    names = frozenset(position.ruleset.book.manifest.get("parts_of_turn", ()))
    if not names:
        raise WrongUsage(
            f"{position.ruleset.book.id} says of no decision that it goes on with a turn (parts_of_turn in game.toml),"
            " so turns are decisions"
        )
    return names


def _counted_turns(paths: PathCounts, depth: int, parts: frozenset[str]) -> list[int]:
    """The numbers of sequences of 1 to ``depth`` turns, from all of these positions together."""
    counts = []
    for _ in range(depth):
        after: Counter[Position] = Counter()
        for position, number in paths.items():
            for actions in _joint(position):
                after[_position_after(position, actions)] += number
        paths = _turns_end(after, parts)
        counts.append(sum(paths.values()))
    return counts


def _turns_end(paths: PathCounts, parts: frozenset[str]) -> PathCounts:
    """The positions in which the turns end that are under way in these positions, with the number of paths to each.

    NotDecided if a turn need not end: then a path has more decisions than there are positions in turns.
    """
    ended: Counter[Position] = Counter()
    passed: set[Position] = set()
    for length in count():
        if not paths:
            break
        passed |= paths.keys()
        if length > min(len(passed), _LONGEST):
            raise NotDecided("a turn need not end, or has too many decisions: its sequences cannot be counted")
        going_on: Counter[Position] = Counter()
        for position, number in paths.items():
            names = {decision.partition("(")[0] for decision in position.decisions.values()}
            if not names or names - parts:
                ended[position] += number
                continue
            for actions in _joint(position):
                going_on[_position_after(position, actions)] += number
        paths = going_on
    return ended


def _with_engine(start: Position | Startable, engine: str) -> Position:
    """The position, evaluated by this engine."""
    known = (*ENGINES, BATCH)
    if engine not in known:
        raise WrongUsage(f"there is no engine {engine!r}; the engines are: {', '.join(known)}")
    position = start if isinstance(start, Position) else start.initial()
    single = ENGINES[0] if engine == BATCH else engine
    configuration = replace(position.ruleset.configuration, engine=single)
    return Position(evaluator_of(configuration), position.symbols)


def count_sequences(paths: PathCounts, depth: int) -> list[int]:
    """The numbers of sequences of each length from 1 to ``depth``, from all of these positions together."""
    counts = [0] * depth
    if depth:
        counts[0] = sum(number * _choices(position) for position, number in paths.items())
    if depth > 1:
        for part in _parts(paths):
            after: Counter[Position] = Counter()
            for position, number in part:
                for actions in _joint(position):
                    after[_position_after(position, actions)] += number
            for place, number in enumerate(count_sequences(after, depth - 1), 1):
                counts[place] += number
    return counts


def _parts(paths: PathCounts) -> Iterator[list[tuple[Position, int]]]:
    items = list(paths.items())
    for first in range(0, len(items), _CHUNK):
        yield items[first : first + _CHUNK]


def _legal(position: Position) -> dict[str, list[clingo.Symbol]]:
    legal_actions: dict[str, list[clingo.Symbol]] = {role: [] for role in position.decisions}
    if legal_actions:
        for role, action in sorted(
            position.evaluator.legal(position.symbols), key=lambda a: (a[0], symbols.text(a[1]))
        ):
            legal_actions[role].append(action)
    return legal_actions


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


def _position_after(position: Position, actions: Mapping[str, clingo.Symbol]) -> Position:
    return position.successor(position.evaluator.judge(position.symbols, actions))
