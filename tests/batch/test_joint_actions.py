"""What several roles do at the same time: a batch makes each combination as the engine for single positions does."""

from __future__ import annotations

import shutil
from itertools import product
from pathlib import Path

import pytest

pytest.importorskip("llvmlite")

from kaiser_logic.game import load

pytestmark = pytest.mark.slow

VOTES = Path(__file__).parents[1] / "support" / "votes"
RULES = {
    "a sum": "fluent(pot(1..6)). counted(pot,1). gain(pot,K,R) :- does(R,vote(K)).",
    "equal actions": "add(mark) :- does(red,vote(K)), does(green,vote(K)).",
    "a negation": "add(mark) :- does(red,A), not does(green,A).",
    "a count": "add(mark) :- #count{ K : does(_,vote(K)) } > 1.",
}


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
def test_combinations_of_actions_have_the_effects_that_the_engine_gives_them(
    rules: str, tmp_path: Path
) -> None:
    folder = tmp_path / "votes"
    shutil.copytree(VOTES, folder)
    with (folder / "all.lp").open("a", encoding="utf-8") as file:
        file.write(rules.replace(". ", ".\n") + "\n")
    game = load(folder)
    start = game.initial()
    legal = start.legal()
    joint = [dict(zip(legal, actions, strict=True)) for actions in product(*legal.values())]
    batch = game.batch()
    after = list(batch.apply([start] * len(joint), joint))
    assert after == [start.apply(actions) for actions in joint]
    assert len(set(after)) > 1
    assert not batch.refused
