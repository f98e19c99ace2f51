"""Random games in lockstep: of all games that wait in the same bucket as many as there is room for go on together."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from .candidates import choose_set, picker_of
from .choosing import below, chosen, counted, first_state
from .held import choose_structure
from .kernels import OTHER, OVER, bucket_of, change, may
from .loading import load
from .places import (
    ACTION,
    BOXES,
    BOXES_END,
    INPUTS,
    INPUTS_END,
    PICKERS,
    PICKERS_END,
    ROLES,
    ROLES_END,
    ROWS,
    ROWS_END,
    TICKETS,
    TICKETS_END,
)
from .vectors import LANES, kernel

_ONE: Final = np.uint64(1)


@kernel
def _choose(
    place: Any, data: Any, state: Any, lanes: Any, count: int, random: Any, known: Any, done: Any, picked: Any,
    work: Any,
) -> None:  # fmt: skip
    """A random action of everybody who has any."""
    table = work[1]
    tickets, roles = data[2], data[8]
    last = place[TICKETS_END] - place[TICKETS]
    for lane in range(count):
        if table[last >> 6, lane] >> np.uint64(last & 63) & _ONE:
            known[lane] = False
    counts, wanted, taken = np.zeros(LANES, np.int64), np.zeros(LANES, np.int64), np.zeros(LANES, np.int64)
    for k in range(place[ROLES], place[ROLES_END]):
        first, end = roles[k, 1], roles[k, 2]
        picker = picker_of(place, data, roles[k, 0])
        if place[ROWS] < place[ROWS_END]:
            choose_structure(place, data, k, lanes, count, random, known, done, picked, work)
            continue
        if picker >= 0:
            choose_set(place, data, k, picker, state, lanes, count, random, known, done, picked, work)
            continue
        counted(table, first, end, counts)
        for lane in range(LANES):
            some = lane < count and known[lane] and counts[lane] > 0
            wanted[lane] = np.int64(below(random, lanes[lane], counts[lane])) if some else -1
        chosen(table, first, end, wanted, taken)
        for lane in range(count):
            if taken[lane] >= 0:
                done[lane, roles[k, 0]] = place[ACTION] + tickets[place[TICKETS] + taken[lane]]


@kernel
def start(game: int, lane: int, world: Any, seed: Any) -> None:
    """Lets a lane begin a game."""
    state, numbers, random, games, decided, moments, first_row, first_numbers = world[:8]
    state[lane, :] = first_row
    numbers[lane, :] = first_numbers
    random[lane] = first_state(seed, game)
    games[lane] = game
    decided[lane, :] = 0
    moments[lane] = 0


@kernel
def finish(lane: int, world: Any, ended: Any) -> None:
    """Writes down how a lane's game has ended."""
    state, numbers, _, games, decided = world[:5]
    rows, points, by_role, kept = ended
    game = games[lane]
    for k in range(len(kept)):
        rows[game, k] = state[lane, kept[k]]
    points[game, :] = numbers[lane, :]
    by_role[game, :] = decided[lane, :]


@kernel
def _block(
    places: Any, data: Any, bucket: int, world: Any, least: Any, lanes: Any, count: int, work: Any
) -> Any:
    """One decision or step of some games; whether it could be taken, for each lane."""
    state, numbers, random, _, decided, moments = world[:6]
    totals = world[8]
    place = places[bucket]
    known = np.ones(LANES, np.bool_)
    done = np.full((LANES, decided.shape[1]), -1, np.int64)
    picked = np.zeros((LANES, place[BOXES_END] - place[BOXES]), np.int32)
    before = np.zeros(LANES, np.uint64)
    if place[TICKETS] < place[TICKETS_END]:
        for lane in range(count):
            before[lane] = random[lanes[lane]]
        may(place, data, state, lanes, count, work)
        _choose(place, data, state, lanes, count, random, known, done, picked, work)
    sets = place[PICKERS] < place[PICKERS_END] and place[ROWS] == place[ROWS_END]
    if place[TICKETS] == place[TICKETS_END] or sets:
        load(data[3], place[INPUTS], place[INPUTS_END], state, lanes, count, work[2], work[0])
    change(place, data, state, numbers, least, lanes, count, done, picked, known, work)
    if place[TICKETS] < place[TICKETS_END]:
        for lane in range(count):
            if known[lane]:
                moments[lanes[lane]] += 1
                for role in range(decided.shape[1]):
                    if done[lane, role] >= 0:
                        decided[lanes[lane], role] += 1
                        totals[done[lane, role]] += 1
            else:
                random[lanes[lane]] = before[lane]
    return known


@kernel
def play(
    places: Any,
    data: Any,
    pending: Any,
    bucket_of_bit: Any,
    world: Any,
    least: Any,
    queues: Any,
    sizes: Any,
    ended: Any,
    progress: Any,
    seed: Any,
    longest: int,
    work: Any,
) -> None:
    """Plays until nothing can go on, or so much is to be handed to others that the rest can wait.

    Args:
        places: The table of the buckets.
        data: All arrays of the buckets.
        pending: For each bucket the bits of what is pending in it.
        bucket_of_bit: For each of these bits its bucket; -1 where that has no circuit.
        world: The lanes: positions, numbers, random numbers, games, decisions by role, moments; then the first position
            and its numbers, and how often each action was done.
        least: The least value of each number, and after them a value that all stay below.
        queues: For each bucket the lanes that wait there; the last row are those to be handed to others.
        sizes: How many they are.
        ended: How games have ended: words of the last position, numbers, decisions by role; which words.
        progress: How many games have been begun, how many are over, and how many there are.
        seed: Which games.
        longest: So many moments of decision a game has at most.
        work: Room to work.
    """
    buckets = len(places)
    state, moments = world[0], world[5]
    while True:
        best = 0
        for bucket in range(1, buckets):
            if sizes[bucket] > sizes[best]:
                best = bucket
        if not sizes[best] or sizes[buckets] > 4 * sizes[best]:
            return
        count = min(LANES, sizes[best])
        sizes[best] -= count
        lanes = queues[best, sizes[best] : sizes[best] + count].copy()
        known = _block(places, data, best, world, least, lanes, count, work)
        for k in range(count):
            lane = lanes[k]
            next_ = bucket_of(state[lane], pending.shape[1], bucket_of_bit, pending) if known[k] else OTHER
            if next_ == OVER:
                finish(lane, world, ended)
                progress[1] += 1
                if progress[0] == progress[2]:
                    continue
                start(progress[0], lane, world, seed)
                progress[0] += 1
                next_ = bucket_of(state[lane], pending.shape[1], bucket_of_bit, pending)
            if next_ == OTHER or (
                moments[lane] >= longest and places[next_, TICKETS] < places[next_, TICKETS_END]
            ):
                next_ = buckets
            queues[next_, sizes[next_]] = lane
            sizes[next_] += 1
