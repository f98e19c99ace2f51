"""All ways to evaluate the rules agree with the independent implementations: compiled rules, clingo, and batches.

KAISER_LOGIC_RANDOM_GAMES=N compares a hundred times as many positions, in N configurations of each game.
"""

import os
from collections.abc import Mapping, Sequence
from random import Random
from typing import NamedTuple

import pytest
from games.positions import GAMES
from games.test_oracles import any_game, games
from support.independent import independent

from kaiser_logic.batch.optional import is_installed
from kaiser_logic.engine import symbols
from kaiser_logic.game import Game, load
from kaiser_logic.position import Position

COUNT = int(os.environ.get("KAISER_LOGIC_RANDOM_GAMES", "0"))


class Moment(NamedTuple):
    """A decision as the independent implementation sees it, and the position that follows."""

    facts: frozenset[str]
    legal: Mapping[str, Sequence[str]]
    chosen: Mapping[str, str]
    after: frozenset[str]


def moments(game: Game, rng: Random, count: int) -> list[Moment]:
    """Some decisions, from random places of random games."""
    found: list[Moment] = []
    while len(found) < count:
        for facts, legal, chosen in games(game, rng):
            if rng.random() < 0.1:
                oracle = independent(game.position(facts))
                oracle.apply(chosen)
                found.append(Moment(facts, {r: sorted(a) for r, a in legal.items()}, chosen, oracle.facts()))
            if len(found) == count:
                break
    return found


def violations(position: Position, actions: Mapping[str, str]) -> object:
    """The rules that some actions break."""
    judged = {role: symbols.read_symbol(action) for role, action in actions.items()}
    return position.evaluator.judge(position.symbols, judged).violations


@pytest.mark.sample(2)
@pytest.mark.parametrize("seed", range(2 * max(1, COUNT)))
@pytest.mark.parametrize("name", GAMES)
def test_compiled_rules_and_clingo_agree(name, seed):
    rng = Random(seed)
    its = any_game(name, rng)
    other = load(name, edition=its.edition, options=dict(its.options), seats=its.seats, engine="clingo")
    course = moments(its, rng, 1000 if COUNT else 8)
    for moment in course:
        role, action = rng.choice([*rng.choice(course).chosen.items()])
        broken = []
        for game in (its, other):
            position = game.position(moment.facts)
            assert {r: list(a) for r, a in position.legal().items()} == moment.legal
            assert position.apply(moment.chosen).facts == moment.after
            broken.append(violations(position, {**moment.chosen, role: action}) if role in moment.legal else ())
        assert broken[0] == broken[1]


@pytest.mark.long
@pytest.mark.skipif(not is_installed(), reason="NumPy and llvmlite")
@pytest.mark.parametrize("seed", range(max(1, COUNT)))
@pytest.mark.parametrize("name", GAMES)
def test_batches_agree(name, seed):
    rng = Random(seed)
    game = any_game(name, rng)
    course = moments(game, rng, 20_000 if COUNT else 300)
    batch = game.batch()
    positions = batch.pack([game.position(moment.facts) for moment in course])
    for moment, legal in zip(course, batch.legal(positions), strict=True):
        assert {role: sorted(actions) for role, actions in legal.items()} == moment.legal
    for moment, after in zip(course, batch.apply(positions, [moment.chosen for moment in course]), strict=True):
        assert after.facts == moment.after
