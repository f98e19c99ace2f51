"""The comparison of all evaluators: it finds differences, and continues where it was interrupted."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import equality
import pytest
from equality import Setup, compared, main, played, run, setups

from kaiser_logic.batch.optional import is_installed
from kaiser_logic.position import Position

TWO = Setup("kaiser", 2)


@pytest.mark.parametrize("setup", [TWO, Setup("krone", 3), Setup("staufer", 2), Setup("vive", 3)], ids=str)
def test_evaluators_agree_on_a_small_part(setup: Setup) -> None:
    found = compared(setup, 1, 30, 4, 15, False)
    assert (found.differences, found.shown) == (0, [])
    assert found.counts["plain"] == 30
    assert 0 < found.counts["clingo"] <= found.counts["compiled"] < 30


def test_a_wrong_result_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    course = played(TWO, TWO.load(), 1, 150)
    assert course.over
    assert all(over is not None for over in course.over.values())
    assert compared(TWO, 1, 150, 10_000, 10_000, False).differences == 0
    result = Position.result
    monkeypatch.setattr(Position, "result", lambda self: None)
    found = compared(TWO, 1, 150, 10_000, 10_000, False)
    assert found.differences == found.counts["ends"] == len(course.over)
    assert "the result by compiled: None" in found.shown[0]
    assert result is not Position.result


@pytest.mark.skipif(not is_installed(), reason="NumPy and llvmlite")
@pytest.mark.long
def test_a_batch_agrees_and_its_faults_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The true circuits agree. Circuits that forget an action or a fact are found."""
    from kaiser_logic.batch.batch import Batch

    found = compared(TWO, 1, 400, 20, 200, True)
    assert (found.differences, found.counts["batch"]) == (0, 400)
    numbers, apply = Batch.legal_numbers, Batch.apply

    def forgetful(self: Batch, positions: Any) -> Any:
        offsets, found = numbers(self, positions)
        return offsets, [*found[:-1], found[-2]] if len(positions) == 400 else found

    def misleading(self: Batch, positions: Any, moves: Any) -> Any:
        after = apply(self, positions, moves)
        word = after.state[7].nonzero()[0][-1]
        after.state[7, word] &= after.state[7, word] - 1
        after.numbers[9, 0] += 1
        return after

    with monkeypatch.context() as wrong:
        wrong.setattr(Batch, "legal_numbers", forgetful)
        assert compared(TWO, 1, 400, 10_000, 10_000, True).differences == 1
    monkeypatch.setattr(Batch, "apply", misleading)
    assert compared(TWO, 1, 400, 10_000, 10_000, True).differences == 2


def test_faults_of_compiled_rules_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """One compiled engine forgets an action; another one leads to a wrong position."""
    legal, apply = Position.legal, Position.apply

    def fewer(self: Position) -> object:
        return {role: actions[1:] for role, actions in legal(self).items()}

    with monkeypatch.context() as wrong:
        wrong.setattr(Position, "legal", fewer)
        found = compared(TWO, 1, 10, 1, 10_000, False)
        assert found.differences == found.counts["compiled"] == 10
        assert all("legal by compiled" in line for line in found.shown)
    monkeypatch.setattr(Position, "apply", lambda self, _: self)
    found = compared(TWO, 1, 10, 1, 10_000, False)
    assert found.differences == 10
    assert apply is not Position.apply


def test_all_configurations_take_turns() -> None:
    every = setups(["kaiser", "vive"])
    assert {s.game for s in every} == {"kaiser", "vive"}
    assert {s.players for s in every if s.game == "kaiser"} == {2, 3, 4}
    assert len({s.edition for s in every if s.game == "kaiser"}) > 1
    assert any(s.ruling for s in every)
    assert setups(["kaiser"], [2], "standard") == [TWO]
    editions, rulings = setups(["kaiser"], [2], "editions"), setups(["kaiser"], [2], "rulings")
    assert TWO in editions
    assert sorted([*editions, *rulings]) == sorted(setups(["kaiser"], [2]))
    cut = list(equality.parts(every, 25, 1))
    assert [setup for _, setup, _, _ in cut][: len(every)] == every[:25]
    assert sum(count for *_, count in cut) == 25


def test_each_game_gets_its_number_of_positions() -> None:
    three = Setup("kaiser", 3)
    cut = list(equality.parts([TWO, three, Setup("vive", 3)], {"kaiser": 1000, "vive": 7, "krone": 5}, 10))
    assert len({name for name, *_ in cut}) == len(cut)
    counts: Counter[Setup] = Counter()
    for _, setup, _, count in cut:
        counts[setup] += count
    assert counts == {TWO: 600, three: 400, Setup("vive", 3): 7}
    assert [setup for _, setup, _, _ in cut][:41] == [TWO] * 20 + [three] * 20 + [TWO]


def test_an_interrupted_run_continues(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    state, ways = tmp_path / "state", (2, 1000, False)
    whole = [found for _, found in run([TWO], 20, state, 1, ways, 5)]
    lines = state.read_text().splitlines()
    assert len(whole) == len(lines) == 4
    state.write_text("\n".join([*lines[:2], lines[2][:30]]) + "\n")
    again = [found for _, found in run([TWO], 20, state, 1, ways, 5)]
    totals = [sum((Counter(found.counts) for found in part), Counter()) for part in (whole, again)]
    assert totals[0] == totals[1]
    assert len(state.read_text().splitlines()) == 5, "two of four parts are compared again"
    for more, what in enumerate(["fingerprint", "comparing_code"], 6):
        monkeypatch.setattr(equality, what, lambda: "another version")
        assert sum(found.counts["plain"] for _, found in run([TWO], 5, state, 1, ways, 5)) == 5
        assert len(state.read_text().splitlines()) == more, "results of other versions do not count"


def test_the_command_prints_a_table(capsys: pytest.CaptureFixture[str]) -> None:
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
    assert main(["--positions", "kaiser=6", "--standard", *arguments[2:]]) == 0
    assert "6 positions, 0 differences" in capsys.readouterr().out
