"""Runs transition circuits on rows of positions, with NumPy.

A position is a row of words of 64 bits. The rows that one circuit evaluates are transposed into *bit planes*: one plane for each
bit, with one bit for each position. A gate is one operation on planes (:mod:`.kernel`). The outputs are transposed into rows.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, Final, NamedTuple, Protocol

import numpy as np

from . import kernel
from .gates import Gates, Numbers
from .kernel import BitRange, WordArray, WordUpdate, bits_of, gather, planes_of, rows_in, transpose
from .layout import LARGEST, Layout
from .playout import mix
from .transition_circuits import STEP, TransitionCircuits

# -- streams -------------------------------------------------------------------------------------------------
#
# The random numbers of :mod:`.playout`, for arrays of games.


_WORD: Final = 2**64 - 1
_STRIDE: Final = 0x9E3779B97F4A7C15


def _mixed_words(words: Any) -> Any:
    """Like :func:`.playout.mixed`, for an array of words."""
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return words ^ (words >> np.uint64(31))


def first_states(seed: int, games: Any) -> Any:
    """Like :func:`.playout.first_state`, for an array of games."""
    start = np.uint64(mix((seed + _STRIDE) & _WORD))
    return _mixed_words(start + np.uint64(_STRIDE) * (games + 1).astype(np.uint64))


def numbers_below(states: Any, which: Any, numbers: Any) -> Any:
    """Like :meth:`.playout.Stream.below`, for several streams at once; their states advance.

    Args:
        states: The states of all streams; changed in place.
        which: The indices of the streams that draw.
        numbers: For each of them the exclusive upper bound.

    Returns:
        For each drawing stream a number from 0 to before its bound.
    """
    results = np.zeros(len(which), np.int64)
    wide = numbers.astype(np.uint64)
    waiting = np.flatnonzero(numbers > 1)
    while len(waiting):
        states[which[waiting]] += np.uint64(_STRIDE)
        product = (_mixed_words(states[which[waiting]]) >> np.uint64(32)) * wide[waiting]
        taken = (product & np.uint64(0xFFFFFFFF)) >= np.uint64(2**32) % wide[waiting]
        results[waiting[taken]] = (product[taken] >> np.uint64(32)).astype(np.int64)
        waiting = waiting[~taken]
    return results


OVER: Final = -1
"""In place of the index of circuits: nothing is pending in the position."""
OTHER: Final = -2
"""In place of the index of circuits: there are none for the decision, or several kinds of decision are pending."""
MOST_LANES: Final = 8192
"""The largest number of positions that are evaluated together."""
_REMEMBERED: Final = 50_000
"""The largest number of cached lists of sets."""
_ONE: Final = np.uint64(1)
_NONE: Final = np.uint64(0)
_ALL: Final = np.uint64(0xFFFFFFFFFFFFFFFF)


# -- programs --------------------------------------------------------------------------------------------------------------


class GateProgram:
    """A program of gates with the arrays that the kernel reads."""

    def __init__(self, gates: Gates, inputs: Any, places: Any) -> None:
        """Prepares a program.

        Args:
            gates: The program. Every index in it has been checked.
            inputs: The plane of each of its first inputs.
            places: For each output its bit in the resulting row.
        """
        self._inputs = WordArray(2 * inputs, np.int32)
        self._gates, self._rows = gates, WordArray(gates.gates, np.int32)
        self._first = 1 + gates.inputs + len(gates.states)
        literals = np.zeros(64 * (1 + int(places.max()) // 64), np.int32)
        literals[places] = gates.outputs
        self._wanted = WordArray(literals, np.int32)
        ends = [0, *gates.ends.tolist()]
        ranks = range(len(gates.ends))
        of_rank = [np.flatnonzero(gates.states[:, 0] == rank) for rank in ranks]
        self._ranks = [
            (12 * ends[n], ends[n + 1] - ends[n], 1 + gates.inputs + of_rank[n], gates.states[of_rank[n], 1])
            for n in ranks
        ]

    def run(self, planes: Any, action_inputs: Any = None) -> Any:
        """Evaluates the program.

        Args:
            planes: The planes of the positions; dimensions: blocks, planes, columns.
            action_inputs: The planes of the action inputs, if there are any; the same dimensions.

        Returns:
            The outputs as a table; dimensions: blocks, words, places, columns.
        """
        blocks, count, wide = planes.shape
        functions = kernel.compile_kernels(wide)
        run, fetch = functions["run"], functions["fetch"]
        values = kernel.workspace(self._gates.slots, wide)
        values[0] = _NONE
        given, outputs = len(self._inputs), len(self._wanted)
        at = 1 + given + (0 if action_inputs is None else action_inputs.shape[1])
        rows = np.empty((blocks, outputs, wide), np.uint64)
        gates, base, size = self._rows.address, values.ctypes.data, 8 * wide
        source, target = planes.ctypes.data, rows.ctypes.data
        for block in range(blocks):
            fetch(self._inputs.address, given, source + block * count * size, base + size)
            if action_inputs is not None:
                values[1 + given : at] = action_inputs[block]
            values[at : self._first] = _NONE
            for start, length, states, new in self._ranks:
                run(gates + start, length, base)
                for _ in range(len(states) + 1 if len(states) else 0):
                    after = values[new >> 1] ^ np.where(new & 1, _ALL, _NONE)[:, None]
                    if bool((after == values[states]).all()):
                        break
                    values[states] = after
                    run(gates + start, length, base)
            fetch(self._wanted.address, outputs, base, target + block * outputs * size)
        transpose(rows)
        return rows.reshape(blocks, outputs // 64, 64, wide)


# -- transition circuits ---------------------------------------------------------------------------------------------------


class Rows(Protocol):
    """Positions: words of bits, and the numbers beside them."""

    state: Any
    numbers: Any


class Moves(NamedTuple):
    """Actions as numbers.

    Attributes:
        done: For each position and role the number of the action, or -1.
        copies: For each position the number of copies of each thing in the set of each role that can name one.
    """

    done: Any
    copies: Any

    @classmethod
    def none(cls, count: int, roles: int, columns: int = 0) -> Moves:
        """No actions yet, in ``count`` positions."""
        return cls(np.full((count, roles), -1, np.int64), np.zeros((count, columns), np.int32))


class LegalOutputs(NamedTuple):
    """The legal actions in positions that one circuit evaluates.

    Attributes:
        table: Which entries are legal, as a table. Entries of actions that name a set are left out. The other outputs follow.
        known: For each position whether the circuit decides what is legal.
        more: The other outputs as numbers 0 and 1, a row for each position.
        planes: The planes of the positions.
    """

    table: Any
    known: Any
    more: Any
    planes: Any


class LoadedCircuits:
    """Transition circuits that are ready to be run."""

    def __init__(self, circuits: TransitionCircuits, first: int, roles: Sequence[str], layout: Layout) -> None:
        """``first``: the number of their first action among those of all circuits."""
        self.circuits, self.first, self._layout = circuits, first, layout
        self._roles = len(roles)
        self._least = np.array([layout.least(number) for number in layout.numbers], np.int64)
        inputs, self._inputs = within_words(circuits.inputs)
        self._words = WordArray(inputs)
        changed, self._changed = within_words(circuits.changed)
        kept = np.full(len(changed), _ALL)
        np.bitwise_and.at(kept, self._changed >> 6, ~(_ONE << (circuits.changed & 63).astype(np.uint64)))
        self._parts = WordUpdate(changed, kept)
        self._tests = _tests_by_word(layout)
        self._amounts = np.zeros((len(circuits.added), len(layout.numbers)))
        self._amounts[np.arange(len(circuits.added)), circuits.added[:, 0]] = circuits.added[:, 1]
        self._action_words = WordArray(np.arange(-(-circuits.action_inputs // 64)))
        self.entries = len(circuits.entries)
        self.entry_words = -(-self.entries // 64)
        self.ranges = _ranges(circuits, roles)
        self._ranges = [BitRange(first, end) for _, first, end in self.ranges.tolist()]
        self.is_first = np.diff(circuits.entries, prepend=-1) > 0
        at, entry_of = np.unique(circuits.entries, return_index=True)
        self._of_entry = np.full(len(circuits.actions), -1, np.int64)
        self._of_entry[at] = entry_of
        self.things = len(circuits.copies)
        self.set_columns = self.things * len(circuits.set_roles)
        self._copies = int(circuits.copies.sum())
        self._sets: dict[bytes, Any] = {}

    @cached_property
    def legal(self) -> GateProgram:
        """The circuit for the legal actions."""
        outputs = len(self.circuits.legal.outputs)
        places = np.arange(outputs)
        places[self.entries :] += 64 * self.entry_words - self.entries
        return GateProgram(self.circuits.legal, self._inputs, places)

    @cached_property
    def effects(self) -> GateProgram:
        """The circuit for the changes: the words that change, and then the amounts and whether the changes are unknown."""
        more = np.arange(len(self.circuits.added) + 1)
        return GateProgram(self.circuits.effects, self._inputs, np.append(self._changed, 64 * len(self._parts) + more))

    @cached_property
    def checks(self) -> GateProgram:
        """The circuit that says which actions are legal with the sets that they name."""
        outputs = len(self.circuits.sets.outputs)
        return GateProgram(self.circuits.sets, self._inputs, np.arange(outputs))

    @cached_property
    def _done(self) -> Any:
        """For each action a row of words with its input bits; a last row for no action."""
        words = np.zeros((len(self.circuits.actions) + 1, len(self._action_words)), np.uint64)
        action, column = np.nonzero(self.circuits.done >= 0)
        bits = self.circuits.done[action, column]
        np.bitwise_or.at(words, (action, bits >> 6), _ONE << (bits & 63).astype(np.uint64))
        return words

    def planes(self, rows: Rows, lanes: Any) -> Any:
        """The planes of some positions, as the other methods take them."""
        return gather(rows.state, lanes, self._words)

    def legal_outputs(self, planes: Any, count: int) -> LegalOutputs:
        """The legal actions in ``count`` positions."""
        rows = self.legal.run(planes)
        rest = bits_of(rows_in(rows[:, self.entry_words :], count))
        return LegalOutputs(rows, rest[:, 0] == 0, rest[:, 1:], planes)

    def _entries(self, outputs: LegalOutputs) -> Any:
        """The legal entries: a row of words for each position, a bit for each entry."""
        return rows_in(outputs.table[:, : self.entry_words], len(outputs.known))

    def refuse_others(self, moves: Moves, known: Any) -> None:
        """Takes moves out whose actions have other numbers: the engine for one position listed them. ``known`` becomes False."""
        numbers = moves.done - self.first
        others = ((moves.done >= 0) & ((numbers < 0) | (numbers >= len(self._done) - 1))).any(axis=1)
        moves.done[others] = -1
        known[others] = False

    def _action_planes(self, moves: Moves) -> Any:
        """The planes of the action inputs."""
        done, copies = moves
        which = [
            np.where(done[:, role] >= 0, done[:, role] - self.first, len(self._done) - 1)
            for role in self.ranges[:, 0].tolist()
        ]
        if len(which) == 1 and not self.set_columns:
            return gather(self._done, which[0], self._action_words)[:, : self.circuits.action_inputs]
        rows = np.zeros((len(done), len(self._action_words)), np.uint64)
        for indices in which:
            rows |= self._done.take(indices, axis=0)
        before = np.cumsum(self.circuits.copies) - self.circuits.copies
        first = self.circuits.action_inputs - self._copies * len(self.circuits.set_roles)
        for column in range(self.set_columns):
            role, thing = divmod(column, self.things)
            naming = np.flatnonzero((copies[:, column] > 0) & (copies[:, column] <= self.circuits.copies[thing]))
            bit = first + role * self._copies + before[thing] + copies[naming, column].astype(np.int64) - 1
            rows[naming, bit >> 6] |= _ONE << (bit & 63).astype(np.uint64)
        return planes_of(rows)[:, : self.circuits.action_inputs]

    # -- what changes ------------------------------------------------------------------------------------------------------

    def change(self, planes: Any, rows: Rows, lanes: Any, moves: Moves, known: Any) -> None:
        """Carries out actions or steps in some positions.

        Args:
            planes: The planes of the positions.
            rows: All positions; changed in place.
            lanes: The indices of the positions in ``rows``.
            moves: Their actions.
            known: For each of them whether to change it; set to False if the circuit does not decide the changes.
        """
        added, width = len(self.circuits.added), len(self._parts)
        rows_after = self.effects.run(planes, self._action_planes(moves))
        amounts = bits_of(rows_in(rows_after[:, width:], len(lanes)))
        known &= amounts[:, added] == 0
        if added:
            new = rows.numbers[lanes] + (amounts[:, :added] @ self._amounts).astype(np.int64)
            known &= ((new >= self._least) & (new < LARGEST)).all(axis=1)
            rows.numbers[lanes[known]] = new[known]
        if width:
            self._parts.write_words(rows_after, rows.state, lanes, known)
        if added:
            chosen = lanes[known]
            numbers = rows.numbers[chosen]
            for word, places, least, end, bits in self._tests:
                read = numbers[:, places]
                holding = np.where((read >= least) & (read < end), bits, _NONE).sum(axis=1, dtype=np.uint64)
                rows.state[chosen, word] = rows.state[chosen, word] & ~bits.sum(dtype=np.uint64) | holding

    # -- what is legal -----------------------------------------------------------------------------------------------------

    def list_actions(self, outputs: LegalOutputs) -> tuple[Any, Any]:
        """The legal actions of positions in which nobody can name a set: their count in each position, and the numbers of all."""
        bits = bits_of(self._entries(outputs))
        legal = (bits[:, : self.entries] != 0) & self.is_first & outputs.known[:, None]
        _, entries = np.nonzero(legal)
        return legal.sum(axis=1), (self.first + self.circuits.entries[entries]).astype(np.int32)

    def judge(self, outputs: LegalOutputs, moves: Moves, known: Any) -> None:
        """Sets ``known`` to False for positions in which an action is illegal, or the circuit does not decide."""
        known &= outputs.known
        checks, table = self.circuits.set_checks, self._entries(outputs)
        checked = None
        for role in range(moves.done.shape[1]):
            acting = np.flatnonzero(moves.done[:, role] >= 0)
            entry = self._of_entry[moves.done[acting, role] - self.first]
            word = table[acting, entry >> 6]
            fine = (word >> (entry & 63).astype(np.uint64) & _ONE) != 0
            check = checks[entry]
            if (check >= 0).any():
                if checked is None:
                    checked = self._check_sets(outputs.planes, moves.copies)
                fine = np.where(check >= 0, (checked[acting, check] != 0) & (checked[acting, -1] == 0), fine)
            known[acting] &= fine

    def _check_sets(self, planes: Any, copies: Any) -> Any:
        """For each position which actions are legal with these sets, as 0 and 1; the last column is 1 if that is unknown."""
        count, outputs = len(copies), len(self.circuits.sets.outputs)
        moves = Moves(np.full((count, self._roles), -1, np.int64), copies)
        return bits_of(rows_in(self.checks.run(planes, self._action_planes(moves)), count))[:, :outputs]

    def choose(self, outputs: LegalOutputs, rows: Rows, lanes: Any, random: Any, known: Any) -> Moves:
        """Draws an action for every role that has any.

        ``random``: the random states of the lanes; those that draw advance. Other arguments as for :meth:`change`.
        """
        count = len(lanes)
        known &= outputs.known
        moves = Moves.none(count, self._roles, self.set_columns)
        for (place, first, end), listed in zip(self.ranges.tolist(), self._ranges, strict=True):
            if (self.circuits.set_checks[first:end] >= 0).any():
                self._choose_set(outputs, rows, lanes, random, known, moves, (place, first, end))
                continue
            sizes = listed.count(outputs.table, count)
            able = (known & (sizes > 0)).nonzero()[0]
            entries = listed.pick(outputs.table, able, numbers_below(random, able, sizes[able]))
            moves.done[able, place] = self.first + self.circuits.entries.take(entries)
        return moves

    # -- sets --------------------------------------------------------------------------------------------------------------

    def _choose_set(
        self, outputs: LegalOutputs, rows: Rows, lanes: Any, random: Any, known: Any, moves: Moves,
        role: tuple[int, int, int],
    ) -> None:  # fmt: skip
        """Draws an action, and its set, for a role that may name a set. Every set that the role can pick is evaluated."""
        place, first, end = role
        number = self.circuits.set_roles.tolist().index(place)
        columns = slice(number * self.things, (number + 1) * self.things)
        picking = outputs.more[:, number * (1 + self._copies) : (number + 1) * (1 + self._copies)]
        kinds, kind = np.unique(self._pickable(picking[:, 1:]), axis=0, return_inverse=True)
        listed = [self._pickable_sets(kind_sets) for kind_sets in kinds]
        kind = kind.reshape(-1)
        known &= np.array([one is not None for one in listed], np.bool_)[kind]
        sizes = np.array([0 if one is None else len(one) for one in listed], np.int64)[kind] * known
        lists = [listed[one] for one in kind[known].tolist()]
        checks = self.circuits.set_checks[first:end]
        asked = checks[checks >= 0]
        starts = np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes)])
        sets = np.concatenate([np.zeros((0, self.things), np.int32), *lists])
        legal = self._legal_with(rows, np.repeat(lanes, sizes), sets, columns)[:, [*asked, -1]]
        sums = np.concatenate([np.zeros((1, legal.shape[1]), np.int64), np.cumsum(legal, axis=0, dtype=np.int64)])
        legal_sets = sums[starts[1:]] - sums[starts[:-1]]
        known &= legal_sets[:, -1] == 0
        bits = bits_of(self._entries(outputs))
        counts = bits[:, first:end].astype(np.int64)
        counts[:, checks >= 0] = legal_sets[:, :-1]
        whole = counts.sum(axis=1)
        known &= (whole > 0) | (picking[:, 0] == 0)
        able = np.flatnonzero(known & (whole > 0))
        wanted = numbers_below(random, able, whole[able])
        upto = np.cumsum(counts[able], axis=1)
        entry = (upto <= wanted[:, None]).sum(axis=1)
        moves.done[able, place] = self.first + self.circuits.entries[first + entry]
        naming = np.flatnonzero(checks[entry] >= 0)
        setters = able[naming]
        before = np.where(entry > 0, upto[np.arange(len(able)), entry - 1], 0)
        column = (np.cumsum(checks >= 0) - 1)[entry[naming]]
        left = (wanted - before)[naming] + sums[starts[setters], column]
        for one in np.unique(column):
            some = column == one
            place_of_set = np.searchsorted(sums[1:, one], left[some], side="right")
            moves.copies[setters[some], columns] = sets[place_of_set]

    def _pickable(self, bits: Any) -> Any:
        """The number of copies of each thing that a role can pick, from the outputs that say so: a row for each position."""
        number = np.concatenate([np.zeros(0, np.int32), *(np.arange(1, n + 1) for n in self.circuits.copies)])
        ends = np.cumsum(self.circuits.copies)
        copies = np.zeros((len(bits), self.things), np.int32)
        for thing, (end, most) in enumerate(zip(ends, self.circuits.copies, strict=True)):
            copies[:, thing] = (bits[:, end - most : end] * number[end - most : end]).max(axis=1)
        return copies

    def _pickable_sets(self, copies: Any) -> Any:
        """All sets of at most so many copies of each thing, a row each, in the order of their texts; None if too many."""
        known = copies.tobytes()
        if known not in self._sets:
            if len(self._sets) > _REMEMBERED:
                self._sets.clear()
            options = [(thing, n) for thing, n in self.circuits.options.tolist() if n <= copies[thing]]
            size = math.prod(int(n) + 1 for n in copies)
            sets = None if size > self.circuits.most_sets else list(_list_sets(options, len(copies)))
            self._sets[known] = None if sets is None else np.array(sets, np.int32).reshape(size, self.things)
        return self._sets[known]

    def _legal_with(self, rows: Rows, lanes: Any, sets: Any, columns: slice) -> Any:
        """For each set and its position which actions are legal with it; as `_check_sets`."""
        legal = np.zeros((len(sets), len(self.circuits.sets.outputs)), np.uint8)
        for first in range(0, len(sets), MOST_LANES):
            part = slice(first, first + MOST_LANES)
            copies = np.zeros((len(sets[part]), self.set_columns), np.int32)
            copies[:, columns] = sets[part]
            legal[part] = self._check_sets(self.planes(rows, lanes[part]), copies)
        return legal


def _list_sets(options: Sequence[tuple[int, int]], things: int) -> Iterator[list[int]]:
    """All sets of these options (a thing and its number of copies), in order: for each set the number of copies of each thing."""
    now = [0] * things

    def more(after: int) -> Iterator[list[int]]:
        yield list(now)
        for thing, n in options:
            if thing > after:
                now[thing] = n
                yield from more(thing)
                now[thing] = 0

    yield from more(-1)


def within_words(bits: Numbers) -> tuple[Any, Any]:
    """The indices of the words that hold some bits of a row, and the place of each bit among those words."""
    words, where = np.unique(bits >> 6, return_inverse=True)
    return words, 64 * where.reshape(-1) + (bits & 63)


def _tests_by_word(layout: Layout) -> list[tuple[int, Any, Any, Any, Any]]:
    """For each word of a row the tests of numbers that have their bits there.

    Each gives the word, and arrays: the indices of the numbers, the least values, the exclusive upper bounds, the bits.
    """
    found = []
    for word in sorted({bit >> 6 for *_, bit in layout.tests}):
        places, least, end, bits = np.array([t for t in layout.tests if t[3] >> 6 == word]).T
        found.append((word, places, least, end, _ONE << (bits & 63).astype(np.uint64)))
    return found


def _ranges(circuits: TransitionCircuits, roles: Sequence[str]) -> Numbers:
    """A row for each role that can act: its index, its first entry, and the one after its last."""
    rows: list[list[int]] = []
    for entry, action in enumerate(map(int, circuits.entries)):
        place = roles.index(circuits.actions[action][0])
        if not rows or rows[-1][0] != place:
            rows.append([place, entry, entry])
        rows[-1][2] = entry + 1
    return np.array(rows, np.int32).reshape(len(rows), 3)


class CircuitSet:
    """The transition circuits of a game that are loaded.

    Attributes:
        loaded: The circuits, ready to be run.
        index_of_bit: For each bit of what is pending the index of its circuits, or `OTHER`; then `OVER`.
        steps: For each index whether the circuits are those of a kind of step.
        set_columns: The largest number of columns for sets of any circuits.
    """

    def __init__(self, loaded: Sequence[LoadedCircuits], control: int) -> None:
        """``control``: the number of words for what is pending."""
        self.loaded, self._control = tuple(loaded), control
        self.index_of_bit = np.append(np.full(64 * control, OTHER, np.int64), OVER)
        self._others = np.full((len(loaded) + 2, control), _ALL)
        self.steps = np.array([one.circuits.key.role == STEP for one in loaded], np.bool_)
        for n, one in enumerate(loaded):
            for bit in one.circuits.pending.tolist():
                self._others[n, bit >> 6] &= ~(_ONE << np.uint64(bit & 63))
                self.index_of_bit[bit] = n
        self.set_columns = max((one.set_columns for one in loaded), default=0)

    def where(self, state: Any) -> Any:
        """For each position the index of its circuits; `OVER` or `OTHER` where there is none."""
        if not self._control:
            return np.full(len(state), OVER)
        control = state[:, : self._control]
        word = (control != _NONE).argmax(axis=1)
        bits = control[np.arange(len(word)), word]
        lowest = 64 * word + np.bitwise_count((bits & (~bits + _ONE)) - _ONE)
        circuit_numbers: Any = self.index_of_bit.take(np.where(bits != _NONE, lowest, 64 * self._control))
        strange = (control & self._others.take(circuit_numbers, axis=0, mode="wrap")).any(axis=1)
        circuit_numbers[strange] = OTHER
        return circuit_numbers
