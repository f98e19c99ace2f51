"""The run that compares all ways to evaluate the rules: it finds what differs, and goes on where it was interrupted."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import equality
import pytest
from equality import Setup, compared, main, moments, run, setups

from kaiser_logic.position import Position
from kaiser_logic.simulation.batched import is_installed

TWO = Setup("kaiser", 2)


@pytest.mark.parametrize("setup", [TWO, Setup("krone", 3), Setup("staufer", 2), Setup("vive", 3)], ids=str)
def test_a_small_part(setup: Setup) -> None:
    found = compared(setup, 1, 30, 4, 15, False)
    assert (found.differences, found.told) == (0, [])
    assert found.counts["plain"] == 30
    assert 0 < found.counts["clingo"] <= found.counts["compiled"] < 30


def test_results_are_compared() -> None:
    game = TWO.load()
    over = [m for m in moments(TWO, game, Random(1), 150) if m.over is not None]
    assert over
    assert Position(game.evaluator, frozenset(map(equality.read, over[0].after))).result() is not None


@pytest.mark.skipif(not is_installed(), reason="NumPy and numba")
@pytest.mark.slow
def test_a_part_in_a_batch() -> None:
    found = compared(TWO, 1, 400, 20, 200, True)
    assert (found.differences, found.counts["batch"]) == (0, 400)


def test_what_differs_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A compiled engine that forgets an action, and one that leads elsewhere."""
    legal, apply = Position.legal, Position.apply

    def fewer(self: Position) -> object:
        return {role: actions[1:] for role, actions in legal(self).items()}

    with monkeypatch.context() as wrong:
        wrong.setattr(Position, "legal", fewer)
        found = compared(TWO, 1, 10, 1, 10_000, False)
        assert found.differences == found.counts["compiled"] == 10
        assert all("legal by compiled" in line for line in found.told)
    monkeypatch.setattr(Position, "apply", lambda self, _: self)
    found = compared(TWO, 1, 10, 1, 10_000, False)
    assert found.differences == 10
    assert apply is not Position.apply


def test_all_ways_to_play_are_taken_in_turn() -> None:
    every = setups(["kaiser", "vive"])
    assert {s.game for s in every} == {"kaiser", "vive"}
    assert {s.players for s in every if s.game == "kaiser"} == {2, 3, 4}
    assert len({s.edition for s in every if s.game == "kaiser"}) > 1
    assert any(s.ruling for s in every)
    assert setups(["kaiser"], [2], standard=True) == [TWO]
    cut = list(equality.parts(every, 25, 1))
    assert [setup for _, setup, _, _ in cut][: len(every)] == every[:25]
    assert sum(count for *_, count in cut) == 25


def test_it_goes_on_where_it_was_interrupted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    state, ways = tmp_path / "state", (2, 1000, False)
    whole = [found for _, found in run([TWO], 20, state, 1, ways, 5)]
    lines = state.read_text().splitlines()
    assert len(whole) == len(lines) == 4
    state.write_text("\n".join([*lines[:2], lines[2][:30]]) + "\n")
    again = [found for _, found in run([TWO], 20, state, 1, ways, 5)]
    totals = [sum((Counter(found.counts) for found in part), Counter()) for part in (whole, again)]
    assert totals[0] == totals[1]
    assert len(state.read_text().splitlines()) == 5, "two of four were compared again"
    monkeypatch.setattr(equality, "fingerprint", lambda: "other rules")
    assert sum(found.counts["plain"] for _, found in run([TWO], 5, state, 1, ways, 5)) == 5
    assert len(state.read_text().splitlines()) == 6, "what other rules have come to counts for nothing"


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = [
        "--positions",
        "12",
        "--part",
        "6",
        "--players",
        "2",
        "--no-batch",
        "--compiled",
        "2",
        "--jobs",
        "1",
    ]
    assert main(["kaiser", "--standard", *arguments]) == 0
    out = capsys.readouterr().out
    assert "| kaiser | 2 | 12 | 0 |" in out
    assert "12 positions, 0 differences" in out
