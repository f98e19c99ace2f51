"""Native lists of what is legal in many positions."""

from __future__ import annotations

from typing import Any

from ..vectors import kernel
from .calling import bare
from .changing import begin
from .choosing import labelled, ordered
from .places import BASE, COUNT, DATA, ERROR
from .playing import pending, run
from .states import DECISIONS, DUE, FINISHED, HAND, LEGAL, LISTING, MANY


@kernel
def _of_role(words: Any, texts: Any, relations: Any, role: Any, what: Any, start: Any) -> Any:
    """Lists a role's legal actions; where they end, or -1 where that is for the engine for one position."""
    legal, decisions = relations[LEGAL], relations[DECISIONS]
    at = start
    for row in range(words[legal + COUNT]):
        if words[words[legal + DATA] + 2 * row] == role:
            value = words[words[legal + DATA] + 2 * row + 1]
            if value < BASE:
                return -1
            labelled(words, texts, value)
            what[at] = value
            at += 1
    ordered(words, texts, what, start, at)
    decides = False
    for row in range(words[decisions + COUNT]):
        if words[words[decisions + DATA] + 2 * row] == role:
            decides = True
    return at if decides == (at > start) else -1


@kernel
def _listed(
    words: Any, texts: Any, relations: Any, keys: Any, addresses: Any, state: Any, roles: Any, heads: Any, facts: Any,
    ends: Any, first: int, kinds: Any, counts: Any, whose: Any, what: Any, filled: Any,
) -> Any:  # fmt: skip
    """As :func:`listed`."""
    for position in range(first, len(ends) - 1):
        counts[position] = -1
        begin(words, facts[ends[position] : ends[position + 1]], heads)
        if words[relations[DUE] + COUNT] > 0:
            continue
        use = pending(words, relations[DECISIONS], 1, kinds)
        found = run(words, keys, addresses, state, LISTING, use, 0)
        if found != HAND and found >= 0:
            return position, found
        if found == HAND or words[relations[MANY] + COUNT] > 0:
            continue
        legal, at = words[relations[LEGAL] + COUNT], filled[0]
        if at + legal > len(what):
            return position, HAND
        for role in range(len(roles)):
            end = _of_role(words, texts, relations, roles[role], what, at)
            if end < 0:
                break
            whose[at:end] = role
            at = end
        if end < 0 or words[ERROR] != 0 or at - filled[0] != legal:
            continue
        counts[position] = legal
        filled[0] = at
    return len(ends) - 1, FINISHED


@kernel
def listed(
    words: Any, texts: Any, relations: Any, keys: Any, addresses: Any, state: Any, roles: Any, heads: Any, facts: Any,
    ends: Any, first: int, kinds: Any, counts: Any, whose: Any, what: Any, filled: Any,
) -> Any:  # fmt: skip
    """Lists the legal actions of positions, in the order of the seats and for each in that of their texts.

    What comes before ``facts`` is as for :func:`.playing.play`. The rows of all positions are ``facts``, and ``ends`` says
    where those of each begin, and at last where they end. From the position ``first`` on ``counts`` is filled with how many
    actions there are (-1: that is for the engine for one position), ``whose`` with the places of their roles, ``what`` with
    the actions, of which there are ``filled[0]`` so far.

    Returns:
        The position to go on with, and what is needed for that: `FINISHED`, or `HAND` for more room.
    """
    return _listed(
        bare(words), bare(texts), bare(relations), bare(keys), bare(addresses), bare(state), bare(roles), bare(heads),
        bare(facts), bare(ends), first, bare(kinds), bare(counts), bare(whose), bare(what), bare(filled),
    )  # fmt: skip
