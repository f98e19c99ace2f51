"""Random games in native code: one after the other, from decision to decision, without leaving it.

Where something is missing (a program that is not compiled yet, the kind of an action) the games stop, say what they need
(`NEED`), and go on from the last decision. What native code cannot do is handed over (`HAND`).
"""

from __future__ import annotations

from typing import Any, Final

from ..choosing import below, first_state
from ..course import LONGEST
from ..vectors import kernel
from .calling import bare, invoked
from .changing import begin, change
from .choosing import labelled, placed, weighted
from .places import BASE, CHANGED, COUNT, DATA, ERROR, STRANGE, VERSION, WIDTH
from .places import KIND as KIND_OF
from .states import (
    DECISIONS,
    DUE,
    EFFECTS,
    FINISHED,
    FIRST,
    GAME,
    GAMES,
    GOAL,
    HAND,
    KIND,
    LEGAL,
    LISTING,
    MANY,
    MOMENTS,
    NEED,
    OUTCOME,
    PHASE,
    PROGRAM,
    PROGRAMS,
    SECOND,
    SETTLE,
    START,
    STEPS,
    STOP,
    STOPPED,
    SUBMITTED,
    TERMINAL,
    WEIGHT,
    WEIGHTED,
    WEIGHTS,
    WINNER,
)

_BITS: Final = 14
_SEVERAL: Final = 4
"""So many kinds at a time can be pending, or be done."""
_MOST_STEPS: Final = 10_000


@kernel
def slot(keys: Any, use: Any, first: Any, second: Any) -> Any:
    """Where a program is, or would be, among all."""
    found = (use * 1_000_003 + first * 7_919 + second * 104_729 + (first >> 13) + (second >> 17)) & (
        PROGRAMS - 1
    )
    while keys[found, 0] != 0 and (
        keys[found, 0] != use or keys[found, 1] != first or keys[found, 2] != second
    ):
        found = (found + 1) & (PROGRAMS - 1)
    return found


@kernel
def _packed(kinds: Any, count: int) -> Any:
    """Some kinds, each once, as one number; -1 where they are too many."""
    found, several = 0, 0
    for _ in range(count):
        least = 1 << _BITS
        for k in range(count):
            least = min(least, kinds[k])
        if least == 1 << _BITS:
            break
        for k in range(count):
            if kinds[k] == least:
                kinds[k] = 1 << _BITS
        found = (found << _BITS) | least
        several += 1
    return found if several <= _SEVERAL else -1


@kernel
def pending(words: Any, relation: Any, place: int, kinds: Any) -> Any:
    """The kinds of what stands at a place of a relation's rows; -1 where they are too many, or numbers."""
    count, width, data = words[relation + COUNT], words[relation + WIDTH], words[relation + DATA]
    if count > len(kinds):
        return -1
    for row in range(count):
        value = words[data + row * width + place]
        if value < BASE:
            return -1
        kinds[row] = words[value - BASE]
    return _packed(kinds, count)


@kernel
def run(words: Any, keys: Any, addresses: Any, state: Any, use: Any, first: Any, second: Any) -> Any:
    """Runs a program; -1, or why it cannot be."""
    if first < 0 or second < 0 or words[STRANGE] != 0:
        return HAND
    found = slot(keys, use, first, second)
    if keys[found, 0] == 0:
        state[NEED], state[FIRST], state[SECOND] = use, first, second
        return PROGRAM
    if addresses[found] == 0 or invoked(addresses[found], words) != 0:
        return HAND
    return -1


@kernel
def _choose(
    words: Any, texts: Any, relations: Any, keys: Any, addresses: Any, state: Any, random: Any, roles: Any, taken: Any,
    values: Any,
) -> Any:  # fmt: skip
    """A random action of everybody who decides, into ``taken``; -1, or why that cannot be."""
    decisions, legal = relations[DECISIONS], relations[LEGAL]
    if words[relations[MANY] + COUNT] > 0:
        return HAND
    deciding = 0
    end = 0
    for role in range(len(roles)):
        taken[role] = -1
        decides = 0
        for row in range(words[decisions + COUNT]):
            if words[words[decisions + DATA] + 2 * row] == roles[role]:
                decides += 1
        if decides == 0:
            continue
        deciding += decides
        first = end = 0
        for row in range(words[legal + COUNT]):
            if words[words[legal + DATA] + 2 * row] == roles[role]:
                value = words[words[legal + DATA] + 2 * row + 1]
                if value < BASE:
                    return HAND
                labelled(words, texts, value)
                values[end] = value
                end += 1
        if end == first or words[ERROR] != 0:
            return HAND
        if role == len(roles) - 1 and state[WEIGHTED] != 0:
            found = run(words, keys, addresses, state, WEIGHTS, 0, 0)
            if found >= 0:
                return found
            taken[role] = weighted(words, texts, values, first, end, relations[WEIGHT], random)
        else:
            taken[role] = placed(words, texts, values, first, end, int(below(random, 0, end - first)))
    return -1 if deciding == words[decisions + COUNT] else HAND


@kernel
def _submit(words: Any, relations: Any, state: Any, roles: Any, taken: Any, kinds: Any) -> Any:
    """Says what is done; its kinds as one number, or below 0 where one is not known."""
    submitted = relations[SUBMITTED]
    count = 0
    for role in range(len(roles)):
        if taken[role] >= 0:
            kind = words[taken[role] - BASE + KIND_OF]
            if kind == 0:
                state[NEED] = taken[role]
                return -2
            kinds[count] = kind
            words[words[submitted + DATA] + 2 * count] = roles[role]
            words[words[submitted + DATA] + 2 * count + 1] = taken[role]
            count += 1
    words[submitted + COUNT] = count
    words[submitted + VERSION] += 1
    words[submitted + CHANGED] += 1
    return _packed(kinds, count)


@kernel
def _end(words: Any, relations: Any, state: Any, roles: Any, points: Any, winners: Any) -> Any:
    """Writes down how a game has ended; -1, or why that cannot be."""
    if words[relations[TERMINAL] + COUNT] == 0:
        return HAND
    game = state[GAME]
    for role in range(len(roles) - 1):
        goal, winner = relations[GOAL], relations[WINNER]
        known = False
        for row in range(words[goal + COUNT]):
            if words[words[goal + DATA] + 2 * row] == roles[role]:
                value = words[words[goal + DATA] + 2 * row + 1]
                if value >= BASE:
                    return HAND
                if not known or value > points[game, role]:
                    points[game, role] = value
                known = True
        for row in range(words[winner + COUNT]):
            if words[words[winner + DATA] + row] == roles[role]:
                winners[game, role] = True
    return -1


@kernel
def _settled(words: Any, relations: Any, keys: Any, addresses: Any, state: Any, kinds: Any) -> Any:
    """Lets happen what is due by itself, until nothing is; -1, or why it cannot be."""
    for _ in range(_MOST_STEPS):
        if words[relations[DUE] + COUNT] == 0:
            return -1
        due = pending(words, relations[DUE], 0, kinds)
        meanwhile = pending(words, relations[DECISIONS], 1, kinds)
        found = run(words, keys, addresses, state, STEPS, due, meanwhile)
        if found < 0:
            found = change(words, relations, state)
        if found >= 0:
            return found
    return HAND


@kernel
def _decided(
    words: Any, texts: Any, relations: Any, keys: Any, addresses: Any, state: Any, random: Any, roles: Any, room: Any
) -> Any:  # fmt: skip
    """Lets everybody who decides do something at random; -1, or why it cannot be."""
    kinds, taken, values = room[0], room[1], room[2]
    before = random[0]
    use = pending(words, relations[DECISIONS], 1, kinds)
    found = run(words, keys, addresses, state, LISTING, use, 0)
    if found < 0:
        found = _choose(words, texts, relations, keys, addresses, state, random, roles, taken, values)
    if found < 0:
        kind = _submit(words, relations, state, roles, taken, kinds)
        found = KIND if kind == -2 else run(words, keys, addresses, state, EFFECTS, kind, 0)
        words[relations[SUBMITTED] + COUNT] = 0
        words[relations[SUBMITTED] + CHANGED] += 1
    if found < 0:
        found = change(words, relations, state)
    if found >= 0:
        random[0] = before
    return found


@kernel
def _played(
    words: Any, texts: Any, relations: Any, keys: Any, addresses: Any, state: Any, random: Any, seed: Any, roles: Any,
    facts: Any, heads: Any, points: Any, winners: Any, decided: Any, counts: Any, room: Any,
) -> Any:  # fmt: skip
    """As :func:`play`."""
    taken = room[1]
    while state[GAME] < state[GAMES]:
        if state[PHASE] == START:
            begin(words, facts, heads)
            random[0] = first_state(seed, state[GAME])
            state[MOMENTS] = 0
            state[PHASE] = SETTLE
        found = _settled(words, relations, keys, addresses, state, room[0])
        if found >= 0:
            return found
        if words[relations[DECISIONS] + COUNT] == 0:
            found = run(words, keys, addresses, state, OUTCOME, 0, 0)
            if found < 0:
                found = _end(words, relations, state, roles, points, winners)
            if found >= 0:
                return found
            state[GAME] += 1
            state[PHASE] = START
            continue
        if state[STOP] > 0 and state[MOMENTS] >= state[STOP]:
            return STOPPED
        if state[MOMENTS] >= LONGEST:
            return HAND
        found = _decided(words, texts, relations, keys, addresses, state, random, roles, room)
        if found >= 0:
            return found
        state[MOMENTS] += 1
        for role in range(len(roles)):
            if taken[role] >= 0:
                decided[state[GAME], role] += 1
                counts[role, words[taken[role] - BASE]] += 1
    return FINISHED


@kernel
def play(
    words: Any, texts: Any, relations: Any, keys: Any, addresses: Any, state: Any, random: Any, seed: Any, roles: Any,
    facts: Any, heads: Any, points: Any, winners: Any, decided: Any, counts: Any, room: Any,
) -> Any:  # fmt: skip
    """Plays games until all are over, or something is needed; says which."""
    return _played(
        bare(words), bare(texts), bare(relations), bare(keys), bare(addresses), bare(state), bare(random), seed,
        bare(roles), bare(facts), bare(heads), bare(points), bare(winners), bare(decided), bare(counts), bare(room),
    )  # fmt: skip
