"""Positions beside the course of random games: the rulebook and the independent implementation read each alike.

Random games seldom come where many pieces crowd, purses are empty, piles run out: so what they reach is disturbed, within
what the independent implementation holds to be possible, and played on from there. At each decision what the rulebook exports,
the legal actions and what one of each kind of them leads to are compared.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from random import Random
from types import ModuleType

from games.kaiser import disturbed as kaiser_disturbed
from games.krone import disturbed as krone_disturbed
from games.krone.positions import board_text
from oracles import kaiser, krone

from kaiser_logic.engine import symbols
from kaiser_logic.engine.compiled import derived
from kaiser_logic.evaluation.verdict import InvalidPosition
from kaiser_logic.game import Game
from kaiser_logic.position import Position

Oracle = kaiser.Kaiser | krone.Krone
DISTURBED: Mapping[str, ModuleType] = {"kaiser": kaiser_disturbed, "krone": krone_disturbed}
STRICTER = {"kaiser": {"gray"}, "krone": set[str]()}
"""Invariants of the rulebook that the independent implementation does not have."""
SAMPLE = 4
"""So many kinds of legal actions are followed at each decision."""


def oracle_of(game: Game) -> Oracle:
    """The independent implementation's game of these seats and rulings."""
    if game.id == "kaiser":
        return kaiser.Kaiser(game.seats, game.seats[0], game.edition, game.options)
    return krone.Krone(board_text(), game.seats, game.edition, game.options)


def positions(game: Game, rng: Random) -> Iterator[Oracle]:
    """Disturbed positions without end, from one random game after the other."""
    random_game = kaiser.random_game if game.id == "kaiser" else krone.random_game
    while True:
        oracle = oracle_of(game)
        for _ in random_game(oracle, rng, 300):
            if rng.random() < 0.1:
                found = DISTURBED[game.id].disturbed(oracle, rng)
                if found is not None:
                    yield found


def assert_read_alike(game: Game, rng: Random, many: int, length: int = 10) -> Counter[str]:
    """So many disturbed positions are read alike, and those that follow; the kinds of decision met."""
    met: Counter[str] = Counter()
    for oracle, _ in zip(positions(game, rng), range(many), strict=False):
        position = _accepted(game, oracle)
        if position is None:
            continue
        for _ in range(rng.randint(1, length)):
            met += DISTURBED[game.id].met(oracle)
            chosen = _compared(position, oracle, rng)
            if not chosen:
                break
            position = position.apply(chosen)
            oracle.apply(chosen)
    return met


def _accepted(game: Game, oracle: Oracle) -> Position | None:
    """The position, or None where an invariant refuses it that the independent implementation does not have."""
    try:
        return game.position(oracle.facts())
    except InvalidPosition as refused:
        assert {broken.invariant for broken in refused.broken} <= STRICTER[game.id], refused
        return None


def exported(position: Position, names: Sequence[tuple[str, int]]) -> dict[tuple[str, int], set[str]]:
    """What the rulebook says of these predicates."""
    program = position.ruleset.program("exports", lambda: {}, names)
    found = derived(program, position.symbols)
    return {name: {symbols.text(fact) for fact in found.get(*name)} for name in names}


def _compared(position: Position, oracle: Oracle, rng: Random) -> dict[str, str]:
    """Compares a position; gives actions to play on with, none at the end."""
    assert position.facts == oracle.facts()
    read = DISTURBED[position.ruleset.id].readings(oracle)
    assert exported(position, sorted(read)) == read
    result, expected = position.result(), oracle.result()
    assert (result and (dict(result.points), result.winners)) == expected
    legal = oracle.legal()
    assert position.legal() == legal
    if isinstance(oracle, krone.Krone) and "chance" in legal:
        assert position.weights() == oracle.weights()
    chosen = {}
    for role, actions in legal.items():
        chosen[role], others = _drawn(actions, DISTURBED[position.ruleset.id].weights(oracle), rng)
        if len(legal) == 1:
            for action in others:
                _assert_leads_alike(position, oracle, {role: action})
    return chosen


def _drawn(actions: Sequence[str], weights: Mapping[str, float], rng: Random) -> tuple[str, list[str]]:
    """An action of any kind, and some of other kinds."""
    kinds: dict[str, list[str]] = {}
    for action in actions:
        kinds.setdefault(kaiser.kind_of(action), []).append(action)
    names = sorted(kinds)
    (kind,) = rng.choices(names, [weights.get(name, 1.0) for name in names])
    others = rng.sample([n for n in names if n != kind], min(SAMPLE, len(names) - 1))
    return rng.choice(kinds[kind]), [rng.choice(kinds[name]) for name in others]


def _assert_leads_alike(position: Position, oracle: Oracle, chosen: Mapping[str, str]) -> None:
    after = oracle.copy()
    after.apply(chosen)
    assert position.apply(chosen).facts == after.facts(), chosen
