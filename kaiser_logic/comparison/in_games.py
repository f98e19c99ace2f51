"""Looks for a divergence of two rule sets in random games, for games that are too large to be solved.

That no game shows a difference proves nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from random import Random
from typing import Final

from ..clingo import SymbolType
from ..engine import symbols
from ..errors import NotDecided
from ..evaluation.random_games import random_game
from ..evaluation.verdict import IllegalMove, InvalidPosition
from ..game import Game
from ..position import Position
from ..rules.predicates import DECISION, DUE
from .divergence import Divergence

POSITIONS: Final = 3_000
"""The number of positions to compare if games are the only way; the games are played under the two rule sets in turn."""
SOME: Final = 500
"""The number if open positions were solved before."""
CHECKED: Final = 100
"""The number if the solver has found no divergence, in case its scenarios leave something out."""
_ACTIONS: Final = 4
"""How many times legal actions are made in a position, besides the comparison of all legal actions;"""
_SEVERAL: Final = (24, 400)
"""the same if two roles decide simultaneously, and if more do: a difference may need a certain combination."""
_FURTHER: Final = 20
"""After that, so many times as many positions are passed, of which only those with rare decisions are compared."""
_SELDOM: Final = 100
"""A decision is rare if it occurs in fewer than one of so many positions."""
_RARE: Final = 3
"""In one of so many games rare kinds of action are preferred."""


def diverging_position(
    first: Game, second: Game, seed: int = 1, positions: int = POSITIONS
) -> Divergence | None:
    """A position of a random game, valid under both rule sets, with actions at which they diverge; None if none is found.

    Args:
        first: A game.
        second: The same game with another ruling.
        seed: The seed of the random games.
        positions: The number of positions to compare. After these only positions with rare decisions are compared.
    """
    passed = 0
    chosen: Counter[int] = Counter()
    met: Counter[tuple[str, ...]] = Counter()
    while True:
        rare = chosen if seed % _RARE == 0 else None
        for facts in _settled(first if seed % 2 else second, Random(seed), rare):
            pending = _pending(facts)
            met[pending] += 1
            passed += 1
            if passed > positions * _FURTHER:
                return None
            if passed <= positions or met[pending] * _SELDOM < passed:
                found = _parts(first, second, facts, Random(passed))
                if found is not None:
                    return found
        passed += 1  # there are games without any such position
        seed += 1


def _pending(facts: Iterable[str]) -> tuple[str, ...]:
    """The names of the pending decisions, sorted, one for each role that has it."""
    pending = (symbols.read(f).arguments[1] for f in facts if f.startswith(f"{DECISION[0]}("))
    return tuple(sorted(d.name if d.type is SymbolType.Function else str(d) for d in pending))


def _settled(game: Game, random: Random, chosen: Counter[int] | None) -> Iterator[tuple[str, ...]]:
    """The positions of a random game in which no step is due.

    ``chosen``: counts of the kinds of action that were chosen so far, to prefer rare ones; None to choose uniformly.
    """
    last = game.evaluator.initial()
    for pair, after in random_game(game.evaluator, random, None, chosen):
        if pair.actions:
            yield tuple(map(symbols.text, pair.facts))
        last = after
    if not any(symbols.signature(s) == DUE for s in last):
        yield tuple(map(symbols.text, last))


def _parts(first: Game, second: Game, facts: tuple[str, ...], random: Random) -> Divergence | None:
    """How the two rule sets diverge in a position, if they do."""
    try:
        here, there = first.position(facts), second.position(facts)
        ours, theirs = here.legal(), there.legal()
    except (InvalidPosition, NotDecided):
        return None
    if here.result() != there.result():
        return Divergence(facts, ())
    for role in sorted({*ours, *theirs}):
        only = {*ours.get(role, ())} ^ {*theirs.get(role, ())}
        if only:
            return Divergence(facts, ((role, min(only)),))
    deciding = sum(map(bool, ours.values()))
    for _ in range((_ACTIONS, *_SEVERAL)[min(max(deciding, 1), 3) - 1]):
        chosen = {role: random.choice(ours[role]) for role in here.to_move if ours.get(role)}
        if chosen and _differs(here, there, chosen):
            return Divergence(facts, tuple(chosen.items()))
    return None


def _differs(here: Position, there: Position, chosen: dict[str, str]) -> bool:
    """Whether actions lead to different positions, or are illegal together in one game only."""
    try:
        return _after(here, chosen) != _after(there, chosen)
    except NotDecided:
        return False


def _after(position: Position, chosen: dict[str, str]) -> frozenset[str] | None:
    """The position after actions; None if they are illegal together."""
    try:
        return position.apply(chosen).facts
    except IllegalMove:
        return None
