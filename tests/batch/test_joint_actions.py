"""What several roles do at the same time: a batch makes each combination as the engine for single positions does."""

import shutil
from itertools import product
from pathlib import Path

import pytest

pytest.importorskip("llvmlite")

from support.batches import same_games

from kaiser_logic.batch.perft import counts
from kaiser_logic.errors import NotDecided
from kaiser_logic.game import Game, load

pytestmark = pytest.mark.slow

VOTES = Path(__file__).parents[1] / "support" / "votes"
RULES = {
    "a sum": "fluent(pot(1..6)). counted(pot,1). gain(pot,K,R) :- does(R,vote(K)).",
    "equal actions": "add(mark) :- does(red,vote(K)), does(green,vote(K)).",
    "a negation": "add(mark) :- does(red,A), not does(green,A).",
    "a count": "add(mark) :- #count{ K : does(_,vote(K)) } > 1.",
}


BY_CHANCE = """
fluent(decision(chance,vote)). fluent(drawn(1..3)). fluent(chosen(R,1..3)) :- player(R).
init(decision(chance,vote)).
candidate(chance,vote(K)) :- decision(chance,vote), K = 1..3.
weight(vote(1),60).
add(drawn(K)) :- does(chance,vote(K)).
add(chosen(R,K)) :- does(R,vote(K)), player(R).
goal(R,K) :- terminal, chosen(R,K), first(R).
goal(R,K) :- terminal, drawn(K), last(R).
"""
ILLEGAL = {
    "all are illegal": 'violates(R,vote(K),"turn") :- candidate(R,vote(K)).',
    "the first one has none": 'violates(R,vote(K),"turn") :- candidate(R,vote(K)), first(R).',
}


def votes(folder: Path, rules: str, without: str = "") -> Game:
    """The votes with more rules, each on its line, or without one."""
    shutil.copytree(VOTES, folder / "votes")
    file = folder / "votes" / "all.lp"
    text = file.read_text(encoding="utf-8").replace(without, "") + rules.replace(". ", ".\n") + "\n"
    file.write_text(text, encoding="utf-8")
    return load(folder / "votes")


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
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
    assert same_games(votes(tmp_path, BY_CHANCE, "goal(R,1) :- terminal, player(R)."), 300) == 0


def test_many_roles_have_more_combinations_than_64_bits_hold(tmp_path):
    """A batch once counted -2**63 combinations, and a search ended with an internal error."""
    roles = ", ".join(f'"r{n}"' for n in range(21))
    game = votes(tmp_path, "")
    file = tmp_path / "votes" / "game.toml"
    text = file.read_text(encoding="utf-8").replace('["red", "green"]', f"[{roles}]").replace("2", "21")
    file.write_text(text, encoding="utf-8")
    rules = tmp_path / "votes" / "all.lp"
    rules.write_text(rules.read_text(encoding="utf-8").replace("1..3", "1..8"), encoding="utf-8")
    game = load(tmp_path / "votes")
    assert counts(game, 1, engine="batch") == [1, 2**63]
    with pytest.raises(NotDecided, match="too many decisions at the same time"):
        counts(game, 2, engine="batch")


@pytest.mark.parametrize("rules", ILLEGAL.values(), ids=ILLEGAL)
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
