"""Random games, one after the other, some at a time in processes of their own, here or on other machines."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import Final, TypeAlias

from ..engine.configuration import Configuration
from ..errors import NotDecided
from ..evaluation.evaluator import Evaluator, evaluator_of
from ..position import Position
from ..rules.library import fingerprint
from ..workers import Answer, Job, Pool, Refused, answers, executor
from .playout import GameOutcome, ending, named, playout
from .statistics import Results

_CHUNK: Final = 8
"""So many games are played by one process."""
_HANDED_OUT: Final = 256
"""So many times as many are handed to a scheduler at a time."""
_Some: TypeAlias = tuple[list[GameOutcome], Mapping[tuple[str, str], int]]
"""How some games have ended, and what was done in them."""


def play(evaluator: Evaluator, seed: int, number: int, actions: Counter[tuple[str, str]]) -> GameOutcome:
    """Plays one game; what is done in it is counted in ``actions``, by role and kind of action."""
    decided: Counter[str] = Counter()
    for position, taken in playout(evaluator, seed, number):
        decided.update(taken.keys())
        for role, action in taken.items():
            actions[role, named(action)] += 1
        last = position
    return ending(last, decided, f"game {number} of seed {seed}")


def played(
    evaluator: Evaluator,
    games: int,
    seed: int,
    jobs: int | None = None,
    progress: Callable[[str], None] = lambda _: None,
    scheduler: str | None = None,
) -> Results:
    """Plays random games, some at a time in processes of their own.

    Args:
        evaluator: What plays.
        games: How many.
        seed: Which ones.
        jobs: How many processes; by default one for each core.
        progress: Told how many games have been played.
        scheduler: The address of a Dask scheduler whose workers play, instead of processes on this machine.

    Raises:
        NotDecided: A game cannot be played to its end.
        Refused: A worker of the scheduler has other rulebooks than this process.
        WrongUsage: Dask is missing, or there is no scheduler at the address.
    """
    configuration = evaluator.ruleset.configuration
    chunks = [range(first, min(first + _CHUNK, games)) for first in range(0, games, _CHUNK)]
    books = fingerprint(configuration.source) if scheduler else ""
    calls = [
        Job(str(n), partial(_chunk, configuration, seed, chunk, books)) for n, chunk in enumerate(chunks)
    ]
    found: dict[str, _Some] = {}
    for answer in _answers(calls, jobs or os.cpu_count(), scheduler):
        if answer.value is None:
            raise NotDecided(str(answer.failure))
        found[answer.name] = answer.value
        progress(f"random games: {min(len(found) * _CHUNK, games)}/{games}")
    ends: list[GameOutcome] = []
    actions: Counter[tuple[str, str]] = Counter()
    for n in range(len(chunks)):
        its, counted = found[str(n)]
        ends += its
        actions.update(counted)
    return Results.of(evaluator, seed, ends, actions)


def sampled_positions(
    evaluator: Evaluator, moments: Sequence[int], seed: int, jobs: int | None = None
) -> list[Position]:
    """Positions of random games, a game each, played in processes of their own.

    Args:
        evaluator: What plays.
        moments: After how many moments of decision each game is stopped; a game that is over by then gives nothing.
        seed: Which games.
        jobs: How many processes; by default one for each core.

    Raises:
        NotDecided: A game cannot be played.
    """
    configuration = evaluator.ruleset.configuration
    numbered = list(enumerate(moments))
    chunks = [numbered[first : first + _CHUNK] for first in range(0, len(numbered), _CHUNK)]
    calls = [
        Job(str(n), partial(_sampled_positions, configuration, seed, chunk)) for n, chunk in enumerate(chunks)
    ]
    found: dict[str, list[Position]] = {}
    for answer in Pool(calls, jobs or os.cpu_count(), memory=None):
        if answer.value is None:
            raise NotDecided(str(answer.failure))
        found[answer.name] = answer.value
    return [position for n in range(len(chunks)) for position in found[str(n)]]


def _sampled_positions(
    configuration: Configuration, seed: int, moments: Sequence[tuple[int, int]]
) -> list[Position]:
    """Positions of some games, in another process: each game's number, and after how many moments it is stopped."""
    evaluator = evaluator_of(configuration)
    games = ((playout(evaluator, seed, number), most) for number, most in moments)
    ends = (next(islice(positions, most, None), None) for positions, most in games)
    return [end[0] for end in ends if end is not None and end[0].decisions]


def _answers(calls: Sequence[Job[_Some]], jobs: int | None, scheduler: str | None) -> Iterator[Answer[_Some]]:
    """The answers of the calls, from processes here or from a scheduler."""
    if scheduler is None:
        yield from Pool(calls, jobs, memory=None)
        return
    with executor(1, scheduler) as them:
        yield from answers(calls, them, _HANDED_OUT)


def _chunk(configuration: Configuration, seed: int, numbers: range, books: str) -> _Some:
    """Some games, in another process; ``books``: a hash of the rulebooks that it must have, if it is not a child."""
    if books and books != fingerprint(configuration.source):
        raise Refused("a worker has other rulebooks than this process, so it is not used")
    actions: Counter[tuple[str, str]] = Counter()
    evaluator = evaluator_of(configuration)
    return [play(evaluator, seed, number, actions) for number in numbers], actions
