"""Pictures of games without picture rules."""

from __future__ import annotations

from support.heap_game import FOLDER
from support.pictures import parsed, texts

from kaiser_logic.drawing.image import picture_and_changes, render
from kaiser_logic.drawing.svg.picture import text_picture
from kaiser_logic.game import load


def test_lines_of_text() -> None:
    assert texts(parsed(text_picture(["one  <two>", "", "three"]).svg())) == ["one  <two>", "three"]


def test_a_game_without_picture_rules_is_drawn_as_text() -> None:
    start = load(FOLDER).initial()
    assert "heap(12)" in texts(parsed(render(start)))
    _, changes = picture_and_changes(start.apply({"red": "take(3)"}), start)
    assert "+ heap(9)" in changes
