"""The command new-game, and the rulebook that it writes."""

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


@pytest.mark.sample(3)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_new_game_is_proved(run: Run, here: Path, players: int) -> None:
    run("new-game", "my_game", "--folder", "games")
    game = kl.load(Path("games/my_game"), players=players)
    assert game.prove(jobs=1).proved
    assert "tokens" in render(game.initial())
    assert rulebook(Path("games/my_game")).title == "My game"
