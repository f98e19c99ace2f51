"""Random games of a batch: lanes in lockstep, and what the circuits do not know one position at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from ..engine import symbols
from ..errors import NotDecided
from ..evaluation.evaluator import Evaluator
from ..position import Position
from ..rules.predicates import DUE
from .course import LONGEST, chosen, ending, named
from .kernels import OTHER, OVER
from .lockstep import play, start
from .outcomes import Ending, Outcomes
from .packed import unpacked
from .playouts import Results
from .stock import Stock
from .stream import Stream

LANES: Final = 16_384
"""So many games are played at the same time, if there are as many."""


class Lanes:
    """Games that are being played."""

    def __init__(
        self, evaluator: Evaluator, stock: Stock, least: Any, games: int, seed: int, lanes: int = LANES
    ) -> None:
        """So many games of a seed."""
        self.evaluator, self.stock = evaluator, stock
        self._seed, self._games = seed, games
        self._least = least
        self.outcomes = Outcomes(evaluator, stock.layout)
        self._kept = np.array(sorted({bit >> 6 for bit in self.outcomes.bits}), np.int64)
        self._roles = evaluator.ruleset.roles
        self._actions: Counter[tuple[str, str]] = Counter()
        self._handed = 0
        self._foreign: dict[int, Position] = {}
        self._results: dict[int, Ending] = {}
        layout, machine = stock.layout, stock.machine
        count, width = min(lanes, games), len(layout.numbers)
        first = layout.encoded(evaluator.initial())
        if first is None:
            raise NotDecided("the first position of the game does not fit into a row")
        self._world = (
            np.zeros((count, layout.words), np.uint64),
            np.zeros((count, width), np.int64),
            np.zeros(count, np.uint64),
            np.zeros(count, np.int64),
            np.zeros((count, len(self._roles)), np.int64),
            np.zeros(count, np.int64),
            np.frombuffer(bytearray(first[0].to_bytes(8 * layout.words, "little")), np.uint64),
            np.array(first[1], np.int64),
            np.zeros(max(len(machine.ticket_of), 1), np.int64),
        )
        self._ended = (
            np.zeros((games, len(self._kept)), np.uint64),
            np.zeros((games, width), np.int64),
            np.zeros((games, len(self._roles)), np.int64),
            self._kept,
        )
        buckets = len(machine.places)
        self._queues = np.zeros((buckets + 1, count), np.int64)
        self._sizes = np.zeros(buckets + 1, np.int64)
        self._progress = np.array([count, 0, games], np.int64)
        self._work = machine.work()
        for lane in range(count):
            start(lane, lane, self._world, np.uint64(seed))
            self._queue(lane)

    # -- in lockstep -------------------------------------------------------------------------------------------------------

    def run(self, progress: Callable[[str], None]) -> Results:
        """Plays all of them.

        Raises:
            NotDecided: A game cannot be played to its end.
        """
        while self._progress[1] < self._games:
            for lane in self._go_on(LONGEST):
                self._hand(lane)
            progress(f"random games: {self._progress[1]}/{self._games}")
        return self._found()

    def stop(self, moments: int) -> list[int]:
        """Plays all games, of which there are no more than lanes, until so much has been decided; those not over by then."""
        stopped: list[int] = []
        while len(stopped) + self._progress[1] < self._games:
            for lane in self._go_on(moments):
                if self._world[5][lane] >= moments and not self._is_due(lane):
                    stopped.append(lane)
                else:
                    self._hand(lane)
        return stopped

    def _is_due(self, lane: int) -> bool:
        """Whether something is due by itself in a lane."""
        row = int.from_bytes(self._world[0][lane].tobytes(), "little")
        return lane not in self._foreign and any(
            row >> self.stock.layout.bits[f] & 1 for f in self.stock.layout.steps
        )

    def rows(self, lanes: list[int]) -> tuple[Any, Any, dict[int, Position]]:
        """The positions of some lanes, as they lie in rows, and those that do not."""
        others = {k: self._foreign[lane] for k, lane in enumerate(lanes) if lane in self._foreign}
        return self._world[0][lanes], self._world[1][lanes], others

    def _go_on(self, longest: int) -> list[int]:
        """Plays until nothing can go on; the lanes that are to be handed to the engine for one position."""
        machine = self.stock.machine
        if len(machine.places):
            play(
                machine.places,
                machine.data,
                machine.pending,
                machine.bucket_of_bit,
                self._world,
                self._least,
                self._queues,
                self._sizes,
                self._ended,
                self._progress,
                np.uint64(self._seed),
                longest,
                self._work,
            )
        waiting = list(map(int, self._queues[-1, : self._sizes[-1]]))
        self._sizes[-1] = 0
        return waiting

    def _queue(self, lane: int) -> None:
        """Lets a lane wait where it belongs, or ends its game."""
        place = OTHER if lane in self._foreign else self._bucket(lane)
        if place == OVER:
            self._over(lane, None)
            return
        self._queues[place if place >= 0 else -1, self._sizes[place if place >= 0 else -1]] = lane
        self._sizes[place if place >= 0 else -1] += 1

    def _bucket(self, lane: int) -> int:
        """The bucket of a lane: OVER or OTHER where there is none."""
        machine = self.stock.machine
        control = self._world[0][lane, : self.stock.layout.control]
        bits = [w * 64 + b for w, word in enumerate(map(int, control)) for b in range(64) if word >> b & 1]
        if not bits:
            return OVER
        found = {int(machine.bucket_of_bit[bit]) for bit in bits}
        return found.pop() if len(found) == 1 and found != {-1} else OTHER

    def _over(self, lane: int, result: Ending) -> None:
        """Ends a lane's game, and begins another one there; ``result``: where it cannot be told from the row."""
        game = int(self._world[3][lane])
        self._ended[0][game] = self._world[0][lane, self._kept]
        self._ended[1][game] = self._world[1][lane]
        self._ended[2][game] = self._world[4][lane]
        if result is not None:
            self._results[game] = result
        self._progress[1] += 1
        if self._progress[0] < self._games:
            start(int(self._progress[0]), lane, self._world, np.uint64(self._seed))
            self._progress[0] += 1
            self._queue(lane)

    # -- one position at a time --------------------------------------------------------------------------------------------

    def _hand(self, lane: int) -> None:
        """Lets the engine for one position make the next decision of a lane, with what happens by itself around it."""
        state, numbers, random, games, decided, moments = self._world[:6]
        layout = self.stock.layout
        position = self._foreign.pop(lane, None)
        if position is None:
            position = unpacked(self.evaluator, layout, state[lane], numbers[lane])
        which = f"game {games[lane]} of seed {self._seed}"
        if any(symbols.signature(f) == DUE for f in position.symbols):
            position = Position(self.evaluator, self.evaluator.settle(position.symbols))
        elif position.decisions:
            if moments[lane] >= LONGEST:
                raise NotDecided(f"{which} has not ended after {LONGEST} moments of decision")
            stream = Stream.at(int(random[lane]))
            try:
                taken = chosen(position, stream)
            except NotDecided as error:
                raise NotDecided(f"{which}: {error}") from None
            random[lane] = stream.state
            moments[lane] += 1
            for role, action in taken.items():
                self._actions[role, named(action)] += 1
                decided[lane, self._roles.index(role)] += 1
            self._handed += len(taken)
            position = position.successor(self.evaluator.judge(position.symbols, taken))
        found = layout.encoded(position.symbols)
        if found is not None:
            state[lane] = np.frombuffer(found[0].to_bytes(8 * layout.words, "little"), np.uint64)
            numbers[lane] = found[1]
            self._queue(lane)
        elif position.decisions:
            self._foreign[lane] = position
            self._queue(lane)
        else:
            last = ending(position, {}, which)
            self._over(lane, (last.points, last.winners))

    # -- what they have come to --------------------------------------------------------------------------------------------

    def _found(self) -> Results:
        """The results."""
        rows, numbers, decided, kept = self._ended
        seats = len(self.evaluator.ruleset.seats)
        points = np.zeros((self._games, seats), np.int64)
        winners = np.zeros((self._games, seats), np.bool_)
        mask = np.zeros(len(kept), np.uint64)
        for bit in self.outcomes.bits:
            mask[list(kept).index(bit >> 6)] |= np.uint64(1 << (bit & 63))
        for game in range(self._games):
            found = self._results.get(game)
            if found is None:
                row = sum(int(w & m) << (64 * int(k)) for w, m, k in zip(rows[game], mask, kept, strict=True))
                found = self.outcomes.of(row, tuple(map(int, numbers[game])))
            if found is None:
                raise NotDecided(f"game {game} of seed {self._seed} has stopped without a result")
            points[game], winners[game] = found
        for (role, action), times in zip(self.stock.actions, self._world[8], strict=False):
            if times:
                self._actions[role, named(symbols.read(action))] += int(times)
        actions = dict(sorted(self._actions.items()))
        return Results(self.evaluator, self._seed, points, winners, decided, actions, self._handed)
