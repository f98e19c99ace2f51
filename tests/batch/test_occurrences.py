"""How often rules occur, compared with a count by hand of the same games."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from support.heap_game import FOLDER
from support.heap_positions import heap

from kaiser_logic.batch.playing import Occurrence, occurrences
from kaiser_logic.batch.playout import playout
from kaiser_logic.evaluation.evaluator import Evaluator, evaluator_of
from kaiser_logic.game import load


def by_hand(evaluator: Evaluator, games: int, seed: int) -> list[Occurrence]:
    """Occurrences in the heap game: each decision takes and passes on; with fewer than three stones a rule forbids something."""
    counts: Counter[str] = Counter()
    for number in range(games):
        short = 0
        for position, taken in playout(evaluator, seed, number):
            left = next(s.arguments[0].number for s in position.symbols if s.name == "heap")
            counts["take"] += len(taken)
            short += bool(taken) and left < 3
        counts["enough"] += short
        counts["games"] += short > 0
    return [
        Occurrence("take", counts["take"], 0, games),
        Occurrence("take.enough", 0, counts["enough"], counts["games"]),
        Occurrence("pass_on", counts["take"], 0, games),
    ]


@pytest.mark.parametrize("jobs", [1, 2])
def test_occurrences_agree_with_a_count_by_hand(jobs: int) -> None:
    evaluator = heap().evaluator
    progress: list[str] = []
    found = occurrences(evaluator, 11, 5, jobs, progress.append)
    assert found == by_hand(evaluator, 11, 5)
    assert 0 < found[1].games < 11, "some games have the rule and some do not"
    assert progress[-1] == "rules: 11/11"


@pytest.mark.slow
def test_engines_count_the_same() -> None:
    compiled = load("krone", players=2).evaluator
    clingo = evaluator_of(replace(compiled.ruleset.configuration, engine="clingo"))
    found = occurrences(compiled, 1, 3, 1)
    assert found == occurrences(clingo, 1, 3, 1)
    assert {o.rule for o in found} <= set(compiled.ruleset.book.docs)
    assert any(o.forbids for o in found)
    assert any(not o.games for o in found)


def test_counting_leaves_the_rules_unchanged() -> None:
    """The rules in force are the same afterwards."""
    game = load(FOLDER)
    before = [r.text for r in game.ruleset.rules]
    occurrences(game.evaluator, 1, 1, 1)
    assert [r.text for r in game.ruleset.rules] == before
