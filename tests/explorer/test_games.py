"""The list of games that can be played."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.places import GAMES, opened_record

from kaiser_logic.explorer.boards import boards
from kaiser_logic.explorer.record_handlers import games, start_game
from kaiser_logic.rules.library import SEARCH_PATH

TINY = Path(__file__).parents[1] / "support" / "tiny"


def test_games_have_all_settings_of_their_start() -> None:
    kaiser = next(game for game in games({})["games"] if game["id"] == "kaiser")
    assert kaiser["players"] == [2, 3, 4]
    assert [name for name, _ in kaiser["editions"]] == ["standard", "nl", "it"]
    assert kaiser["tags"] == [
        {"name": "Emperor", "about": "the first emperor", "values": "seats", "count": 1}
    ]
    ruling = next(r for r in kaiser["rulings"] if r["name"] == "convent_by_choice")
    assert ruling["by"] == {"nl": "yes", "it": "no", "standard": "yes"}


@pytest.mark.parametrize(("name", "_"), GAMES)
def test_players_have_different_colours_and_letters(name: str, _: int) -> None:
    game = opened_record(name)["game"]
    assert len({fill for fill, _ in game["colours"].values()}) == len(game["seats"])
    assert len(set(game["letters"].values())) == len(game["seats"])
    assert [layout["width"] for layout in game["layouts"]] == sorted(
        (layout["width"] for layout in game["layouts"]), reverse=True
    )
    assert all(len(point) == 5 for layout in game["layouts"] for point in layout["places"].values())


def test_a_game_without_pictures_is_shown_as_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SEARCH_PATH, str(TINY))
    answer = start_game({"tags": [["Game", "nim"]]})
    assert answer["game"]["layouts"] == []
    drawn = boards(
        {"tags": answer["tags"], "states": [{"facts": answer["steps"][0]["plus"]}], "layout": "text"}
    )
    assert "heap(" in drawn["pictures"][0]["text"]


def test_a_faulty_rulebook_does_not_hide_the_others(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "game.toml").write_text("id = ", encoding="utf-8")
    monkeypatch.setenv(SEARCH_PATH, str(tmp_path))
    found = {game["id"]: game for game in games({})["games"]}
    assert found["broken"]["problem"]
    assert "problem" not in found["kaiser"]
