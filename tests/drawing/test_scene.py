"""Scenes: the content of a picture, from the picture rules of the game."""

from __future__ import annotations

from pathlib import Path

from support.heap_game import FOLDER
from support.pictures import PICTURE, at, oxo

from kaiser_logic.drawing.scene import Item, Look, Pieces, scene, scene_of
from kaiser_logic.engine import symbols
from kaiser_logic.game import load


def test_pieces_panels_and_decisions(tmp_path: Path) -> None:
    position = load(oxo(tmp_path)).initial().apply({"nought": "put(2,2)"})
    shown = scene(position)
    assert shown is not None
    assert shown.pieces == (Pieces("mark", "f(2,2)", Look("disc", "nought", "none"), 1),)
    assert shown.panels["nought"] == (Item("number", "number(star)", ("star", "1"), 1),)
    assert shown.deciding == {"cross": "put"}
    assert shown.words_for(Look("disc", "cross", "none")) == "cross disc"


def test_the_scene_of_a_single_fact() -> None:
    position = at("games/four-players.game", 61)
    shown = scene_of(position.ruleset, [symbols.read_symbol("elector(pfalz,blue,45,couple)")])
    assert shown is not None
    assert shown.pieces == (Pieces("seat", "pfalz", Look("couple", "blue", "45"), 1),)


def test_items_are_ordered(tmp_path: Path) -> None:
    more = PICTURE + "panel(R,(1,2),sign(crown)) :- player(R).\npanel(R,2,chip(calm,R,3)) :- player(R).\n"
    shown = scene(load(oxo(tmp_path, more)).initial())
    assert shown is not None
    assert [item.kind for item in shown.panels["cross"]] == ["number", "sign", "chip"]
    assert shown.panels["cross"][2] == Item("chip", "chip(calm,cross)", ("calm", "cross", "3"), 3)


def test_a_game_without_picture_rules_has_no_scene() -> None:
    assert scene(load(FOLDER).initial()) is None
