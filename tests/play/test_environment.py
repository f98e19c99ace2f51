"""A game as an environment for reinforcement learning: PettingZoo's tests, and a comparison with positions."""

from pathlib import Path
from random import Random
from typing import Any

import pytest

pytest.importorskip("pettingzoo", reason="the extra [rl] is not installed")

from pettingzoo.test import api_test, seed_test
from support.heap_game import FOLDER

from kaiser_logic.errors import NotDecided, WrongUsage
from kaiser_logic.evaluation.verdict import IllegalMove
from kaiser_logic.game import load
from kaiser_logic.play.environment import Environment

pytestmark = pytest.mark.filterwarnings(
    # agents have the names of the roles: red, not player_0
    "ignore:We recommend agents to be named in the format:UserWarning"
)
PAIR = Path(__file__).parents[1] / "support" / "pair"
"""A game with simultaneous decisions."""


def played(env: Environment, seed: int) -> list[tuple[str, str]]:
    """The moves of a random game, chosen by the masks. Each mask is compared with the legal actions of the position."""
    env.reset(seed=seed)
    random, moves = Random(seed), []
    for agent in env.agent_iter():
        _, _, over, cut, info = env.last()
        if over or cut:
            env.step(None)
            continue
        legal = [env.actions[k] for k in info["action_mask"].nonzero()[0]]
        assert legal == list(env.position.legal()[agent])
        choice = random.choice(legal)
        moves.append((agent, choice))
        env.step(env.actions.index(choice))
    return moves


@pytest.mark.parametrize("folder", [FOLDER, PAIR], ids=["heap", "pair"])
def test_pettingzoo_accepts_small_games(folder):
    api_test(Environment(load(folder)), num_cycles=60)


@pytest.mark.slow
def test_pettingzoo_accepts_kaiser():
    api_test(Environment(load("kaiser", players=3)), num_cycles=250)


def test_the_same_seed_gives_the_same_game():
    seed_test(lambda: Environment(load(FOLDER)), num_cycles=20)
    assert played(Environment(load(FOLDER)), 3) == played(Environment(load(FOLDER)), 3)


def test_observations_show_the_position():
    env = Environment(load(FOLDER, players=3))
    env.reset()
    env.step(env.actions.index("take(2)"))
    seen: dict[str, Any] = dict(zip(env.features, env.observe("green").tolist(), strict=True))
    assert seen["heap(_)"] == 10
    assert (seen["taken(red,_)"], seen["took(red)"], seen["took(green)"]) == (2, 1, 0)
    assert seen["decision(green,take)"] == 1
    assert env.agent_selection == "green"
    assert not env.infos["red"]["action_mask"].any()


def test_rewards_at_the_end():
    env = Environment(load(FOLDER))
    played(env, 1)
    env.reset()
    for _ in range(4):
        env.step(env.actions.index("take(3)"))
    assert env.rewards == {"red": -1.0, "green": 1.0}
    assert env.infos["green"]["points"] == 1
    assert env.infos["green"]["winner"]
    assert all(env.terminations.values())


def test_illegal_actions_are_refused_with_a_reason():
    env = Environment(load(FOLDER), render_mode="ansi")
    env.reset()
    for _ in range(3):
        env.step(env.actions.index("take(3)"))
    env.step(env.actions.index("take(1)"))
    with pytest.raises(IllegalMove, match=r"take\.enough"):
        env.step(env.actions.index("take(3)"))
    for wrong in (-1, 99, None):
        with pytest.raises(WrongUsage, match="from 0 to 2"):
            env.step(wrong)
    assert env.render()


def test_games_without_a_list_of_actions_are_refused():
    with pytest.raises(NotDecided, match="no fixed list of actions"):
        Environment(load("staufer"))
