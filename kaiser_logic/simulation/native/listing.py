"""Native lists of what is legal in many positions."""

from __future__ import annotations

from typing import Any

from ..vectors import kernel
from .choosing import ordered, rendered
from .memory import BASE, COUNT, DATA, ERROR
from .playing import DECISIONS, FINISHED, HAND, LEGAL, LISTING, MANY, NEXT, begin, pending, run


@kernel
def listed(
    words: Any, texts: Any, relations: Any, keys: Any, addresses: Any, state: Any, roles: Any, heads: Any, facts: Any,
    ends: Any, first: int, kinds: Any, counts: Any, whose: Any, what: Any, filled: Any,
) -> Any:  # fmt: skip
    """Lists the legal actions of positions, in the order of the seats and for each in that of their texts.

    Args:
        words: The memory; the following are as for :func:`.playing.play`, up to ``heads``.
        facts: The rows of all positions.
        ends: Where those of each begin, and after the last one where they end.
        first: The position to begin with.
        kinds: Room.
        counts: For each position how many actions there are; -1 where that is for the engine for one position.
        whose: The places of their roles; as much room as there is.
        what: The actions.
        filled: At its place 0 how many there are so far.

    Returns:
        The position to go on with, and what is needed for that: `FINISHED`, or `HAND` for more room.
    """
    for position in range(first, len(ends) - 1):
        counts[position] = -1
        begin(words, facts[ends[position] : ends[position + 1]], heads)
        if words[relations[NEXT] + COUNT] > 0:
            continue
        use = pending(words, relations[DECISIONS], 1, kinds)
        found = run(words, keys, addresses, state, LISTING, use, 0)
        if found >= 0:
            if found != HAND:
                return position, found
            continue
        if words[relations[MANY] + COUNT] > 0:
            continue
        data, legal = words[relations[LEGAL] + DATA], words[relations[LEGAL] + COUNT]
        at = filled[0]
        if at + legal > len(what):
            return position, HAND
        fine = True
        for role in range(len(roles)):
            start = at
            for row in range(legal):
                if words[data + 2 * row] == roles[role]:
                    value = words[data + 2 * row + 1]
                    if value < BASE:
                        fine = False
                        break
                    rendered(words, texts, value)
                    whose[at], what[at] = role, value
                    at += 1
            ordered(words, texts, what, start, at)
            decides = False
            for row in range(words[relations[DECISIONS] + COUNT]):
                if words[words[relations[DECISIONS] + DATA] + 2 * row] == roles[role]:
                    decides = True
            fine = fine and decides == (at > start)
        if not fine or words[ERROR] != 0 or at - filled[0] != legal:
            continue
        counts[position] = legal
        filled[0] = at
    return len(ends) - 1, FINISHED
