"""Many positions of one game at once: legal actions, moves, random games, counts of sequences of decisions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from math import prod
from typing import Any, Final

import numpy as np

from ..engine import symbols
from ..evaluation.evaluator import Evaluator
from ..evaluation.verdict import Judgement
from ..position import Position
from .circuit_store import CircuitStore
from .lanes import LANES, Lanes
from .packed import MoveEncoder, PackedPositions, Runner
from .playing import Results, played, sampled_positions
from .transition_circuits import STEP
from .vectorised import MOST_LANES, OTHER

_PARTS: Final = 32
"""The number of parts of a game from which positions are sampled."""


class Batch(Runner):
    """A game whose rules have become circuits, which evaluate hundreds of positions together.

    The answers are always those of :class:`~kaiser_logic.Position`: where there is no circuit, the engine for one position
    answers. It is made by :meth:`~kaiser_logic.Game.batch`.
    """

    def __init__(
        self, evaluator: Evaluator, jobs: int | None = None, progress: Callable[[str], None] = lambda _: None
    ) -> None:
        """``jobs``: the number of processes that build circuits; by default one for each core."""
        self._jobs = jobs
        super().__init__(evaluator, CircuitStore(evaluator.ruleset, jobs, progress))
        self._moves = MoveEncoder(self.store)

    @property
    def actions(self) -> Sequence[tuple[str, str]]:
        """The role and action of each number of an action. The list grows when new kinds of decisions occur."""
        return self.store.actions

    @property
    def refused(self) -> dict[str, str]:
        """The kinds of decisions and steps that are evaluated one position at a time, as far as known, each with the reason."""
        return {str(key): why for key, why in self.store.refused.items()}

    def pack(self, positions: Iterable[Position]) -> PackedPositions:
        """The positions in packed form, which all other methods accept too: they are packed only once.

        Raises:
            WrongUsage: One of them belongs to another game, edition, ruling, seats or board.
        """
        if isinstance(positions, PackedPositions) and positions.layout is self.store.layout:
            return positions
        return PackedPositions.of(self.evaluator, self.store.layout, positions)

    # -- what is legal -----------------------------------------------------------------------------------------------------

    def legal(self, positions: Iterable[Position]) -> list[dict[str, tuple[str, ...]]]:
        """For each position the result of :meth:`Position.legal`.

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
        """The legal actions of all positions as numbers, see :attr:`actions`.

        Returns:
            Offsets, one more than there are positions, and numbers. Those of the i-th position are from ``offsets[i]`` to
            before ``offsets[i + 1]``, in the order of the seats, and for each role in the order of their texts.

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
        """The legal actions of some positions, by the engine for one position: the index, the count, the numbers."""
        for place in places:
            actions = [(role, action) for role, its in packed[place].legal().items() for action in its]
            numbers = [self.store.number(role, action) for role, action in actions]
            yield np.array([place]), np.array([len(numbers)]), np.array(numbers, np.int32)

    # -- what moves do -----------------------------------------------------------------------------------------------------

    def apply(self, positions: Iterable[Position], moves: Sequence[Mapping[str, str]]) -> Sequence[Position]:
        """For each position the result of :meth:`Position.apply` with these moves.

        Raises:
            IllegalMove, WrongUsage: For the first position in which something is wrong.
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
        """For each position the judgement of the moves.

        If the moves are legal and complete, the judgement has all facts that really change, including those of the steps that
        follow. Otherwise it is the judgement of :meth:`Position.judge`.
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
        """The positions after moves, and the indices of those in which a move is illegal or the circuits do not decide."""
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
        """Plays random games: each role chooses among its legal actions with equal probability.

        If some kind of decision has no circuit, processes play the game one position at a time. The games are those of
        :func:`.playing.played`, decision by decision, however many are played at a time.

        Args:
            games: The number of games.
            seed: Their seed.
            lanes: The number of games that are played together.
            progress: Is called with the number of games done so far.

        Raises:
            NotDecided: A game cannot be played to its end.
        """
        self.store.need(whole=True)
        if self.refused:
            return self._played(games, seed, progress)
        return Lanes(self, games, seed, lanes).run(progress)

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
        """Positions of random games played one position at a time; ``length``: the length of a game in decisions."""
        found: list[Position] = []
        while len(found) < positions:
            moments = [
                1 + game % _PARTS * length // _PARTS for game in range(positions - len(found) + _PARTS)
            ]
            found += sampled_positions(self.evaluator, moments, seed, self._jobs)
            seed += 1
        return found

    def sample(self, positions: int, seed: int = 1) -> PackedPositions:
        """Positions from all parts of random games: one of each game, after a varying number of decisions.

        Args:
            positions: The least number of positions. Positions in which a game is over are left out.
            seed: The seed of the games.

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
            lanes = Lanes(self, part, seed + games + 1, part)
            state, beside, strange = lanes.rows(lanes.stop(1 + games % _PARTS * length // _PARTS))
            states.append(state)
            numbers.append(beside)
            others |= {found + place: position for place, position in strange.items()}
            found += len(state)
            games += 1
        return PackedPositions(
            self.evaluator, layout, np.concatenate(states), np.concatenate(numbers), others
        )


_ROWS: Final = 1 << 16
"""The number of positions that are expanded at a time."""


Singly = Callable[[dict[Position, int], int], list[int]]
"""Counts with the engine for one position: from positions with their numbers of paths, to a depth."""


class LevelCounter:
    """Counts sequences of decisions by a batch."""

    def __init__(self, batch: Batch, singly: Singly) -> None:
        """``singly``: counts from positions for which there are no circuits."""
        self._batch, self._singly = batch, singly

    def counted(self, paths: dict[Position, int], depth: int) -> list[int]:
        """The numbers of sequences of each length from 1 to ``depth``, from all these positions together.

        Args:
            paths: The positions, each with the number of paths that lead to it.
            depth: The largest length of the sequences.
        """
        return self._counted(self._batch.pack(paths), np.array(list(paths.values()), object), depth)

    def _counted(self, packed: PackedPositions, paths: Any, depth: int) -> list[int]:
        """The same for packed positions."""
        found = [0] * depth
        if not depth or not len(packed):
            return found
        where = self._batch.where(packed.state, packed.others)
        where[self._batch.naming(where)] = OTHER
        apart = {place: packed[place] for place in map(int, np.flatnonzero(where == OTHER))}
        if apart:
            left: dict[Position, int] = {}
            for place, position in apart.items():
                left[position] = left.get(position, 0) + int(paths[place])
            found = [a + b for a, b in zip(found, self._singly(left, depth), strict=True)]
        inside = np.flatnonzero(where >= 0)
        for first in range(0, len(inside), _ROWS):
            part = inside[first : first + _ROWS]
            rows = PackedPositions(
                self._batch.evaluator, packed.layout, packed.state[part], packed.numbers[part]
            )
            found = [a + b for a, b in zip(found, self._level(rows, paths[part], depth), strict=True)]
        return found

    def _level(self, packed: PackedPositions, paths: Any, depth: int) -> list[int]:
        """The same for positions that all have circuits."""
        offsets, numbers = self._batch.legal_numbers(packed)
        places = {role: k for k, role in enumerate(self._batch.evaluator.ruleset.roles)}
        roles = np.array([places[role] for role, _ in self._batch.actions], np.int64)
        sizes = np.diff(offsets)
        sources: list[Any] = []
        moves: list[Any] = []
        choices = sizes.astype(object)
        acting = roles[numbers]
        ends = np.repeat(np.arange(len(packed)), sizes)
        first_role = acting[np.minimum(offsets[:-1], max(len(numbers) - 1, 0))] if len(numbers) else acting
        several = np.unique(ends[acting != first_role[ends]]) if len(numbers) else np.zeros(0, np.int64)
        alone = np.ones(len(packed), np.bool_)
        alone[several] = False
        for place in map(int, several):
            its = numbers[offsets[place] : offsets[place + 1]]
            groups = [its[roles[its] == role] for role in np.unique(roles[its])]
            choices[place] = prod(map(len, groups))
            if depth > 1:
                rows = np.full((choices[place], len(places)), -1, np.int64)
                for k, joint in enumerate(product(*groups)):
                    rows[k, roles[list(joint)]] = joint
                sources.append(np.full(len(rows), place))
                moves.append(rows)
        found = [int(sum(paths * choices))]
        if depth == 1:
            return found
        mine = alone[ends]
        rows = np.full((int(mine.sum()), len(places)), -1, np.int64)
        rows[np.arange(len(rows)), acting[mine]] = numbers[mine]
        source, done = np.concatenate([ends[mine], *sources]), np.concatenate([rows, *moves])
        deeper = [0] * (depth - 1)
        for first in range(0, len(source), 4 * _ROWS):
            part = slice(first, first + 4 * _ROWS)
            after, its_paths = self._after(packed, source[part], done[part], paths)
            deeper = [a + b for a, b in zip(deeper, self._counted(after, its_paths, depth - 1), strict=True)]
        return found + deeper

    def _after(
        self, packed: PackedPositions, source: Any, done: Any, paths: Any
    ) -> tuple[PackedPositions, Any]:
        """The positions after some decisions, each once, with the number of paths to it."""
        state, numbers = packed.state[source], packed.numbers[source]
        known = np.ones(len(source), np.bool_)
        self._batch.carry_out(state, numbers, self._batch.where(state), done, known, sure=True)
        self._batch.settle(state, numbers, known)
        others: dict[Position, int] = {}
        for place in map(int, np.flatnonzero(~known)):
            actions = {self._batch.actions[n][0]: self._batch.actions[n][1] for n in done[place] if n >= 0}
            position = packed[int(source[place])].apply(actions)
            others[position] = others.get(position, 0) + int(paths[source[place]])
        whole = np.ascontiguousarray(np.hstack([state[known], numbers[known].view(np.uint64)]))
        rows, inverse = np.unique(whole, axis=0, return_inverse=True)
        summed = np.zeros(len(rows), object)
        np.add.at(summed, inverse.reshape(-1), paths[source[known]])
        width = state.shape[1]
        beside = np.ascontiguousarray(rows[:, width:]).view(np.int64)
        more = self._batch.pack(others)
        together = PackedPositions(
            self._batch.evaluator,
            packed.layout,
            np.concatenate([np.ascontiguousarray(rows[:, :width]), more.state]),
            np.concatenate([beside.reshape(len(rows), numbers.shape[1]), more.numbers]),
            {len(rows) + place: position for place, position in more.others.items()},
        )
        return together, np.concatenate([summed, np.array(list(others.values()), object)])
