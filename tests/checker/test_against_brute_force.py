"""The checker, the prover and brute force beside one another, over tiny games and their mutants."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest
from support import NAMES, TINY
from support.checking import settings_of
from support.judge import Judge, stratified
from support.mutants import mutant

from kaiser_logic.checker import program
from kaiser_logic.checker import verify as verifying
from kaiser_logic.checker.verify import CheckReport, verify
from kaiser_logic.errors import FaultyRulebook
from kaiser_logic.evaluation.evaluator import Evaluator
from kaiser_logic.game import Game, load
from kaiser_logic.rules.library import asp_folder
from kaiser_logic.solving.rounds import Rounds

pytest.importorskip("pysat")

ENGINE = asp_folder() / "engine"
SELDOM = (pytest.mark.slow, pytest.mark.by_hand)


def checked(folder: Path) -> CheckReport:
    """The checker's report on a rulebook with its default settings."""
    return verify(folder, ENGINE, settings_of(folder))


@pytest.mark.sample(4)
@pytest.mark.parametrize("name", NAMES)
def test_all_claims_of_the_tiny_games_are_checked(name):
    report = checked(TINY / name)
    assert report.uncovered == ""
    assert [(v.claim, v.why) for v in report.verdicts if not v.checked] == []
    rounds = Rounds(load(TINY / name).ruleset)
    rounds.run()
    assert {v.claim for v in report.verdicts} == set(rounds.claims)


SOME = NAMES[:3]
SEEDS = [(0, SOME), *(pytest.param(n, NAMES, marks=SELDOM if n > 2 else pytest.mark.slow) for n in range(21))]
CHOICES = [{"LARGE": 0, "MANY": 0}, {"SUMS": 0, "MANY": 0}, {"LARGE": 0, "MANY": 8}]
LIMITS = [(CHOICES[0], SOME), *(pytest.param(x, NAMES, marks=pytest.mark.slow) for x in CHOICES)]


@pytest.mark.parametrize(("seed", "names"), SEEDS)
def test_no_false_claim_about_mutants_is_checked(seed, names, tmp_path):
    seen, wrong = compare(seed, tmp_path, names)
    assert not wrong
    assert seen["mutants"] >= len(names) // 2
    assert seen["checked, kept"] >= len(names)


@pytest.mark.parametrize(("limits", "names"), LIMITS)
def test_divided_transitions_and_weaker_rules_show_no_false_claim(limits, names, tmp_path, monkeypatch):
    """All declarations of actions are divided, and the rules of all predicates, of larger ones, or of sums become choices."""
    monkeypatch.setattr(program, "MANY", 1)
    for name, limit in limits.items():
        monkeypatch.setattr(verifying, name, limit)
    seen, wrong = compare(1, tmp_path, names)
    assert not wrong
    assert any(how.startswith("checked") for how in seen)


def compare(seed: int, place: Path, names: Sequence[str]) -> tuple[Counter[str], list[object]]:
    """Counts the verdicts on mutants, and the wrong ones."""
    seen, wrong = Counter[str](), list[object]()
    for name in names:
        text = mutant(name, seed, place / name)
        try:
            game = load(place / name)
            if not stratified(game):
                continue
            Judge(game)  # it is known to brute force
        except (FaultyRulebook, RuntimeError):
            continue
        seen["mutants"] += 1
        report = checked(place / name)
        if report.uncovered:
            continue
        alone = Judge(Game(Evaluator(game.ruleset.dropping(report.dropped))), exclusive=True)
        # of a start outside the vocabulary the engine says only that; the checker counts all of its facts
        strange = any(v.claim == "vocabulary" and v.example and v.example.label == "start" for v in report.verdicts)
        for verdict in report.verdicts:
            if strange and verdict.example and verdict.example.label == "start":
                continue
            how = "checked" if verdict.checked else "broken" if verdict.example else "open"
            if alone.knows(verdict.claim):
                truth = alone.verdict(verdict.claim)
                seen[f"{how}, {truth}"] += 1
                if (how, truth) in (("checked", "broken"), ("broken", "kept")):
                    wrong.append((name, verdict, text.done))
    return seen, wrong
