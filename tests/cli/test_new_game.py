"""The command new-game, and the rulebook that it writes."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.commands import Run

import kaiser_logic as kl
from kaiser_logic.drawing.styles import render
from kaiser_logic.rules.loader import rulebook


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty current folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_new_game_is_clean_and_can_be_played(run: Run, here: Path) -> None:
    assert run("new-game", "my_game").out == "my_game/\n"
    assert run("lint", "my_game").code == 0
    played = run("play", "my_game", "--random", "--seed", "1", "--players", "4")
    assert played.code == 0 and '[Game "my_game"]' in played.out
    Path("x.game").write_text(played.out)
    assert run("check", "--game", "my_game", "x.game").code == 0
    assert run("show", "--game", "my_game", "x.game@1").out.startswith("6 tokens in the pile")


@pytest.mark.sample(3)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_new_game_is_proved(run: Run, here: Path, players: int) -> None:
    run("new-game", "my_game", "--folder", "games")
    game = kl.load(Path("games/my_game"), players=players)
    assert game.prove(jobs=1).proved
    assert "tokens" in render(game.initial())
    assert rulebook(Path("games/my_game")).title == "My game"


@pytest.mark.parametrize("name", ["My-Game", "engine", "skeleton", "../x", "kaiser", "", "9"])
def test_invalid_names_are_refused(run: Run, here: Path, name: str) -> None:
    outcome = run("new-game", name)
    assert outcome.code == 2 and not list(here.iterdir())


def test_files_are_not_overwritten(run: Run, here: Path) -> None:
    assert run("new-game", "my_game").code == 0
    Path("my_game/play.lp").write_text("% Mine.\n")
    outcome = run("new-game", "my_game")
    assert outcome.code == 2 and "my_game" in outcome.err
    assert Path("my_game/play.lp").read_text() == "% Mine.\n"
