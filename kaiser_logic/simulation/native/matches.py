"""Random games in native code, with what they need provided, and what it cannot do handed over."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Final

import numpy as np

from ...errors import NotDecided
from ...position import Position
from ..course import LONGEST, chosen, ending, named
from ..playouts import Results
from ..stream import Stream
from . import playing, states
from .changing import begin
from .games import Native
from .memory import Full, Large

_TOGETHER: Final = 256
"""So many games are played between two words on how far it is."""


class Games:
    """Games that are being played, one after the other.

    Attributes:
        handed: How many decisions were handed to the engine for one position.
    """

    def __init__(self, native: Native, games: int, seed: int) -> None:
        """So many games of a seed."""
        seats = native.ruleset.seats
        self.native, self.games, self.seed = native, games, seed
        self.handed = 0
        self._first = native.encoded(native.evaluator.start())
        self._points = np.zeros((games, len(seats)), np.int64)
        self._winners = np.zeros((games, len(seats)), np.bool_)
        self._decided = np.zeros((games, len(seats) + 1), np.int64)
        self._counts = np.zeros((len(seats) + 1, 1 << 14), np.int64)
        self._room = np.zeros((3, 1 << 15), np.int64)
        self._state, self._random = np.zeros(9, np.int64), np.zeros(1, np.uint64)
        self._state[states.WEIGHTED] = native.ruleset.weight_program is not None
        self._actions: Counter[tuple[str, str]] = Counter()

    def play(self, progress: Callable[[str], None]) -> Results:
        """Plays all of them.

        Raises:
            NotDecided: A game cannot be played to its end.
        """
        state, native = self._state, self.native
        while state[states.GAME] < self.games:
            state[states.GAMES] = min(self.games, (int(state[states.GAME]) // _TOGETHER + 1) * _TOGETHER)
            self._go_on()
            progress(f"random games: {state[states.GAME]}/{self.games}")
        actions = self._actions.copy()
        for role, shape in zip(*np.nonzero(self._counts), strict=True):
            name, arity = native.memory.name(int(shape))
            actions[native.ruleset.roles[role], f"{name}/{arity}"] += int(self._counts[role, shape])
        by_role = dict(sorted(actions.items()))
        return Results(
            native.evaluator, self.seed, self._points, self._winners, self._decided, by_role, self.handed
        )

    def stop(self, moments: Callable[[int], int]) -> list[Position]:
        """The position of each game after so many moments of decision, if it is not over before."""
        state, found = self._state, []
        state[states.GAMES] = self.games
        while state[states.GAME] < self.games:
            state[states.STOP] = moments(int(state[states.GAME]))
            if self._go_on(once=True) == states.STOPPED:
                found.append(Position(self.native.evaluator, self.native.position()))
                state[states.GAME] += 1
                state[states.PHASE] = states.START
        return found

    def _go_on(self, once: bool = False) -> int:
        """Plays until something is needed, which is provided; ``once``: until a game is over, at most."""
        native, state = self.native, self._state
        games = int(state[states.GAMES])
        if once:
            state[states.GAMES] = state[states.GAME] + 1
        reason: int = playing.play(
            native.memory.words,
            native.memory.texts,
            native.relations,
            native.keys,
            native.addresses,
            state,
            self._random,
            np.uint64(self.seed),
            native.roles,
            self._first,
            native.heads(),
            self._points,
            self._winners,
            self._decided,
            self._counts,
            self._room,
        )
        state[states.GAMES] = games
        if reason == states.HAND:
            self._hand()
        elif reason not in (states.FINISHED, states.STOPPED):
            native.provide(reason, state)
        return reason

    def _hand(self) -> None:
        """Lets the engine for one position do what comes next, and go on until native code can."""
        native, state = self.native, self._state
        evaluator, roles = native.evaluator, native.ruleset.roles
        game = int(state[states.GAME])
        which = f"game {game} of seed {self.seed}"
        position = Position(evaluator, evaluator.settle(native.position()))
        stream = Stream.at(int(self._random[0]))
        while True:
            if position.decisions:
                if state[states.MOMENTS] >= LONGEST:
                    raise NotDecided(f"{which} has not ended after {LONGEST} moments of decision")
                try:
                    taken = chosen(position, stream)
                except NotDecided as error:
                    raise NotDecided(f"{which}: {error}") from None
                state[states.MOMENTS] += 1
                self.handed += len(taken)
                for role, action in taken.items():
                    self._actions[role, named(action)] += 1
                    self._decided[game, roles.index(role)] += 1
                position = position.successor(evaluator.judge(position.symbols, taken))
            self._random[0] = stream.state
            if not position.decisions:
                last = ending(position, {}, which)
                self._points[game], self._winners[game] = last.points, last.winners
                state[states.GAME] += 1
                state[states.PHASE] = states.START
                return
            try:
                rows = native.encoded(position.symbols)
            except (Full, Large):
                continue
            begin(native.memory.words, rows, native.heads())
            state[states.PHASE] = states.SETTLE
            return


def play(native: Native, games: int, seed: int, progress: Callable[[str], None] = lambda _: None) -> Results:
    """Plays random games: those of :func:`..playing.played`.

    Raises:
        NotDecided: A game cannot be played to its end.
    """
    return Games(native, games, seed).play(progress)


def sample(native: Native, positions: int, seed: int, parts: int) -> list[Position]:
    """Positions of random games, from all of so many parts of them: of each game one.

    Raises:
        NotDecided: A game cannot be played.
    """
    length = int(play(native, 64, seed).decisions.mean())
    found: list[Position] = []
    first = seed + 1
    while len(found) < positions:
        games = Games(native, positions - len(found) + parts, first)
        found += games.stop(lambda game: 1 + game % parts * length // parts)
        first += 1
    return found
