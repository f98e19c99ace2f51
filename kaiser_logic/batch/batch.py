"""Many positions of one game at once: legal actions, moves, random games, counts of sequences of decisions."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np

from ..engine import symbols
from ..errors import NotDecided
from ..evaluation.evaluator import Evaluator
from ..evaluation.verdict import Judgement
from ..position import Position
from .circuit_store import CircuitStore
from .lanes import LANES, Lanes
from .packed import MoveEncoder, PackedPositions, Runner
from .playing import Results, play_games, sampled_positions
from .transition_circuits import STEP
from .vectorised import MOST_LANES, OTHER, Moves

_PARTS: Final = 32
"""The number of parts of a game from which positions are sampled."""


class Batch(Runner):
    """A game whose rules have become circuits, which evaluate hundreds of positions together.

    The answers are always those of :class:`~kaiser_logic.Position`: where there is no circuit, the engine for one position
    answers. It is made by :meth:`~kaiser_logic.Game.batch`.
    """

    def __init__(
        self,
        evaluator: Evaluator,
        jobs: int | None = None,
        progress: Callable[[str], None] = lambda _: None,
        deadline: float = float("inf"),
    ) -> None:
        """``jobs``: the number of processes that build circuits, by default one for each core; ``deadline``: for building."""
        self._jobs = jobs
        super().__init__(evaluator, CircuitStore(evaluator.ruleset, jobs, progress, deadline))
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
        return PackedPositions.pack(self.evaluator, self.store.layout, positions)

    # -- what is legal -----------------------------------------------------------------------------------------------------

    def legal(self, positions: Iterable[Position]) -> list[dict[str, tuple[str, ...]]]:
        """For each position the result of :meth:`Position.legal`.

        Raises:
            NotDecided: There are too many actions to list.
        """
        packed = self.pack(positions)
        offsets, numbers = self.legal_numbers(packed)
        answers: list[dict[str, tuple[str, ...]]] = []
        for place in range(len(packed)):
            by_role: dict[str, list[str]] = defaultdict(list)
            for one in map(int, numbers[offsets[place] : offsets[place + 1]]):
                role, action = self.actions[one]
                by_role[role].append(action)
            answers.append({role: tuple(actions) for role, actions in by_role.items()})
        for place, decisions in enumerate(self._pending(packed).tolist()):
            if (
                decisions != len(answers[place]) or not decisions
            ):  # somebody has to decide and has no legal action, or nobody decides
                answers[place] = packed[place].legal()
        return answers

    def _pending(self, packed: PackedPositions) -> Any:
        """For each position the number of decisions and steps that are pending; 0 if it does not fit into a row."""
        return np.bitwise_count(packed.state[:, : self.store.layout.control]).sum(axis=1)

    def legal_numbers(self, positions: Iterable[Position]) -> tuple[Any, Any]:
        """The legal actions of all positions as numbers, see :attr:`actions`.

        Returns:
            Offsets, one more than there are positions, and numbers. Those of the i-th position are from ``offsets[i]`` to
            before ``offsets[i + 1]``, in the order of the seats, and for each role in the order of their texts.

        Raises:
            NotDecided: There are too many actions to list.
        """
        packed = self.pack(positions)
        where = self.where(packed)
        counts = np.zeros(len(packed), np.int64)
        parts: list[tuple[Any, Any, Any]] = []
        circuit_set = self.store.circuit_set
        where[self.naming(where)] = OTHER
        single = np.flatnonzero(where == OTHER).tolist()
        for index in np.unique(where[where >= 0]):
            loaded = circuit_set.loaded[index]
            if loaded.circuits.key.role == STEP:
                continue
            every = np.flatnonzero(where == index)
            for first in range(0, len(every), MOST_LANES):
                lanes = every[first : first + MOST_LANES]
                outputs = loaded.legal_outputs(loaded.planes(packed, lanes), len(lanes))
                single += lanes[~outputs.known].tolist()
                parts.append((lanes, *loaded.list_actions(outputs)))
        parts += self._list_actions(packed, single)
        for lanes, sizes, _ in parts:
            counts[lanes] = sizes
        offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)])
        action_numbers = np.empty(offsets[-1], np.int32)
        for lanes, sizes, numbers in parts:
            starts = np.cumsum(sizes) - sizes
            action_numbers[np.repeat(offsets[lanes] - starts, sizes) + np.arange(len(numbers))] = numbers
        return offsets, action_numbers

    def _list_actions(self, packed: PackedPositions, places: list[int]) -> Iterator[tuple[Any, Any, Any]]:
        """The legal actions of some positions, by the engine for one position: the index, the count, the numbers."""
        for place in places:
            actions = [(role, action) for role, legal in packed[place].legal().items() for action in legal]
            numbers = [self.store.number(role, action) for role, action in actions]
            yield np.array([place]), np.array([len(numbers)]), np.array(numbers, np.int32)

    # -- what moves do -----------------------------------------------------------------------------------------------------

    def apply(self, positions: Iterable[Position], moves: Sequence[Mapping[str, str]]) -> Sequence[Position]:
        """For each position the result of :meth:`Position.apply` with these moves.

        Raises:
            IllegalMove, WrongUsage: For the first position in which something is wrong.
        """
        packed = self.pack(positions)
        after, single = self._positions_after(packed, moves)
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

        If the moves are legal and complete, the judgement has all facts that really change, without those of the steps that
        follow. Otherwise it is the judgement of :meth:`Position.judge`.
        """
        packed = self.pack(positions)
        after, single = self._positions_after(packed, moves, settle=False)
        judgements: list[Judgement | None] = [None] * len(packed)
        for place in single:
            actions = {r: symbols.read_symbol(a) for r, a in moves[place].items()}
            judgements[place] = self.evaluator.judge(packed[place].symbols, actions)
        judged: list[Judgement] = []
        for place, judgement in enumerate(judgements):
            if judgement is None:
                old, new = packed[place].symbols, after[place].symbols
                judgement = Judgement((), tuple(sorted(new - old)), tuple(sorted(old - new)))
            judged.append(judgement)
        return judged

    def _positions_after(
        self, packed: PackedPositions, moves: Sequence[Mapping[str, str]], settle: bool = True
    ) -> tuple[PackedPositions, list[int]]:
        """The positions after moves, and the indices of those in which a move is illegal or the circuits do not decide."""
        if len(moves) != len(packed):
            raise ValueError(f"{len(packed)} positions and {len(moves)} moves")
        where = self.where(packed)
        encoded, known = self._moves.encode(moves, where, self._pending(packed))
        after = packed.select(np.arange(len(packed)))
        self.carry_out(after, where, encoded, known)
        if settle:
            self.settle(after, known)
        return after, np.flatnonzero(~known).tolist()

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

        If some kind of decision has no circuit, or the first position no row, processes play one position at a time. The games
        are those of :func:`.playing.play`, decision by decision, however many are played at a time.

        Args:
            games: The number of games.
            seed: Their seed.
            lanes: The number of games that are played together.
            progress: Is called with the number of games done so far.

        Raises:
            NotDecided: A game cannot be played to its end.
        """
        if not self._plays_whole_games():
            return self._play_games(games, seed, progress)
        return Lanes(self, games, seed, lanes).run(progress)

    def _plays_whole_games(self) -> bool:
        """Whether there are circuits for all decisions and steps, and the first position fits into a row."""
        self.store.ensure(whole=True)
        return not (self.refused or self.pack([Position(self.evaluator, self.evaluator.initial())]).others)

    def _play_games(self, games: int, seed: int, progress: Callable[[str], None]) -> Results:
        results = play_games(self.evaluator, games, seed, self._jobs, progress)
        return replace(
            results,
            points=np.array(results.points, np.int64),
            winners=np.array(results.winners, np.bool_),
            decided=np.array(results.decided, np.int64),
            fallbacks=int(np.array(results.decided).sum()),
        )

    def _sampled_positions(self, positions: int, seed: int, length: int) -> list[Position]:
        """Positions of random games played one position at a time; ``length``: the length of a game in decisions."""
        sample: list[Position] = []
        while len(sample) < positions:
            moments = [1 + game % _PARTS * length // _PARTS for game in range(positions - len(sample) + _PARTS)]
            sample += sampled_positions(self.evaluator, moments, seed, self._jobs)
            seed += 1
        return sample

    def sample(self, positions: int, seed: int = 1) -> PackedPositions:
        """Positions from all parts of random games: one of each game, after a varying number of decisions.

        Args:
            positions: The least number of positions. Positions in which a game is over are left out.
            seed: The seed of the games.

        Raises:
            NotDecided: A game cannot be played.
        """
        length = int(self.play(64, seed).decisions.mean())
        if not self._plays_whole_games():
            return self.pack(self._sampled_positions(positions, seed + 1, length))
        layout = self.store.layout
        states: list[Any] = []
        numbers: list[Any] = []
        others: dict[int, Position] = {}
        count = 0
        part = max(1, -(-positions // _PARTS))
        games = 0
        while count < positions:
            lanes = Lanes(self, part, seed + games + 1, part)
            state, row_numbers, strange = lanes.rows(lanes.stop(1 + games % _PARTS * length // _PARTS))
            states.append(state)
            numbers.append(row_numbers)
            others |= {count + place: position for place, position in strange.items()}
            count += len(state)
            games += 1
        return PackedPositions(self.evaluator, layout, np.concatenate(states), np.concatenate(numbers), others)


_ROWS: Final = 1 << 16
"""The number of positions that are expanded at a time."""
_MOST_LISTED: Final = 1 << 28
"""The largest number of actions in joint decisions that are listed at a time: with what is computed of them, some gigabytes."""


Singly = Callable[[Mapping[Position, int], int], list[int]]
"""Counts with the engine for one position: from positions with their numbers of paths, to a depth."""


class Levels:
    """The decisions in many positions, and the positions after them."""

    def __init__(self, batch: Batch) -> None:
        """``batch``: the circuits."""
        self._batch = batch

    def decisions(self, packed: PackedPositions) -> tuple[Any, Any]:
        """All joint decisions in positions that have circuits.

        Returns:
            For each decision the row of its position; and for each the number of the action of each role, -1 for none.

        Raises:
            NotDecided: They are too many to be listed.
        """
        sizes, offsets, numbers = self.sizes(packed)
        choices = self.choices(packed, sizes)
        if sum(choices.tolist()) * sizes.shape[1] > _MOST_LISTED:
            raise NotDecided("too many decisions at the same time")
        source = np.repeat(np.arange(len(packed)), choices)
        rest = np.arange(len(source)) - np.repeat(np.cumsum(choices) - choices, choices)
        firsts = offsets[:-1, None] + np.cumsum(sizes, axis=1) - sizes
        done = np.full((len(source), sizes.shape[1]), -1, np.int64)
        for role in range(sizes.shape[1]):
            acting = np.flatnonzero(sizes[source, role])
            sources = source[acting]
            rest[acting], which = np.divmod(rest[acting], sizes[sources, role])
            done[acting, role] = numbers[firsts[sources, role] + which]
        return source, done

    def sizes(self, packed: PackedPositions) -> tuple[Any, Any, Any]:
        """For each position the number of legal actions of each role; then offsets and numbers of `Batch.legal_numbers`."""
        offsets, numbers = self._batch.legal_numbers(packed)
        places = {role: k for k, role in enumerate(self._batch.evaluator.ruleset.roles)}
        roles = np.array([places[role] for role, _ in self._batch.actions], np.int64)
        sizes = np.zeros((len(packed), len(places)), np.int64)
        np.add.at(sizes, (np.repeat(np.arange(len(packed)), np.diff(offsets)), roles[numbers]), 1)
        return sizes, offsets, numbers

    @staticmethod
    def choices(packed: PackedPositions, sizes: Any) -> Any:
        """The number of joint decisions in each position, from the numbers of legal actions of each role.

        There is none if a role that has to decide has no legal action.
        """
        each = np.where(packed.deciding() | (sizes > 0), sizes, 1)
        if (each.astype(float).prod(axis=1) > 2.0**62).any():  # the product may need more than 64 bits
            each = each.astype(object)
        return each.prod(axis=1) * sizes.any(axis=1)

    def positions_after(self, packed: PackedPositions, source: Any, done: Any) -> tuple[PackedPositions, Any]:
        """The positions after some decisions, each once; and for each decision the place of its position among them."""
        after, batch = packed.select(source), self._batch
        known = np.ones(len(source), np.bool_)
        moves = Moves(done, np.zeros((len(source), batch.store.circuit_set.set_columns), np.int32))
        batch.carry_out(after, batch.where(after), moves, known, sure=True)
        batch.settle(after, known)
        whole = np.hstack([after.state[known], after.numbers[known].view(np.uint64)])
        rows, inverse = np.unique(whole, axis=0, return_inverse=True)
        state, numbers = np.hsplit(rows, [after.state.shape[1]])
        place = np.empty(len(source), np.int64)
        place[known] = inverse.reshape(-1)
        others: dict[Position, int] = {}
        for row in np.flatnonzero(~known).tolist():
            actions = dict(batch.actions[n] for n in done[row] if n >= 0)
            position = packed[int(source[row])].apply(actions)
            place[row] = len(rows) + others.setdefault(position, len(others))
        more = batch.pack(others)
        together = PackedPositions(
            batch.evaluator,
            packed.layout,
            np.concatenate([state, more.state]),
            np.concatenate([np.ascontiguousarray(numbers).view(np.int64), more.numbers]),
            {len(rows) + row: position for row, position in more.others.items()},
        )
        return together, place


class LevelCounter:
    """Counts sequences of decisions by a batch."""

    def __init__(self, batch: Batch, singly: Singly) -> None:
        """``singly``: counts from positions for which there are no circuits."""
        self._batch, self._singly = batch, singly
        self._levels = Levels(batch)

    def count_sequences(self, paths: Mapping[Position, int], depth: int) -> list[int]:
        """The numbers of sequences of each length from 1 to ``depth``, from all these positions together.

        Args:
            paths: The positions, each with the number of paths that lead to it.
            depth: The largest length of the sequences.
        """
        counts: list[int] = self._count_packed(
            self._batch.pack(paths), np.array([*paths.values()], object), depth
        ).tolist()
        return counts

    def _count_packed(self, packed: PackedPositions, paths: Any, depth: int) -> Any:
        """The same for packed positions, as an array."""
        counts = np.zeros(depth, object)
        if not depth or not len(packed):
            return counts
        where = self._batch.where(packed)
        where[self._batch.naming(where)] = OTHER
        single_paths: Counter[Position] = Counter()
        for place in np.flatnonzero(where == OTHER).tolist():
            single_paths[packed[place]] += paths[place]
        counts += self._singly(single_paths, depth)
        inside = np.flatnonzero(where >= 0)
        for first in range(0, len(inside), _ROWS):
            part = inside[first : first + _ROWS]
            counts += self._level(packed.select(part), paths[part], depth)
        return counts

    def _level(self, packed: PackedPositions, paths: Any, depth: int) -> Any:
        """The same for positions that all have circuits."""
        counts = np.zeros(depth, object)
        if depth == 1:
            choices = self._levels.choices(packed, self._levels.sizes(packed)[0])
            counts[0] = sum(paths * choices.astype(object))
            return counts
        source, done = self._levels.decisions(packed)
        counts[0] = sum(paths[source])
        for first in range(0, len(source), 4 * _ROWS):
            part = slice(first, first + 4 * _ROWS)
            after, place = self._levels.positions_after(packed, source[part], done[part])
            summed = np.zeros(len(after), object)
            np.add.at(summed, place, paths[source[part]])
            counts[1:] += self._count_packed(after, summed, depth - 1)
        return counts
