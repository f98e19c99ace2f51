"""When records are replayed together, and that damaged caches do no harm."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.damaged_records import circuits, same_reports
from support.heap_game import FOLDER, variant
from support.tables import rows

pytest.importorskip("llvmlite")

from kaiser_logic import cache
from kaiser_logic.batch.circuit_files import are_complete
from kaiser_logic.batch.playout import record
from kaiser_logic.batch.vectorised import LegalOutputs, LoadedCircuits
from kaiser_logic.game import Game, load
from kaiser_logic.position import Position
from kaiser_logic.records import batch_filter
from kaiser_logic.records.batch_replay import BatchReplay, build
from kaiser_logic.records.checking import check_many

pytestmark = pytest.mark.slow


@pytest.fixture
def game(tmp_path, monkeypatch):
    """The heap game in a new folder and with an empty cache."""
    monkeypatch.setenv("KAISER_LOGIC_CACHE", str(tmp_path / "cache"))
    cache._stores.clear()
    return load(variant(tmp_path, {}))


@pytest.fixture
def games(game, tmp_path):
    """An archive of 30 random games."""
    found = tmp_path / "games"
    found.mkdir()
    for number in range(30):
        (found / f"{number:02}.game").write_text(str(record(game.evaluator, 1, number)), encoding="utf-8")
    return found


def counted(games: Path, game: Game) -> int:
    """The number of records that circuits find legal, with no minimum of moves."""
    with circuits(True) as found:
        assert all(report.ok for report in check_many(games, game=game.configuration.source))
    return sum(found)


def test_cached_circuits_are_used(game, games):
    assert counted(games, game) == 0
    assert not are_complete(game.ruleset), "no circuits are built for so few moves"
    build(game.evaluator, 1)
    assert are_complete(game.ruleset)
    assert counted(games, game) == 30


def test_circuits_are_not_used_without_a_cache(game, games, monkeypatch):
    build(game.evaluator, 1)
    monkeypatch.setenv("KAISER_LOGIC_CACHE", "off")
    assert counted(games, game) == 0


def test_circuits_of_other_rules_are_not_used(game, games, tmp_path):
    build(game.evaluator, 1)
    (tmp_path / "other").mkdir()
    other = load(variant(tmp_path / "other", {"amount(1..3).": "amount(1..2)."}))
    with circuits(True) as found:
        reports = list(check_many(games, game=other.configuration.source))
    assert not any(found)
    assert any(not report.ok for report in reports)


def test_wrong_circuits_are_noticed(game, games, monkeypatch):
    build(game.evaluator, 1)
    real = BatchReplay.run

    def wrong(its: BatchReplay) -> list[Position | None]:
        return real(its)[::-1]

    monkeypatch.setattr(BatchReplay, "run", wrong)
    with pytest.warns(RuntimeWarning, match="cached circuits disagree with the rules"):
        assert counted(games, game) == 0


def test_unknown_actions_are_found_without_circuits(game, games, monkeypatch):
    """Even if a circuit calls every action legal, those outside the vocabulary are not."""
    build(game.evaluator, 1)
    real = LoadedCircuits.legal_outputs

    def all_legal(loaded: LoadedCircuits, planes: Any, count: int) -> LegalOutputs:
        outputs = real(loaded, planes, count)
        outputs.table[:] = ~np.uint64(0)
        return outputs._replace(known=np.ones(count, np.bool_))

    monkeypatch.setattr(LoadedCircuits, "legal_outputs", all_legal)
    first = (games / "00.game").read_text()
    (games / "00.game").write_text(first.replace("take(", "take(9", 1))
    with circuits(True) as found:
        reports = list(check_many(games, game=game.configuration.source))
    assert found == [29]
    assert [report.ok for report in reports] == [False] + [True] * 29


@pytest.mark.parametrize("rule", rows("records/records", "lists"))
def test_circuits_are_not_used_if_lists_may_differ_from_verdicts(rule, tmp_path, monkeypatch):
    monkeypatch.setenv("KAISER_LOGIC_CACHE", str(tmp_path / "kept"))
    text = (FOLDER / "play.lp").read_text()
    line = next(one for one in text.splitlines() if one.startswith("candidate("))
    game = load(variant(tmp_path, {line: f"{line}\n{rule}"}))
    assert game.ruleset.not_enumerable
    assert not load(FOLDER).ruleset.not_enumerable


def test_several_configurations(game, tmp_path):
    """Each configuration has its own circuits, or none."""
    found = tmp_path / "games"
    found.mkdir()
    source = game.configuration.source
    three, loses = load(source, players=3), load(source, options={"last_stone": "loses"})
    build(game.evaluator, 1)
    build(three.evaluator, 1)
    for number in range(30):
        its = (game, three, loses)[number % 3]
        (found / f"{number:02}.game").write_text(str(record(its.evaluator, 1, number)), encoding="utf-8")
    assert counted(found, game) == 20
    assert same_reports(found, game=source) == 20


def test_no_record_is_lost_by_an_internal_error(game, games, monkeypatch):
    def failing(_: object) -> list[Position | None]:
        raise RuntimeError("ours")

    build(game.evaluator, 1)
    monkeypatch.setattr(batch_filter, "LEAST", 0)
    monkeypatch.setattr(batch_filter, "ends", failing)
    assert all(report.ok for report in check_many(games, game=game.configuration.source))
    monkeypatch.setenv("KAISER_LOGIC_DEBUG", "1")
    with pytest.raises(RuntimeError, match="ours"):
        list(check_many(games, game=game.configuration.source))
