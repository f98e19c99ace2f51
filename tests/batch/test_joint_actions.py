"""What several roles do at the same time: a batch makes each combination as the engine for single positions does."""

from itertools import product
from pathlib import Path

import pytest

pytest.importorskip("llvmlite")

from collections.abc import Mapping
from types import MappingProxyType

from support import SUPPORT
from support.batches import same_games
from support.heap_game import variant
from support.tables import rows

from kaiser_logic.batch.perft import counts
from kaiser_logic.errors import NotDecided
from kaiser_logic.game import Game, load

pytestmark = pytest.mark.slow


BY_CHANCE = Path(__file__).with_name("by_chance.lp").read_text(encoding="utf-8")


def votes(folder: Path, rules: str, changes: Mapping[str, str] = MappingProxyType({})) -> Game:
    """The votes with more rules, each on its line, and other lines."""
    return load(variant(folder, changes, SUPPORT / "votes", rules.replace(". ", ".\n")))


@pytest.mark.parametrize("rules", rows("batch/joint", "same"))
def test_combinations_of_actions_have_the_effects_that_the_engine_gives_them(rules, tmp_path):
    game = votes(tmp_path, rules)
    start = game.initial()
    legal = start.legal()
    joint = [dict(zip(legal, actions, strict=True)) for actions in product(*legal.values())]
    batch = game.batch()
    after = list(batch.apply([start] * len(joint), joint))
    assert after == [start.apply(actions) for actions in joint]
    assert len(set(after)) > 1
    assert not batch.refused


def test_chance_follows_the_weights_although_others_decide_at_the_same_time(tmp_path):
    """Circuits once gave each action of chance the same probability there. The players' actions have no weights."""
    assert same_games(votes(tmp_path, BY_CHANCE, {"goal(R,1) :- terminal, player(R).": ""}), 300) == 0


def test_many_roles_have_more_combinations_than_64_bits_hold(tmp_path):
    """A batch once counted -2**63 combinations, and a search ended with an internal error."""
    roles = ", ".join(f'"r{n}"' for n in range(21))
    game = votes(tmp_path, "", {'["red", "green"]': f"[{roles}]", "players = [2]": "players = [21]",
                                "default_players = 2": "default_players = 21", "1..3": "1..8"})  # fmt: skip
    assert counts(game, 1, engine="batch") == [1, 2**63]
    with pytest.raises(NotDecided, match="too many decisions at the same time"):
        counts(game, 2, engine="batch")


@pytest.mark.parametrize("rules", rows("batch/joint", "stuck"))
def test_a_game_in_which_somebody_is_stuck_ends(rules, tmp_path):
    """Circuits without any legal action were once taken for those of a step, which changed nothing again and again."""
    game = votes(tmp_path, rules)
    start = game.initial()
    batch = game.batch()
    assert batch.legal([start, start]) == [start.legal()] * 2
    with pytest.raises(NotDecided, match="has to decide and has no legal action"):
        batch.play(20, 1)
    (judgement,) = batch.judge([start], [{"red": "vote(1)", "green": "vote(1)"}])
    assert judgement.violations
