"""The whole miner: its invariants are true, reproducible, and include those that the game lacks."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.heap_game import SCORED, variant
from support.mined import game, positions

from kaiser_logic.errors import NotDecided
from kaiser_logic.evaluation.evaluator import Evaluator
from kaiser_logic.game import Game, load
from kaiser_logic.linting.lint import lint
from kaiser_logic.mining import miner
from kaiser_logic.mining.candidates import Facts
from kaiser_logic.mining.miner import Miner, paste_invariants
from kaiser_logic.mining.writing import InvariantReport
from kaiser_logic.rules.loader import parse_rules


def bodies(report: InvariantReport) -> set[str]:
    """The bodies of the rules of the proposed invariants."""
    return {rule.partition(" :- ")[2].rstrip(".") for i in report.invariants for rule in i.rules}


def broken(made: Game, report: InvariantReport, facts: list[Facts]) -> set[str]:
    """The proposed invariants that positions break, evaluated from the printed lines."""
    evaluator = Evaluator(made.ruleset.with_rules((*made.book.rules, *parse_rules(report.lines))))
    found = {i for position in facts for i, _ in evaluator.broken_invariants(position, waive=False)}
    return found & {i.id for i in report.invariants}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["nim", "bank", "urn"])
def test_proposed_invariants_are_true(name: str) -> None:
    """By brute force over all reachable positions."""
    report = Miner(game(name).evaluator).run(jobs=1)
    assert report.invariants
    assert broken(game(name), report, list(positions(name))) == set()
    assert report.candidates > report.unbroken > report.new >= report.inductive >= len(report.invariants)


@pytest.mark.slow
def test_a_missing_invariant_is_found() -> None:
    report = Miner(game("nim").evaluator).run(jobs=1)
    assert "took(X), not taken(X,_)" in bodies(report)
    assert report.given[0] == "They hold at the start and ever after."
    assert "2 players, edition standard" in report.given[1]


@pytest.mark.slow
def test_invariants_do_not_depend_on_the_number_of_processes() -> None:
    runs = [game("nim").invariants(games=8, seed=3, jobs=jobs) for jobs in (1, 2)]
    assert runs[0] == runs[1]


@pytest.mark.slow
def test_accepted_invariants_are_not_proposed_again(tmp_path: Path) -> None:
    folder = variant(tmp_path, {})
    made = load(folder)
    first = made.invariants(jobs=1)
    assert first.invariants
    last = folder / "invariants.lp"
    last.write_text(paste_invariants(last.read_text(encoding="utf-8"), first.invariants), encoding="utf-8")
    assert lint(folder) == ()
    second = load(folder.rename(tmp_path / "second"))
    assert set(second.book.docs) >= {i.id for i in first.invariants}
    assert second.invariants(jobs=1).invariants == ()


@pytest.mark.slow
def test_unlimited_points_are_left_out(tmp_path: Path) -> None:
    three = {"init(phase(play)).": "init(phase(play)).\nscore(R,1,three) :- does(R,take(3))."}
    report = load(variant(tmp_path, {**SCORED, **three})).invariants(jobs=1)
    assert report.invariants
    assert not any("points" in body for body in bodies(report))


@pytest.mark.slow
def test_false_invariants_of_the_game_decide_nothing(tmp_path: Path) -> None:
    wrong = {
        "broken(heap_stated,x)  :- not heap(_).": "broken(heap_stated,x)  :- not heap(_).\n"
        "%! invariant never_five -- The heap never has five.\nbroken(never_five,x) :- heap(5)."
    }
    with pytest.raises(NotDecided, match="never_five"):
        load(variant(tmp_path, wrong)).invariants(jobs=1)


@pytest.mark.slow
def test_the_last_check_catches_faults_of_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """Even if every unbroken candidate is taken for inductive, only true ones are printed."""
    monkeypatch.setattr(miner.InductiveSet, "largest", lambda _, names: set(names))
    report = game("nim").invariants(games=2, jobs=1)
    assert broken(game("nim"), report, list(positions("nim"))) == set()


def test_timeout_decides_nothing() -> None:
    with pytest.raises(NotDecided, match="too short"):
        game("nim").invariants(timeout=0.001)


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "players", "wanted"),
    [
        (
            "kaiser",
            3,
            {
                *("phase(over), not round(5)", "influenced(_), not held(_,church_influence,_)"),
                *("excluded(_), not held(_,rival,_)", "phase(electors), player(X), not finished(X)"),
            },
        ),
        ("krone", 2, {"drawing, ap(3)", "revolt, ap(3)", "attacked, ap(3)"}),
    ],
)
def test_invariants_of_large_games(name: str, players: int, wanted: set[str]) -> None:
    """The miner has proved them, and no position of new random games breaks them."""
    made = load(name, players=players)
    report = made.invariants(timeout=3_000)
    assert wanted <= bodies(report)
    assert broken(made, report, list(miner.positions([made.evaluator], 10, 4711))) == set()
