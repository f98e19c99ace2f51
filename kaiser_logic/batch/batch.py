"""Many positions of one game at once: what is legal, what moves do, random games."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np

from ..engine import symbols
from ..evaluation.evaluator import Evaluator
from ..evaluation.verdict import Judgement
from ..position import Position
from .circuit_store import CircuitStore
from .lanes import LANES, Lanes
from .packed import MoveEncoder, PackedPositions, Runner
from .playing import played, sampled_positions
from .statistics import Results
from .transition_circuits import STEP
from .vectorised import MOST_LANES, OTHER

_PARTS: Final = 32
"""Into so many parts games are divided where positions are sampled."""


class Batch(Runner):
    """A game whose rules have become circuits, by which hundreds of positions are looked at together.

    Answers are those of :class:`~kaiser_logic.Position`, in every case: what no circuit knows is asked of the engine that
    looks at one position. Made by :meth:`~kaiser_logic.Game.batch`.
    """

    def __init__(
        self, evaluator: Evaluator, jobs: int | None = None, progress: Callable[[str], None] = lambda _: None
    ) -> None:
        """``jobs``: how many processes build circuits; by default one for each core."""
        self._jobs = jobs
        super().__init__(evaluator, CircuitStore(evaluator.ruleset, jobs, progress))
        self._moves = MoveEncoder(self.store)

    @property
    def actions(self) -> Sequence[tuple[str, str]]:
        """What the numbers of actions stand for: role and action. Grows as kinds of decisions are met."""
        return self.store.actions

    @property
    def refused(self) -> dict[str, str]:
        """The kinds of decisions and steps that are looked at one position at a time, as far as known, each with why."""
        return {str(key): why for key, why in self.store.refused.items()}

    def pack(self, positions: Iterable[Position]) -> PackedPositions:
        """The positions as rows, which all other methods take too: they are packed once.

        Raises:
            WrongUsage: One of them is of another game, edition, rulings, seats or board.
        """
        if isinstance(positions, PackedPositions) and positions.layout is self.store.layout:
            return positions
        return PackedPositions.of(self.evaluator, self.store.layout, positions)

    # -- what is legal -----------------------------------------------------------------------------------------------------

    def legal(self, positions: Iterable[Position]) -> list[dict[str, tuple[str, ...]]]:
        """For each position the same as :meth:`Position.legal`.

        Raises:
            NotDecided: There are too many actions to list.
        """
        packed = self.pack(positions)
        offsets, numbers = self.legal_numbers(packed)
        found: list[dict[str, tuple[str, ...]]] = []
        for place in range(len(packed)):
            by_role: dict[str, list[str]] = defaultdict(list)
            for one in map(int, numbers[offsets[place] : offsets[place + 1]]):
                role, action = self.actions[one]
                by_role[role].append(action)
            found.append({role: tuple(its) for role, its in by_role.items()})
        for empty in map(int, np.flatnonzero(np.diff(offsets) == 0)):
            found[empty] = packed[empty].legal()
        return found

    def legal_numbers(self, positions: Iterable[Position]) -> tuple[Any, Any]:
        """The legal actions of all positions as numbers, which :attr:`actions` explains.

        Returns:
            Offsets, one more than there are positions, and numbers: those of the i-th position lie from ``offsets[i]`` to
            before ``offsets[i + 1]``, in the order of the seats and for each role in that of their texts.

        Raises:
            NotDecided: There are too many actions to list.
        """
        packed = self.pack(positions)
        where = self.where(packed.state, packed.others)
        counts = np.zeros(len(packed), np.int64)
        parts: list[tuple[Any, Any, Any]] = []
        circuit_set = self.store.circuit_set
        where[self.naming(where)] = OTHER
        single = [*np.flatnonzero(where == OTHER)]
        for index in np.unique(where[where >= 0]):
            loaded = circuit_set.loaded[index]
            if loaded.circuits.key.role == STEP:
                continue
            every = np.flatnonzero(where == index)
            for first in range(0, len(every), MOST_LANES):
                lanes = every[first : first + MOST_LANES]
                outputs = loaded.legal_outputs(loaded.planes(packed.state, lanes), len(lanes))
                single += list(lanes[~outputs.known])
                parts.append((lanes, *loaded.listed(outputs)))
        parts += self._listed(packed, [int(place) for place in single])
        for lanes, its, _ in parts:
            counts[lanes] = its
        offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)])
        found = np.empty(offsets[-1], np.int32)
        for lanes, its, numbers in parts:
            starts = np.cumsum(its) - its
            found[np.repeat(offsets[lanes] - starts, its) + np.arange(len(numbers))] = numbers
        return offsets, found

    def _listed(self, packed: PackedPositions, places: list[int]) -> Iterator[tuple[Any, Any, Any]]:
        """The legal actions of some positions, by the engine for one position: the index, their count, their numbers."""
        for place in places:
            actions = [(role, action) for role, its in packed[place].legal().items() for action in its]
            numbers = [self.store.number(role, action) for role, action in actions]
            yield np.array([place]), np.array([len(numbers)]), np.array(numbers, np.int32)

    # -- what moves do -----------------------------------------------------------------------------------------------------

    def apply(self, positions: Iterable[Position], moves: Sequence[Mapping[str, str]]) -> Sequence[Position]:
        """For each position the same as :meth:`Position.apply`, with what all who decide do there.

        Raises:
            IllegalMove, WrongUsage: Of the first position in which something is wrong.
        """
        packed = self.pack(positions)
        after, single = self._after(packed, moves)
        for place in single:
            position = packed[place].apply(moves[place])
            encode = self.pack([position])
            after.state[place], after.numbers[place] = encode.state[0], encode.numbers[0]
            after.others.pop(place, None)
            if encode.others:
                after.others[place] = position
        return after

    def judge(self, positions: Iterable[Position], moves: Sequence[Mapping[str, str]]) -> list[Judgement]:
        """For each position what is found of what is done there.

        Where it is legal, and all have decided, what is added and deleted is what really changes, up to what then
        happens by itself; else the judgement is that of :meth:`Position.judge`.
        """
        packed = self.pack(positions)
        after, single = self._after(packed, moves, settle=False)
        found: list[Judgement | None] = [None] * len(packed)
        for place in single:
            actions = {r: symbols.read(a) for r, a in moves[place].items()}
            found[place] = self.evaluator.judge(packed[place].symbols, actions)
        judged: list[Judgement] = []
        for place, judgement in enumerate(found):
            if judgement is None:
                old, new = packed[place].symbols, after[place].symbols
                judgement = Judgement((), tuple(sorted(new - old)), tuple(sorted(old - new)))
            judged.append(judgement)
        return judged

    def _after(
        self, packed: PackedPositions, moves: Sequence[Mapping[str, str]], settle: bool = True
    ) -> tuple[PackedPositions, list[int]]:
        """The positions after moves, and the indices of those in which a move is illegal or the circuits do not know."""
        if len(moves) != len(packed):
            raise ValueError(f"{len(packed)} positions and {len(moves)} moves")
        where = self.where(packed.state, packed.others)
        pending = np.bitwise_count(packed.state[:, : self.store.layout.control]).sum(axis=1)
        done, picked, known = self._moves.encode(moves, where, pending)
        state, beside = packed.state.copy(), packed.numbers.copy()
        self.carry_out(state, beside, where, done, known, picked)
        if settle:
            self.settle(state, beside, known)
        after = PackedPositions(self.evaluator, packed.layout, state, beside)
        return after, [int(i) for i in np.flatnonzero(~known)]

    # -- random games ------------------------------------------------------------------------------------------------------

    def play(
        self,
        games: int,
        seed: int = 1,
        *,
        lanes: int = LANES,
        progress: Callable[[str], None] = lambda _: None,
    ) -> Results:
        """Plays random games: everybody chooses among the legal actions, each as probable as the others.

        A game of which some kind of decision has no circuit is played by processes that look at one position at a time.
        The games are those of :func:`.playing.played`, decision by decision, however many are played at a time.

        Args:
            games: How many.
            seed: Which ones.
            lanes: How many at the same time.
            progress: Told how far it is.

        Raises:
            NotDecided: A game cannot be played to its end.
        """
        self.store.need(whole=True)
        if self.refused:
            return self._played(games, seed, progress)
        return Lanes(self.evaluator, self, games, seed, lanes).run(progress)

    def _played(self, games: int, seed: int, progress: Callable[[str], None]) -> Results:
        found = played(self.evaluator, games, seed, self._jobs, progress)
        return replace(
            found,
            points=np.array(found.points, np.int64),
            winners=np.array(found.winners, np.bool_),
            decided=np.array(found.decided, np.int64),
            fallbacks=int(np.array(found.decided).sum()),
        )

    def _sampled_positions(self, positions: int, seed: int, length: int) -> list[Position]:
        """Positions of random games played one position at a time; ``length``: of a game, in decisions."""
        found: list[Position] = []
        while len(found) < positions:
            moments = [
                1 + game % _PARTS * length // _PARTS for game in range(positions - len(found) + _PARTS)
            ]
            found += sampled_positions(self.evaluator, moments, seed, self._jobs)
            seed += 1
        return found

    def sample(self, positions: int, seed: int = 1) -> PackedPositions:
        """Positions of random games, from all their parts: of each game one, after a number of decisions that varies.

        Args:
            positions: How many, at least; those in which a game was over are left out.
            seed: Which ones.

        Raises:
            NotDecided: A game cannot be played.
        """
        self.store.need(whole=True)
        length = int(self.play(64, seed).decisions.mean())
        if self.refused:
            return self.pack(self._sampled_positions(positions, seed + 1, length))
        layout = self.store.layout
        states: list[Any] = []
        numbers: list[Any] = []
        others: dict[int, Position] = {}
        found = 0
        part = max(1, -(-positions // _PARTS))
        games = 0
        while found < positions:
            lanes = Lanes(self.evaluator, self, part, seed + games + 1, part)
            state, beside, strange = lanes.rows(lanes.stop(1 + games % _PARTS * length // _PARTS))
            states.append(state)
            numbers.append(beside)
            others |= {found + place: position for place, position in strange.items()}
            found += len(state)
            games += 1
        return PackedPositions(
            self.evaluator, layout, np.concatenate(states), np.concatenate(numbers), others
        )
