"""The positions of random games, played in child processes; the same from the same seed, however many there are."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from random import Random
from typing import Final, TypeAlias

from .. import clingo
from ..engine import symbols
from ..errors import NotDecided
from ..evaluation.evaluator import Evaluator
from ..proof.sample import random_game
from ..symbolic.domains import Domains
from ..workers import TIMEOUT, Job, Pool

_TOGETHER: Final = 4
"""So many games are played by one process."""
_MOVES: Final = 2_000
"""A game is left after so many moves and steps."""
SHORT: Final = "the time was too short"
"""Why nothing is decided where a deadline has passed."""

Facts: TypeAlias = frozenset[clingo.Symbol]
Packed: TypeAlias = tuple[int | str, ...]
"""A position that can go from process to process: facts by their numbers, what has no number as text."""


def positions(
    evaluators: Sequence[Evaluator],
    domains: Domains,
    games: int,
    seed: int,
    deadline: float,
    jobs: int | None = None,
    progress: Callable[[str], None] = lambda _: None,
) -> list[Facts]:
    """The positions of random games, also those in which something is due by itself; each once.

    Args:
        evaluators: One for each start; the games begin from one after the other.
        domains: The facts that there are.
        games: How many games.
        seed: Which games.
        deadline: By :func:`time.monotonic`.
        jobs: How many processes; by default one for each core.
        progress: Told how many games have been played.

    Raises:
        NotDecided: The time was too short, or a game could not be played.
    """
    known = _known(domains, evaluators[0])
    numbers = {fact: number for number, fact in enumerate(known)}
    chunks = [range(first, min(first + _TOGETHER, games)) for first in range(0, games, _TOGETHER)]
    pool: Pool[list[Packed]] = Pool(
        [Job(str(chunk), partial(_played, evaluators, numbers, chunk, seed)) for chunk in chunks],
        jobs or os.cpu_count(),
        deadline,
    )
    found: dict[str, list[Packed]] = {}
    for count, answer in enumerate(pool, 1):
        if answer.value is None:
            raise NotDecided(SHORT if answer.failure == TIMEOUT else f"random games: {answer.failure}")
        found[answer.name] = answer.value
        progress(f"random games: {min(count * _TOGETHER, games)}/{games}")
    packed = dict.fromkeys(p for chunk in chunks for p in found[str(chunk)])
    return [_unpacked(p, known) for p in packed]


def _known(domains: Domains, evaluator: Evaluator) -> list[clingo.Symbol]:
    return list(dict.fromkeys((*domains.wide, *domains.fluents, *sorted(evaluator.ruleset.steps))))


def _played(
    evaluators: Sequence[Evaluator], numbers: dict[clingo.Symbol, int], chunk: range, seed: int
) -> list[Packed]:
    """The positions of these games."""
    found: dict[Packed, None] = {}
    for number in chunk:
        evaluator = evaluators[number % len(evaluators)]
        found[_packed(evaluator.initial(), numbers)] = None
        for count, (_, after) in enumerate(random_game(evaluator, Random(f"{seed}/{number}"))):
            found[_packed(after, numbers)] = None
            if count >= _MOVES:
                break
    return list(found)


def _packed(facts: Iterable[clingo.Symbol], numbers: dict[clingo.Symbol, int]) -> Packed:
    places = sorted(numbers[f] for f in facts if f in numbers)
    return (*places, *sorted(symbols.text(f) for f in facts if f not in numbers))


def _unpacked(packed: Packed, known: Sequence[clingo.Symbol]) -> Facts:
    return frozenset(known[f] if isinstance(f, int) else symbols.read(f) for f in packed)


def remaining(deadline: float) -> float:
    """The seconds until a deadline; NotDecided where it has passed."""
    left = deadline - time.monotonic()
    if left <= 0:
        raise NotDecided(SHORT)
    return left
