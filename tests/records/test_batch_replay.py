"""Records replayed together: what is said of them is what the engine for one position says."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from support.damaged_records import archive, same_reports
from support.heap_game import FOLDER

pytest.importorskip("llvmlite")

from kaiser_logic.game import load
from kaiser_logic.records.batch_replay import build

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
SUPPORT = ROOT / "tests" / "support"
TINY = SUPPORT / "tiny"
NONE = SUPPORT / "stalls"
"""Its actions hold structures: it has no circuits."""
SMALL = [*sorted(path.parent for path in TINY.glob("*/game.toml")), SUPPORT / "votes", NONE]


@pytest.fixture(autouse=True)
def _kept(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder of its own for what is kept, the same for all tests of this module."""
    monkeypatch.setenv("KAISER_LOGIC_CACHE", str(tmp_path_factory.getbasetemp() / "kept"))


@pytest.mark.parametrize("source", SMALL, ids=lambda path: path.name)
def test_small_games(source: Path, tmp_path: Path) -> None:
    game = load(source)
    build(game.evaluator, 1)
    right = archive(game, tmp_path / "games", Random(1))
    found = same_reports(tmp_path / "games", game=source)
    assert found >= (0 if source == NONE else right), "those that are right are found so by circuits"


@pytest.mark.parametrize("on_illegal", ["skip", "force"])
def test_whatever_is_done_after_an_illegal_move(on_illegal: str, tmp_path: Path) -> None:
    game = load(TINY / "sealed")
    build(game.evaluator, 1)
    right = archive(game, tmp_path / "games", Random(2))
    assert same_reports(tmp_path / "games", game=TINY / "sealed", on_illegal=on_illegal) >= right


def test_several_processes(tmp_path: Path) -> None:
    game = load(FOLDER, players=3)
    build(game.evaluator, 1)
    right = archive(game, tmp_path / "games", Random(3), each=6)
    assert same_reports(tmp_path / "games", game=FOLDER) >= right
    same_reports(tmp_path / "games", jobs=2, game=FOLDER)


@pytest.mark.long
@pytest.mark.parametrize(("name", "players"), [("kaiser", 4), ("krone", 2)])
def test_whole_games(name: str, players: int, tmp_path: Path) -> None:
    game = load(name, players=players)
    build(game.evaluator, 2)
    right = archive(game, tmp_path / "games", Random(4), each=2)
    assert same_reports(tmp_path / "games") >= right
    same_reports(ROOT / "examples", jobs=2)
