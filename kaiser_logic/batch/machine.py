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
from .gates import Gates, Numbers
from .kernel import bits_of, planes_of, rows_of, turn
from .layout import Layout
from .streams import below

OVER: Final = -1
"""In place of a bucket, of a position in which nothing is pending."""
OTHER: Final = -2
"""In place of a bucket, of a position whose bucket has no circuit, or in which several are pending."""
MOST_LANES: Final = 8192
"""So many positions are looked at together at most."""
_SEVERAL: Final = np.uint64(1 << (NEXT - 1))
_NEXT: Final = np.uint64((1 << NEXT) - 1)
_UNKNOWN: Final = np.uint64(1 << NEXT)
_MANY: Final = 3
"""If one of so many words of a row is needed, the whole row is taken."""
_SETS: Final = 1 << 16
"""So many sets are looked at together."""
_REMEMBERED: Final = 50_000
"""So many lists of sets are remembered."""
_ONE: Final = np.uint64(1)
_NONE: Final = np.uint64(0)
_ALL: Final = np.uint64(0xFFFFFFFFFFFFFFFF)
_ONES, _FIVES, _THREES, _FIFTEENS, _EIGHTIES = (
    np.uint64(octet * 0x0101010101010101) for octet in (0x01, 0x55, 0x33, 0x0F, 0x80)
)
_IN_OCTET: Final = np.array(
    [([bit for bit in range(8) if octet >> bit & 1] + [0] * 8)[:8] for octet in range(256)], np.int64
)
"""For each octet the places of its set bits."""


def _mask(words: int, first: int, end: int) -> Any:
    """A row of so many words whose bits are set from ``first`` to before ``end``."""
    number = (1 << end) - (1 << first)
    return np.frombuffer(number.to_bytes(8 * words, "little"), np.uint64)


def _lanes(words: Any, count: int) -> Any:
    """A word for each position, as they lie in blocks of 64 rows, in the order of the positions."""
    return words.transpose(0, 2, 1).reshape(-1)[:count]


def _rows(words: Any, count: int) -> Any:
    """Words by block, word, and place in the block as rows of words."""
    return words.transpose(0, 3, 2, 1).reshape(-1, words.shape[1])[:count]


def _sums(table: Any) -> Any:
    """How many bits are set in each word of a table or one before it: a part for each word."""
    counts = np.bitwise_count(table)
    blocks, words, *rest = counts.shape
    found = np.empty((words, blocks, *rest), np.int32)
    found[0] = counts[:, 0]
    for word in range(1, words):
        np.add(found[word - 1], counts[:, word], out=found[word])
    return found


def _nth(table: Any, sums: Any, lanes: Any, wanted: Any) -> Any:
    """For some lanes of a table the place of the set bit of this number, counted from 0.

    ``sums`` as :func:`_sums` has found them.
    """
    blocks, _, rows, wide = table.shape
    limits = np.zeros(blocks * rows * wide, np.int32)
    limits[lanes] = wanted
    limits = np.ascontiguousarray(limits.reshape(blocks, wide, rows).transpose(0, 2, 1))
    words = np.zeros(limits.shape, np.int32)
    for its in sums[:-1]:
        words += its <= limits
    word = _lanes(words, blocks * rows * wide)[lanes].astype(np.int64)
    block, row, column = lanes // (rows * wide), lanes % rows, lanes // rows % wide
    bits = table[block, word, row, column]
    before = np.where(word > 0, sums[word - 1, block, row, column], 0)
    left = (wanted - before).astype(np.uint64)
    octets = bits - (
        bits >> _ONE & _FIVES
    )  # the sums of pairs, of fours, of octets, and then of all octets up to each
    octets = (octets & _THREES) + (octets >> np.uint64(2) & _THREES)
    octets = (octets + (octets >> np.uint64(4)) & _FIFTEENS) * _ONES
    octet = np.bitwise_count((left * _ONES | _EIGHTIES) - octets & _EIGHTIES).astype(np.uint64) << np.uint64(
        3
    )
    left -= octets << np.uint64(8) >> octet & np.uint64(255)
    inside = _IN_OCTET[(bits >> octet & np.uint64(255)).astype(np.int64), left.astype(np.int64)]
    return 64 * word + octet.astype(np.int64) + inside


# -- programs --------------------------------------------------------------------------------------------------------------


class Seen(NamedTuple):
    """Positions of one bucket.

    Attributes:
        rows: They; changed with them.
        planes: The same as planes.
    """

    rows: Any
    planes: Any


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
        self._inputs = inputs
        self._gates, self._rows = gates, np.ascontiguousarray(gates.gates)
        self._first = 1 + gates.inputs + len(gates.states)
        wanted = np.zeros(64 * words, np.int64)
        wanted[places] = gates.outputs
        self._wanted, self._negated = wanted >> 1, _negated(wanted)
        ends = [0, *gates.ends.tolist()]
        ranks = range(len(gates.ends))
        its = [np.flatnonzero(gates.states[:, 0] == rank) for rank in ranks]
        self._ranks = [
            (ends[n], ends[n + 1], 1 + gates.inputs + its[n], gates.states[its[n], 1]) for n in ranks
        ]

    def run(self, seen: Seen, doing: Any = None) -> Any:
        """The outputs: a row of words for each position. As :meth:`planes`."""
        return rows_of(self.planes(seen, doing), len(seen.rows))

    def planes(self, seen: Seen, doing: Any = None) -> Any:
        """The outputs as planes.

        Args:
            seen: The positions.
            doing: The planes of what is done, if anything is.
        """
        gates, rows, first = self._gates, self._rows, self._first
        planes = seen.planes
        blocks, _, wide = planes.shape
        values = kernel.room(gates.slots, wide)
        values[0] = _NONE
        given = 1 + len(self._inputs)
        at = given + (0 if doing is None else doing.shape[1])
        found = np.empty((blocks, len(self._wanted), wide), np.uint64)
        for block in range(blocks):
            planes[block].take(self._inputs, axis=0, out=values[1:given], mode="clip")
            if doing is not None:
                values[given:at] = doing[block]
            values[at:first] = _NONE
            for start, end, states, new in self._ranks:
                kernel.run(rows, start, end, values)
                for _ in range(len(states) + 1 if len(states) else 0):
                    after = values[new >> 1] ^ _negated(new)
                    if bool((after == values[states]).all()):
                        break
                    values[states] = after
                    kernel.run(rows, start, end, values)
            np.bitwise_xor(values.take(self._wanted, axis=0, mode="clip"), self._negated, out=found[block])
        return found


def _negated(literals: Any) -> Any:
    """What turns the values of literals over, where they are negated."""
    return np.where(literals & 1, _ALL, _NONE)[:, None]


# -- buckets ---------------------------------------------------------------------------------------------------------------


class May(NamedTuple):
    """What is legal in positions of one bucket.

    Attributes:
        words: Which tickets are legal, but for those that name a set: words by block, word, and place in the block.
        known: For each position whether that is known.
        more: What else there is: bits, a row for each position.
        seen: The positions.
    """

    words: Any
    known: Any
    more: Any
    seen: Seen

    @property
    def table(self) -> Any:
        """Which tickets are legal: a row of words for each position."""
        return _rows(self.words, len(self.seen.rows))


class Ready:
    """A bucket, ready to be run."""

    def __init__(self, bucket: Bucket, first: int, roles: Sequence[str], layout: Layout) -> None:
        """A bucket whose first action has this number."""
        words, numbers = layout.words, len(layout.numbers)
        self.bucket, self.first = bucket, first
        self._roles, self._tests = len(roles), layout.tests
        self._words, self._inputs, _ = within_words(bucket.inputs, words)
        self._changed_words, self._changed, size = within_words(bucket.changed, words)
        self._kept = np.full(size, _ALL)
        np.bitwise_and.at(self._kept, self._changed >> 6, ~(_ONE << (bucket.changed & 63).astype(np.uint64)))
        self._added_words = -(-len(bucket.added) // 64)
        self._amounts = np.zeros((len(bucket.added), numbers))
        self._amounts[np.arange(len(bucket.added)), bucket.added[:, 0]] = bucket.added[:, 1]
        self._unchecked = len(bucket.picking.sets.outputs) - 1
        self._doing_words = -(-bucket.doing // 64)
        self.tickets = len(bucket.tickets)
        self.ticket_words = -(-self.tickets // 64)
        self.ranges = _ranges(bucket, roles)
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
        size, added = 64 * len(self._kept), len(self.bucket.added)
        places = np.concatenate(
            [self._changed, size + np.arange(added), size + 64 * self._added_words + np.arange(NEXT + 1)]
        )
        return Program(self.bucket.effects, self._inputs, places, len(self._kept) + self._added_words + 1)

    @cached_property
    def checks(self) -> Program:
        """Which actions are legal with the sets that they name."""
        outputs = len(self.bucket.picking.sets.outputs)
        return Program(self.bucket.picking.sets, self._inputs, np.arange(outputs), -(-outputs // 64))

    @cached_property
    def _done(self) -> Any:
        """For each action a row of words: what says that it is done; and a last one for none."""
        found = np.zeros((len(self.bucket.actions) + 1, self._doing_words), np.uint64)
        action, column = np.nonzero(self.bucket.done >= 0)
        bits = self.bucket.done[action, column]
        np.bitwise_or.at(found, (action, bits >> 6), _ONE << (bits & 63).astype(np.uint64))
        return found

    def seen(self, state: Any, lanes: Any) -> Seen:
        """Some positions, for the other methods."""
        rows = state.take(lanes, axis=0)
        return Seen(rows, planes_of(rows, self._words))

    def may(self, seen: Seen) -> May:
        """What is legal in positions."""
        found = self.legal.planes(seen)
        turn(found)
        blocks, _, wide = found.shape
        found = found.reshape(blocks, -1, 64, wide)
        rest = bits_of(_rows(found[:, self.ticket_words :], len(seen.rows)))
        return May(found[:, : self.ticket_words], rest[:, 0] == 0, rest[:, 1:], seen)

    def _doing(self, count: int, done: Any, picked: Any) -> Any:
        """What is done in positions, as planes."""
        rows = np.zeros((count, self._doing_words), np.uint64)
        if done is not None:
            for role in self.ranges[:, 0]:
                acting = done[:, role]
                rows |= self._done.take(np.where(acting >= 0, acting - self.first, -1), axis=0)
        for box, (most, base, _) in enumerate(self.bucket.picking.boxes.tolist()):
            naming = np.flatnonzero((picked[:, box] > 0) & (picked[:, box] <= most))
            bit = base + picked[naming, box].astype(np.int64) - 1
            rows[naming, bit >> 6] |= _ONE << (bit & 63).astype(np.uint64)
        return planes_of(rows)[:, : self.bucket.doing]

    # -- what changes ------------------------------------------------------------------------------------------------------

    def change(
        self,
        seen: Seen,
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
            seen: The positions.
            state: Rows of positions; changed.
            numbers: The numbers beside them; changed.
            least: The least value of each number, and after them a value that all stay below.
            lanes: Which of the rows.
            done: For each lane and role the number of the action, or -1.
            picked: For each lane and box how many are in the set that is named.
            known: For each lane whether to do so; set to False where the circuit does not know.
        """
        bucket, count = self.bucket, len(lanes)
        found = self.effects.run(seen, self._doing(count, done, picked))
        last = found[:, -1]
        known &= last & _UNKNOWN == _NONE
        width = len(self._kept)
        if len(bucket.added):
            amounts = bits_of(found[:, width : width + self._added_words])[:, : len(bucket.added)]
            new = numbers[lanes] + (amounts @ self._amounts).astype(np.int64)
            fine = (new >= least[:-1]) & (new < least[-1])
            for column in range(fine.shape[1]):
                known &= fine[:, column]
            numbers[lanes[known]] = new[known]
        if width:
            rows, new, its = seen.rows, found[:, :width], lanes
            if not known.all():
                rows, new, its = rows[known], new[known], lanes[known]
            part = rows[:, self._changed_words]
            part &= self._kept
            part |= new
            if len(self._kept) < rows.shape[1]:
                rows[:, self._changed_words] = part
            state[its] = rows
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
        bits = bits_of(may.table)
        legal = (bits[:, : self.tickets] != 0) & self.is_first & may.known[:, None]
        _, tickets = np.nonzero(legal)
        return legal.sum(axis=1), (self.first + self.bucket.tickets[tickets]).astype(np.int32)

    def judged(self, may: May, done: Any, picked: Any, known: Any) -> None:
        """Sets ``known`` to False for positions in which what is done is not known to be legal."""
        known &= may.known
        shapes, table = self.bucket.picking.shapes, may.table
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
                    checked = bits_of(self.checks.run(may.seen, doing))
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
        for place, first, end in self.ranges.tolist():
            picker = np.flatnonzero(self.bucket.picking.pickers[:, 0] == place)
            if len(picker):
                self._choose_set(
                    may, state, lanes, random, known, done, picked, (place, first, end), int(picker[0])
                )
                continue
            words = may.words
            if len(self.ranges) > 1:
                words = words & _mask(self.ticket_words, first, end)[:, None, None]
            sums = _sums(words)
            sizes = _lanes(sums[-1], count)
            able = (known & (sizes > 0)).nonzero()[0]
            tickets = _nth(words, sums, able, below(random, able, sizes[able]))
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
        bits = bits_of(may.table)
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
            seen = self.seen(state, lanes[owners[first : first + step]])
            bits = bits_of(self.checks.run(seen, self._doing(len(its), None, picked)))
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


def within_words(bits: Numbers, length: int) -> tuple[Any, Any, int]:
    """The words of a row that some bits lie in (all, if these are many), where in them the bits are, and how many they are."""
    words, where = np.unique(bits >> 6, return_inverse=True)
    if _MANY * len(words) > length:
        return slice(None), bits.astype(np.int64), length
    return words, 64 * where.reshape(-1) + (bits & 63), len(words)


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
