"""Buckets run on rows of positions, with NumPy.

Positions are rows of words. Those of one bucket are turned into *planes*: for each bit a row of words, with a bit for each
position; a gate is one operation on planes (:mod:`.kernel`). What comes out is turned into rows again.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any, Final, NamedTuple

import numpy as np

from . import kernel
from .buckets import NEXT, STEP, Bucket, Key
from .course import mixed
from .gates import Gates, Numbers
from .kernel import Parts, Range, Words, bits_of, gathered, planes_of, rows_in, turn
from .layout import Layout

# -- streams -------------------------------------------------------------------------------------------------
#
# Random numbers of many games at once: those of :mod:`.course`, as arrays.


_WORD: Final = 2**64 - 1
_STRIDE: Final = 0x9E3779B97F4A7C15


def _mixed_words(words: Any) -> Any:
    """As :func:`.course.mixed`, of an array of words."""
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return words ^ (words >> np.uint64(31))


def first_states(seed: int, games: Any) -> Any:
    """As :func:`.course.first_state`, of an array of games."""
    start = np.uint64(mixed((seed + _STRIDE) & _WORD))
    return _mixed_words(start + np.uint64(_STRIDE) * (games + 1).astype(np.uint64))


def below(states: Any, which: Any, numbers: Any) -> Any:
    """As :meth:`.stream.Stream.below`, of some of many streams, whose states go on.

    Args:
        states: The states of all streams.
        which: The places of those that are asked.
        numbers: For each of these the number that is not reached.
    """
    found = np.zeros(len(which), np.int64)
    wide = numbers.astype(np.uint64)
    waiting = np.flatnonzero(numbers > 1)
    while len(waiting):
        states[which[waiting]] += np.uint64(_STRIDE)
        product = (_mixed_words(states[which[waiting]]) >> np.uint64(32)) * wide[waiting]
        taken = (product & np.uint64(0xFFFFFFFF)) >= np.uint64(2**32) % wide[waiting]
        found[waiting[taken]] = (product[taken] >> np.uint64(32)).astype(np.int64)
        waiting = waiting[~taken]
    return found


OVER: Final = -1
"""In place of a bucket, of a position in which nothing is pending."""
OTHER: Final = -2
"""In place of a bucket, of a position whose bucket has no circuit, or in which several are pending."""
MOST_LANES: Final = 8192
"""So many positions are looked at together at most."""
_SEVERAL: Final = np.uint64(1 << (NEXT - 1))
_NEXT: Final = np.uint64((1 << NEXT) - 1)
_UNKNOWN: Final = np.uint64(1 << NEXT)
_SETS: Final = 1 << 16
"""So many sets are looked at together."""
_REMEMBERED: Final = 50_000
"""So many lists of sets are remembered."""
_ONE: Final = np.uint64(1)
_NONE: Final = np.uint64(0)
_ALL: Final = np.uint64(0xFFFFFFFFFFFFFFFF)


# -- programs --------------------------------------------------------------------------------------------------------------


class Program:
    """A program of gates, ready to be run."""

    def __init__(self, gates: Gates, inputs: Any, places: Any, words: int) -> None:
        """A program ready to be run.

        Args:
            gates: It, every index of which is right.
            inputs: Which planes of the positions its first inputs are.
            places: Which bit of what comes out each output is.
            words: So many words come out.
        """
        self._inputs = Words(2 * inputs, np.int32)
        self._gates, self._rows = gates, Words(gates.gates, np.int32)
        self._first = 1 + gates.inputs + len(gates.states)
        wanted = np.zeros(64 * words, np.int32)
        wanted[places] = gates.outputs
        self._wanted = Words(wanted, np.int32)
        ends = [0, *gates.ends.tolist()]
        ranks = range(len(gates.ends))
        its = [np.flatnonzero(gates.states[:, 0] == rank) for rank in ranks]
        self._ranks = [
            (12 * ends[n], ends[n + 1] - ends[n], 1 + gates.inputs + its[n], gates.states[its[n], 1])
            for n in ranks
        ]

    def run(self, planes: Any, doing: Any = None) -> Any:
        """The outputs as a table: its dimensions are blocks, words, places, columns.

        Args:
            planes: Of the positions.
            doing: The planes of what is done, if anything is.
        """
        blocks, count, wide = planes.shape
        functions = kernel.compiled(wide)
        run, fetch = functions["run"], functions["fetch"]
        values = kernel.room(self._gates.slots, wide)
        values[0] = _NONE
        given, outputs = len(self._inputs), len(self._wanted)
        at = 1 + given + (0 if doing is None else doing.shape[1])
        found = np.empty((blocks, outputs, wide), np.uint64)
        gates, base, size = self._rows.address, values.ctypes.data, 8 * wide
        source, target = planes.ctypes.data, found.ctypes.data
        for block in range(blocks):
            fetch(self._inputs.address, given, source + block * count * size, base + size)
            if doing is not None:
                values[1 + given : at] = doing[block]
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
        turn(found)
        return found.reshape(blocks, outputs // 64, 64, wide)


# -- buckets ---------------------------------------------------------------------------------------------------------------


class May(NamedTuple):
    """What is legal in positions of one bucket.

    Attributes:
        table: Which tickets are legal, but for those that name a set, and then what else there is.
        known: For each position whether that is known.
        more: What else there is: bits, a row for each position.
        planes: Of the positions.
    """

    table: Any
    known: Any
    more: Any
    planes: Any


class Ready:
    """A bucket, ready to be run."""

    def __init__(self, bucket: Bucket, first: int, roles: Sequence[str], layout: Layout) -> None:
        """A bucket whose first action has this number."""
        numbers = len(layout.numbers)
        self.bucket, self.first = bucket, first
        self._roles, self._tests = len(roles), layout.tests
        inputs, self._inputs = within_words(bucket.inputs)
        self._words = Words(inputs)
        changed, self._changed = within_words(bucket.changed)
        kept = np.full(len(changed), _ALL)
        np.bitwise_and.at(kept, self._changed >> 6, ~(_ONE << (bucket.changed & 63).astype(np.uint64)))
        self._parts = Parts(changed, kept)
        self._added_words = -(-len(bucket.added) // 64)
        self._amounts = np.zeros((len(bucket.added), numbers))
        self._amounts[np.arange(len(bucket.added)), bucket.added[:, 0]] = bucket.added[:, 1]
        self._unchecked = len(bucket.picking.sets.outputs) - 1
        self._doing_words = Words(np.arange(-(-bucket.doing // 64)))
        self.tickets = len(bucket.tickets)
        self.ticket_words = -(-self.tickets // 64)
        self.ranges = _ranges(bucket, roles)
        self._ranges = [Range(first, end) for _, first, end in self.ranges.tolist()]
        self.is_first = np.diff(bucket.tickets, prepend=-1) > 0
        at, self.ticket_of = np.unique(bucket.tickets, return_index=True)
        self._of_ticket = np.full(len(bucket.actions), -1, np.int64)
        self._of_ticket[at] = self.ticket_of
        self._sets: dict[tuple[int, bytes], Any] = {}

    @cached_property
    def legal(self) -> Program:
        """What is legal."""
        outputs = len(self.bucket.legal.outputs)
        places = np.arange(outputs)
        places[self.tickets :] += 64 * self.ticket_words - self.tickets
        return Program(self.bucket.legal, self._inputs, places, -(-(1 + int(places[-1])) // 64))

    @cached_property
    def effects(self) -> Program:
        """What changes."""
        size, added = 64 * len(self._parts), len(self.bucket.added)
        places = np.concatenate(
            [self._changed, size + np.arange(added), size + 64 * self._added_words + np.arange(NEXT + 1)]
        )
        return Program(self.bucket.effects, self._inputs, places, len(self._parts) + self._added_words + 1)

    @cached_property
    def checks(self) -> Program:
        """Which actions are legal with the sets that they name."""
        outputs = len(self.bucket.picking.sets.outputs)
        return Program(self.bucket.picking.sets, self._inputs, np.arange(outputs), -(-outputs // 64))

    @cached_property
    def _done(self) -> Any:
        """For each action a row of words: what says that it is done; and a last one for none."""
        found = np.zeros((len(self.bucket.actions) + 1, len(self._doing_words)), np.uint64)
        action, column = np.nonzero(self.bucket.done >= 0)
        bits = self.bucket.done[action, column]
        np.bitwise_or.at(found, (action, bits >> 6), _ONE << (bits & 63).astype(np.uint64))
        return found

    def planes(self, state: Any, lanes: Any) -> Any:
        """Some positions as planes, for the other methods."""
        return gathered(state, lanes, self._words)

    def may(self, planes: Any, count: int) -> May:
        """What is legal in positions."""
        found = self.legal.run(planes)
        rest = bits_of(rows_in(found[:, self.ticket_words :], count))
        return May(found, rest[:, 0] == 0, rest[:, 1:], planes)

    def _tickets(self, may: May) -> Any:
        """Which tickets are legal: a row of words for each position."""
        return rows_in(may.table[:, : self.ticket_words], len(may.known))

    def _doing(self, count: int, done: Any, picked: Any) -> Any:
        """What is done in positions, as planes."""
        boxes = self.bucket.picking.boxes.tolist()
        acting = [] if done is None else self.ranges[:, 0].tolist()
        which = [
            np.where(done[:, role] >= 0, done[:, role] - self.first, len(self._done) - 1) for role in acting
        ]
        if len(which) == 1 and not boxes:
            return gathered(self._done, which[0], self._doing_words)[:, : self.bucket.doing]
        rows = np.zeros((count, len(self._doing_words)), np.uint64)
        for its in which:
            rows |= self._done.take(its, axis=0)
        for box, (most, base, _) in enumerate(boxes):
            naming = np.flatnonzero((picked[:, box] > 0) & (picked[:, box] <= most))
            bit = base + picked[naming, box].astype(np.int64) - 1
            rows[naming, bit >> 6] |= _ONE << (bit & 63).astype(np.uint64)
        return planes_of(rows)[:, : self.bucket.doing]

    # -- what changes ------------------------------------------------------------------------------------------------------

    def change(
        self,
        planes: Any,
        state: Any,
        numbers: Any,
        least: Any,
        lanes: Any,
        done: Any,
        picked: Any,
        known: Any,
    ) -> Any:
        """Carries out what is done in some positions.

        Returns:
            For each position a number that says what is pending then: see :class:`.buckets.Bucket`.

        Args:
            planes: Of the positions.
            state: Rows of positions; changed.
            numbers: The numbers beside them; changed.
            least: The least value of each number, and after them a value that all stay below.
            lanes: Which of the rows.
            done: For each lane and role the number of the action, or -1.
            picked: For each lane and box how many are in the set that is named.
            known: For each lane whether to do so; set to False where the circuit does not know.
        """
        bucket, count, width = self.bucket, len(lanes), len(self._parts)
        found = self.effects.run(planes, self._doing(count, done, picked))
        rest = rows_in(found[:, width:], count)
        last = rest[:, -1]
        known &= last & _UNKNOWN == _NONE
        if len(bucket.added):
            amounts = bits_of(rest[:, :-1])[:, : len(bucket.added)]
            new = numbers[lanes] + (amounts @ self._amounts).astype(np.int64)
            fine = (new >= least[:-1]) & (new < least[-1])
            for column in range(fine.shape[1]):
                known &= fine[:, column]
            numbers[lanes[known]] = new[known]
        if width:
            self._parts.put(found, state, lanes, known)
        if len(bucket.added):
            its = lanes[known]
            for place, limit, bit in self._tests:
                mask = _ONE << np.uint64(bit & 63)
                holds = numbers[its, place] >= limit
                state[its, bit >> 6] = np.where(
                    holds, state[its, bit >> 6] | mask, state[its, bit >> 6] & ~mask
                )
        return last & _NEXT

    # -- what is legal -----------------------------------------------------------------------------------------------------

    def listed(self, may: May) -> tuple[Any, Any]:
        """The legal actions of positions that name no sets: how many there are in each, and the numbers of all."""
        bits = bits_of(self._tickets(may))
        legal = (bits[:, : self.tickets] != 0) & self.is_first & may.known[:, None]
        _, tickets = np.nonzero(legal)
        return legal.sum(axis=1), (self.first + self.bucket.tickets[tickets]).astype(np.int32)

    def judged(self, may: May, done: Any, picked: Any, known: Any) -> None:
        """Sets ``known`` to False for positions in which what is done is not known to be legal."""
        known &= may.known
        shapes, table = self.bucket.picking.shapes, self._tickets(may)
        checked = None
        for role in range(done.shape[1]):
            acting = np.flatnonzero(done[:, role] >= 0)
            ticket = self._of_ticket[done[acting, role] - self.first]
            word = table[acting, ticket >> 6]
            fine = (word >> (ticket & 63).astype(np.uint64) & _ONE) != 0
            shape = shapes[ticket]
            if (shape >= 0).any():
                if checked is None:
                    doing = self._doing(len(done), None, picked)
                    checked = bits_of(rows_in(self.checks.run(may.planes, doing), len(done)))
                fine = np.where(
                    shape >= 0, (checked[acting, shape] != 0) & (checked[acting, self._unchecked] == 0), fine
                )
            known[acting] &= fine

    def chosen(self, may: May, state: Any, lanes: Any, random: Any, known: Any) -> tuple[Any, Any]:
        """A random action of everybody who has any: for each lane and role its number, and the sets that are named.

        ``random``: the random numbers of the lanes; those that are used go on. ``known`` as for :meth:`change`.
        """
        count = len(lanes)
        known &= may.known
        done = np.full((count, self._roles), -1, np.int64)
        picked = np.zeros((count, len(self.bucket.picking.boxes)), np.int32)
        for (place, first, end), its in zip(self.ranges.tolist(), self._ranges, strict=True):
            picker = np.flatnonzero(self.bucket.picking.pickers[:, 0] == place)
            if len(picker):
                self._choose_set(
                    may, state, lanes, random, known, done, picked, (place, first, end), int(picker[0])
                )
                continue
            sizes = its.count(may.table, count)
            able = (known & (sizes > 0)).nonzero()[0]
            tickets = its.pick(may.table, able, below(random, able, sizes[able]))
            done[able, place] = self.first + self.bucket.tickets.take(tickets)
        return done, picked

    # -- sets --------------------------------------------------------------------------------------------------------------

    def _choose_set(
        self, may: May, state: Any, lanes: Any, random: Any, known: Any, done: Any, picked: Any,
        role: tuple[int, int, int], picker: int,
    ) -> None:  # fmt: skip
        """A random action of somebody who may name a set, with the set: all that he can pick are looked at."""
        place, first, end = role
        _, decides, box, last = self.bucket.picking.pickers[picker].tolist()
        kinds, kind = np.unique(self._copies(may, box, last), axis=0, return_inverse=True)
        listed = [self._can_pick(box, its) for its in kinds]
        kind = kind.reshape(-1)
        known &= np.array([its is not None for its in listed], np.bool_)[kind]
        sizes = np.array([0 if its is None else len(its) for its in listed], np.int64)[kind] * known
        lists = [listed[its] for its in kind[known].tolist()]
        shapes = self.bucket.picking.shapes[first:end]
        asked = shapes[shapes >= 0]
        starts = np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes)])
        sets = np.concatenate([np.zeros((0, last - box), np.int32), *lists])
        legal = self._looked_at(state, lanes, np.repeat(np.arange(len(lanes)), sizes), sets, box, asked)
        sums = np.concatenate(
            [np.zeros((1, legal.shape[1]), np.int64), np.cumsum(legal, axis=0, dtype=np.int64)]
        )
        within = sums[starts[1:]] - sums[starts[:-1]]
        known &= within[:, -1] == 0
        bits = bits_of(self._tickets(may))
        counts = bits[:, first:end].astype(np.int64)
        counts[:, shapes >= 0] = within[:, :-1]
        whole = counts.sum(axis=1)
        known &= (whole > 0) | (may.more[:, decides] == 0)
        able = np.flatnonzero(known & (whole > 0))
        wanted = below(random, able, whole[able])
        upto = np.cumsum(counts[able], axis=1)
        ticket = (upto <= wanted[:, None]).sum(axis=1)
        done[able, place] = self.first + self.bucket.tickets[first + ticket]
        naming = np.flatnonzero(shapes[ticket] >= 0)
        its = able[naming]
        before = np.where(ticket > 0, upto[np.arange(len(able)), ticket - 1], 0)
        column = (np.cumsum(shapes >= 0) - 1)[ticket[naming]]
        left = (wanted - before)[naming] + sums[starts[its], column]
        for one in np.unique(column):
            some = column == one
            place_of_set = np.searchsorted(sums[1:, one], left[some], side="right")
            picked[its[some], box:last] = sets[place_of_set]

    def _copies(self, may: May, box: int, last: int) -> Any:
        """How many of each thing somebody can pick: a row for each position."""
        boxes = self.bucket.picking.boxes[box:last].tolist()
        found = np.zeros((len(may.more), len(boxes)), np.int32)
        for thing, (most, _, output) in enumerate(boxes):
            for n in range(1, most + 1):
                found[may.more[:, output + n - 1] != 0, thing] = n
        return found

    def _can_pick(self, box: int, copies: Any) -> Any:
        """The sets of no more than so many of each thing, a row each, in the order of their texts; None: too many."""
        picking, known = self.bucket.picking, (box, copies.tobytes())
        if known not in self._sets:
            if len(self._sets) > _REMEMBERED:
                self._sets.clear()
            options = [(thing, n) for thing, n in picking.options.tolist() if n <= copies[thing]]
            size = math.prod(int(n) + 1 for n in copies)
            found = None if size > picking.most else list(_listed(options, len(copies)))
            self._sets[known] = (
                None if found is None else np.array(found, np.int32).reshape(size, len(copies))
            )
        return self._sets[known]

    def _looked_at(self, state: Any, lanes: Any, owners: Any, sets: Any, box: int, asked: Any) -> Any:
        """Which actions are legal with which sets; a last column says what is not known."""
        found = np.zeros((len(sets), len(asked) + 1), np.uint8)
        step = MOST_LANES
        for first in range(0, len(sets), step):
            its = sets[first : first + step]
            picked = np.zeros((len(its), len(self.bucket.picking.boxes)), np.int32)
            picked[:, box : box + sets.shape[1]] = its
            planes = self.planes(state, lanes[owners[first : first + step]])
            bits = bits_of(rows_in(self.checks.run(planes, self._doing(len(its), None, picked)), len(its)))
            found[first : first + step, :-1] = bits[:, asked]
            found[first : first + step, -1] = bits[:, self._unchecked]
        return found


def _listed(options: Sequence[tuple[int, int]], things: int) -> Iterator[list[int]]:
    """All sets of these options, pairs of a thing and how many of it, in their order: for each how many of each thing."""
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
    """The words of a row that some bits lie in, and where in them the bits are."""
    words, where = np.unique(bits >> 6, return_inverse=True)
    return words, 64 * where.reshape(-1) + (bits & 63)


def _ranges(bucket: Bucket, roles: Sequence[str]) -> Numbers:
    """For each role that can act its place, and its tickets from the first to before the last."""
    rows: list[list[int]] = []
    for ticket, action in enumerate(map(int, bucket.tickets)):
        place = roles.index(bucket.actions[action][0])
        if not rows or rows[-1][0] != place:
            rows.append([place, ticket, ticket])
        rows[-1][2] = ticket + 1
    return np.array(rows, np.int32).reshape(len(rows), 3)


class Machine:
    """Some buckets, ready to be run.

    Attributes:
        buckets: They.
        ready: The same, ready to be run.
        bucket_of_bit: For each bit of what is pending its bucket, or `OTHER`; and `OVER` at the end.
        control: How many words hold what is pending.
        steps: For each bucket whether it is one of steps.
    """

    def __init__(self, ready: Sequence[Ready], keys: Iterable[Key], control: int) -> None:
        """Of these, of all keys there can be; so many words hold what is pending."""
        self.ready = tuple(ready)
        self.buckets = tuple(its.bucket for its in ready)
        self.bucket_of_bit = np.append(np.full(64 * control, OTHER, np.int64), OVER)
        self._pending = np.zeros((control, len(ready) + 2), np.uint64)
        self.control = control
        place = {bucket.key: n for n, bucket in enumerate(self.buckets)}
        self._bucket_of_number = np.array([OVER, *(place.get(key, OTHER) for key in keys)], np.int64)
        self.steps = np.array([its.key.role == STEP for its in self.buckets], np.bool_)
        for n, bucket in enumerate(self.buckets):
            for bit in map(int, bucket.pending):
                self._pending[bit >> 6, n] |= _ONE << np.uint64(bit & 63)
                self.bucket_of_bit[bit] = n
        self.picked = max((len(b.picking.boxes) for b in self.buckets), default=0)

    def next(self, numbers: Any) -> Any:
        """As :meth:`where`, by the numbers that :meth:`Ready.change` has found."""
        found = self._bucket_of_number.take((numbers & ~_SEVERAL).astype(np.int64), mode="clip")
        several = numbers & _SEVERAL != _NONE
        if several.any():
            found[several] = OTHER
        return found

    def where(self, state: Any) -> Any:
        """The buckets of positions; OVER where nothing is pending, OTHER where there is none, or are several."""
        first = np.full(len(state), 64 * self.control, np.int64)
        for word in reversed(range(self.control)):
            bits = state[:, word]
            lowest = 64 * word + np.bitwise_count((bits & (~bits + _ONE)) - _ONE).astype(np.int64)
            np.copyto(first, lowest, where=bits != _NONE)
        found: Any = self.bucket_of_bit.take(first)
        strange = np.zeros(len(state), np.bool_)
        for word in range(self.control):
            strange |= (state[:, word] & ~self._pending[word].take(found, mode="wrap")) != _NONE
        found[strange] = OTHER
        return found
