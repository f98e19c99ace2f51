"""Positions that random games rarely reach: the rulebook and the independent implementation agree on each.

Random games seldom reach crowded boards, empty purses or empty piles. So their positions are disturbed, within what the
independent implementation accepts, and played on. At each decision the tests compare the exported predicates, the legal
actions, and the positions after some actions of different kinds.
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
from kaiser_logic.engine.compiled import derive
from kaiser_logic.evaluation.verdict import InvalidPosition
from kaiser_logic.game import Game
from kaiser_logic.position import Position

Oracle = kaiser.Kaiser | krone.Krone
DISTURBED: Mapping[str, ModuleType] = {"kaiser": kaiser_disturbed, "krone": krone_disturbed}
STRICTER = {"kaiser": {"gray"}, "krone": set[str]()}
"""Invariants that the independent implementation does not check."""
SAMPLE = 4
"""The number of kinds of legal actions that are followed at each decision."""


def oracle_of(game: Game) -> Oracle:
    """The game of the independent implementation, with these seats and rulings."""
    if game.id == "kaiser":
        return kaiser.Kaiser(game.seats, game.seats[0], game.edition, game.options)
    return krone.Krone(board_text(), game.seats, game.edition, game.options)


def positions(game: Game, rng: Random) -> Iterator[Oracle]:
    """An endless sequence of disturbed positions from random games."""
    random_game = kaiser.random_game if game.id == "kaiser" else krone.random_game
    while True:
        oracle = oracle_of(game)
        for _ in random_game(oracle, rng, 300):
            if rng.random() < 0.1:
                found = DISTURBED[game.id].disturbed(oracle, rng)
                if found is not None:
                    yield found


def assert_agreement(game: Game, rng: Random, many: int, length: int = 10) -> Counter[str]:
    """Asserts agreement on ``many`` disturbed positions and those after them. Returns the kinds of decisions, counted."""
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
    """The position, or None if an invariant in ``STRICTER`` refuses it."""
    try:
        return game.position(oracle.facts())
    except InvalidPosition as refused:
        assert {broken.invariant for broken in refused.broken} <= STRICTER[game.id], refused
        return None


def exported(position: Position, names: Sequence[tuple[str, int]]) -> dict[tuple[str, int], set[str]]:
    """The arguments for which the predicates of the rulebook hold."""
    program = position.ruleset.program("exports", lambda: {}, names)
    found = derive(program, position.symbols)
    return {name: {symbols.text(fact) for fact in found.get(*name)} for name in names}


def _compared(position: Position, oracle: Oracle, rng: Random) -> dict[str, str]:
    """Compares a position. Returns the actions with which the game continues, none at the end."""
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
                _assert_same_successor(position, oracle, {role: action})
    return chosen


def _drawn(actions: Sequence[str], weights: Mapping[str, float], rng: Random) -> tuple[str, list[str]]:
    """A random action, and some actions of other kinds."""
    kinds: dict[str, list[str]] = {}
    for action in actions:
        kinds.setdefault(kaiser.kind_of(action), []).append(action)
    names = sorted(kinds)
    (kind,) = rng.choices(names, [weights.get(name, 1.0) for name in names])
    others = rng.sample([n for n in names if n != kind], min(SAMPLE, len(names) - 1))
    return rng.choice(kinds[kind]), [rng.choice(kinds[name]) for name in others]


def _assert_same_successor(position: Position, oracle: Oracle, chosen: Mapping[str, str]) -> None:
    after = oracle.copy()
    after.apply(chosen)
    assert position.apply(chosen).facts == after.facts(), chosen
