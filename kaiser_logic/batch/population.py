"""Millions of reachable positions, from random games, and which of them have a property."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, Final, Protocol

import numpy as np

from ..engine import symbols
from ..engine.grounding import EngineProgram, Facts
from ..evaluation.evaluator import Evaluator
from ..evaluation.origin import Origin, reached_by
from ..lang.terms import Signature
from ..position import Position
from .bits import CircuitBuilder, TooLarge, Unsupported
from .circuit_files import are_complete, circuit_cache
from .circuit_store import CircuitStore
from .gates import GroundCircuit, lower
from .kernel import WordArray, bits_of, gather, rows_in
from .lanes import Lanes
from .layout import Layout
from .optional import is_installed
from .packed import Runner
from .playout import LONGEST, Choices, playout
from .vectorised import GateProgram, within_words

POSITIONS: Final = 1_000_000
"""The number of positions of random games that are evaluated."""
_CHUNK: Final = 8_192
"""The number of games that are played together."""
_GAMES: Final = 1_000_000
"""The largest number of games, however short they are."""
_KEPT: Final = 1_000
"""The largest number of positions with the property that are stored; those with the fewest moves come first."""


class Property(Protocol):
    """A property of positions in rows.

    Attributes:
        is_partial: Whether it was unknown of a row so far.
    """

    is_partial: bool

    def __call__(self, rows: Any, numbers: Any) -> Any:
        """For each row, and the numbers beside it, whether the position has it."""


class Derived:
    """The property that a program derives an atom of a predicate, as a circuit over rows.

    Attributes:
        is_partial: Whether it was unknown of a row what holds there.
    """

    def __init__(self, layout: Layout, program: EngineProgram, wanted: Signature) -> None:
        """``wanted``: the predicate.

        Raises:
            Unsupported: The program has no circuit.
        """
        circuit = CircuitBuilder()
        possible = {fact: layout.group(fact) for fact in layout.bits}
        try:
            opening = GroundCircuit(circuit, program, layout.readable(program.rules), layout.given, possible)
            outputs = [circuit.disj(opening.get(*wanted).values()), opening.beyond_limits()]
            inputs = sorted((layout.bits[fact], x) for fact, x in circuit.inputs.items())  # type: ignore[index]
            gates = lower(circuit, outputs, {x: n for n, (_, x) in enumerate(inputs)}, len(inputs))
        except (TooLarge, MemoryError):
            raise Unsupported("its circuit is too large") from None
        words, places = within_words(np.array([bit for bit, _ in inputs], np.int32))
        self._words = WordArray(words)
        self.is_partial = False
        self._circuits = GateProgram(gates, places, np.arange(len(outputs)))

    def __call__(self, rows: Any, numbers: Any) -> Any:
        """For each row whether any of the atoms holds; False if that is unknown."""
        table = self._circuits.run(gather(rows, np.arange(len(rows)), self._words))
        pairs = bits_of(rows_in(table, len(rows)))[:, :2] != 0
        self.is_partial |= bool(pairs[:, 1].any())
        return pairs[:, 0] & ~pairs[:, 1]


class EqualTo:
    """The property of being one given position."""

    is_partial = False

    def __init__(self, layout: Layout, facts: Facts) -> None:
        """``facts``: the facts of the position.

        Raises:
            Unsupported: It fits into no row.
        """
        row = layout.encode(facts)
        if row is None:
            raise Unsupported("the position fits into no row")
        self._row = np.frombuffer(row[0], np.uint64)
        self._numbers = np.array(row[1], np.int64)

    def __call__(self, rows: Any, numbers: Any) -> Any:
        """Compares the rows with the position."""
        return (rows == self._row).all(axis=1) & (numbers == self._numbers).all(axis=1)


@dataclass(frozen=True)
class Hit:
    """A position of a random game.

    Attributes:
        moves: The number of moves before it.
        moments: The number of moments of decision before it.
        seed: The seed of the game.
        number: The number of the game.
    """

    moves: int
    moments: int
    seed: int
    number: int

    def playout(self, evaluator: Evaluator) -> Iterator[tuple[Position, Choices]]:
        """The game up to the position: each position before it with its decisions, and then the position without any."""
        positions = playout(evaluator, self.seed, self.number)
        yield from islice(positions, self.moments)
        yield next(positions)[0], {}


@dataclass(frozen=True)
class Population:
    """The result of a search in random games.

    Attributes:
        positions: The number of positions that were evaluated.
        hits: The number of positions with the property.
        examples: Different positions with the property; those with the fewest moves come first.
        is_partial: Whether the games came to positions that circuits cannot evaluate.
    """

    positions: int
    hits: int
    examples: tuple[Hit, ...]
    is_partial: bool = False

    def __str__(self) -> str:
        """``in 3 of 1,000,000 positions of random games``."""
        others = "; circuits cannot evaluate the others" if self.is_partial else ""
        return f"in {self.hits:,} of {self.positions:,} positions of random games{others}"


class _DeadlineReached(Exception):
    """The deadline has passed."""


class _PositionCounter:
    """Evaluates the positions of games.

    Attributes:
        steps: The bits for due steps.
        seed: The seed of the games.
        positions: The number of positions evaluated so far.
        hits: The number of positions with the property.
        examples: Different positions with the property.
        is_partial: Whether the property was unknown of a position.
    """

    def __init__(self, wanted: Property, most: int, deadline: float) -> None:
        """``most``: the largest number of moves of a position."""
        self._wanted, self._most, self._deadline = wanted, most, deadline
        self.steps: Any = ()
        self.seed = 0
        self.positions = self.hits = 0
        self.examples: dict[bytes, Hit] = {}

    @property
    def is_partial(self) -> bool:
        return self._wanted.is_partial

    def __call__(self, lanes: Lanes, indices: Any) -> None:
        """Evaluates the property in some lanes."""
        if time.monotonic() > self._deadline:
            raise _DeadlineReached
        rows, numbers, moves, moments, games = lanes.state_of(indices)
        fine = (moves <= self._most) & ~(rows[:, : len(self.steps)] & self.steps).any(axis=1)
        self.positions += int(fine.sum())
        hits = np.flatnonzero(fine & self._wanted(rows, numbers))
        self.hits += len(hits)
        for k in hits[np.argsort(moves[hits], kind="stable")][:_KEPT].tolist():
            key = rows[k].tobytes() + numbers[k].tobytes()
            if key not in self.examples or moves[k] < self.examples[key].moves:
                self.examples[key] = Hit(int(moves[k]), int(moments[k]), self.seed, int(games[k]))
        if len(self.examples) > 2 * _KEPT:
            self.examples = dict(sorted(self.examples.items(), key=lambda one: one[1].moves)[:_KEPT])


def search_random_games(
    evaluator: Evaluator,
    wanted: Callable[[Layout], Property],
    moves: int,
    positions: int = POSITIONS,
    deadline: float = float("inf"),
    progress: Callable[[str], None] = lambda _: None,
) -> Population | None:
    """Searches the positions of random games: those in which somebody decides, and the final ones.

    Circuits are built if need be, unless they cannot be stored. Circuits that are built by the deadline are stored for the
    next time.

    Args:
        evaluator: Evaluates single positions under the same rules.
        wanted: Makes the property for rows with a layout.
        moves: The largest number of moves of a game.
        positions: The least number of positions to evaluate.
        deadline: By :func:`time.monotonic`. Then the search ends with the result so far.
        progress: Is called with the number of positions so far.

    Returns:
        The result; None if some circuits are missing.
    """
    if not is_installed() or circuit_cache(evaluator.ruleset) is None:
        return None
    store = CircuitStore(evaluator.ruleset, None, progress, deadline)
    try:
        counter = None if store.refused else _PositionCounter(wanted(store.layout), moves, deadline)
    except Unsupported:
        return None
    store.ensure(whole=True)
    if counter is None or store.refused:
        return None
    runner = Runner(evaluator, store)
    counter.steps = runner.steps
    games, beyond_rows = 0, False
    with suppress(_DeadlineReached):
        while counter.positions < positions and games < _GAMES:
            counter.seed += 1
            lanes = Lanes(runner, _CHUNK, counter.seed, _CHUNK)
            lanes.watch = counter
            lanes.stop(moves + 1)
            beyond_rows |= lanes.is_beyond_rows
            games += _CHUNK
            progress(f"positions of random games: {counter.positions:,}")
    examples = sorted(counter.examples.values(), key=lambda hit: (hit.moves, hit.seed, hit.number))
    return Population(counter.positions, counter.hits, tuple(examples), beyond_rows or counter.is_partial)


def are_cached(evaluator: Evaluator) -> bool:
    """Whether all circuits under these rules have been built and kept."""
    return is_installed() and are_complete(evaluator.ruleset)


def among_random_games(evaluator: Evaluator, facts: Facts, known: Origin, positions: int, seconds: float) -> Origin:
    """Searches a position among those of random games; ``known``: the verdict so far on whether it is reachable."""
    population = search_random_games(
        evaluator, lambda layout: EqualTo(layout, facts), LONGEST, positions, time.monotonic() + seconds
    )
    if population is None:
        return known
    if not population.examples:
        return replace(
            known,
            reason=f"{known.reason}; it is not among {population.positions:,} positions of random games",
        )
    games = population.examples[0].playout(evaluator)
    return reached_by(tuple((role, symbols.text(a)) for _, taken in games for role, a in taken.items()))
