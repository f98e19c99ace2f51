"""Records replayed together have the same reports as records replayed one by one."""

from random import Random

import pytest
from support import ROOT, SUPPORT, TINY
from support.damaged_records import archive, same_reports
from support.heap_game import FOLDER

pytest.importorskip("llvmlite")

from kaiser_logic.game import load
from kaiser_logic.records.batch_replay import build

pytestmark = pytest.mark.slow

WITHOUT_CIRCUITS = SUPPORT / "stalls"
"""A game without circuits, because its actions contain structures."""
SMALL = [*sorted(path.parent for path in TINY.glob("*/game.toml")), SUPPORT / "votes", WITHOUT_CIRCUITS]


@pytest.fixture(autouse=True)
def _cache(tmp_path_factory, monkeypatch):
    """A cache that all tests of this module share."""
    monkeypatch.setenv("KAISER_LOGIC_CACHE", str(tmp_path_factory.getbasetemp() / "cache"))


@pytest.mark.parametrize("source", SMALL, ids=lambda path: path.name)
def test_reports_on_small_games_agree(source, tmp_path):
    game = load(source)
    build(game.evaluator, 1)
    right = archive(game, tmp_path / "games", Random(1))
    found = same_reports(tmp_path / "games", game=source)
    assert found >= (0 if source == WITHOUT_CIRCUITS else right), "circuits find all legal records"


@pytest.mark.parametrize("on_illegal", ["skip", "force"])
def test_reports_agree_after_illegal_moves(on_illegal, tmp_path):
    game = load(TINY / "sealed")
    build(game.evaluator, 1)
    right = archive(game, tmp_path / "games", Random(2))
    assert same_reports(tmp_path / "games", game=TINY / "sealed", on_illegal=on_illegal) >= right


def test_reports_of_several_processes_agree(tmp_path):
    game = load(FOLDER, players=3)
    build(game.evaluator, 1)
    right = archive(game, tmp_path / "games", Random(3), each=6)
    assert same_reports(tmp_path / "games", game=FOLDER) >= right
    same_reports(tmp_path / "games", jobs=2, game=FOLDER)


@pytest.mark.long
@pytest.mark.parametrize(("name", "players"), [("kaiser", 4), ("krone", 2)])
def test_reports_on_whole_games_agree(name, players, tmp_path):
    game = load(name, players=players)
    build(game.evaluator, 2)
    right = archive(game, tmp_path / "games", Random(4), each=2)
    assert same_reports(tmp_path / "games") >= right
    same_reports(ROOT / "examples", jobs=2)
