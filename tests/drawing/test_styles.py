"""The table of styles."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.heap_game import FOLDER
from support.pictures import PICTURE, SHOWN, at, oxo

from kaiser_logic.drawing import text
from kaiser_logic.drawing.image import problems
from kaiser_logic.drawing.scene import scene
from kaiser_logic.drawing.styles import STYLES, render
from kaiser_logic.errors import WrongUsage
from kaiser_logic.game import load


@pytest.mark.parametrize("style", STYLES)
def test_every_style_draws(style: str) -> None:
    assert "12" in render(load(FOLDER).initial(), style)


def test_text_is_the_default() -> None:
    at = load(FOLDER).initial()
    assert render(at) == render(at, "text") == text.render(at)


def test_unknown_styles_are_refused() -> None:
    with pytest.raises(WrongUsage, match="positions are drawn as text, svg, html, not as 'oil'"):
        render(load(FOLDER).initial(), "oil")


# Mistakes in picture rules are reported, and the games have none.
@pytest.mark.parametrize(("name", "moves"), SHOWN)
def test_picture_rules_of_the_games_are_correct(name: str, moves: int) -> None:
    shown = scene(at(name, moves))
    assert shown is not None
    assert problems(shown) == []


@pytest.mark.parametrize("players", [3, 4, 5])
def test_the_map_of_krone_is_correct(players: int) -> None:
    shown = scene(load("krone", players=players).initial())
    assert shown is not None
    assert problems(shown) == []


WRONG = [
    ("area(wide,more,rect(90,90,30,30)).", "the areas more and f(1,1) overlap in the layout wide"),
    ("area(wide,more,rect(290,400,30,30)).", "the area more sticks out of the layout wide"),
    ("slot(mark,f(1,1),2,out). place(wide,out,200,200).", "the place out lies outside of its area f(1,1)"),
    ("slot(mark,f(1,1),2,lost).", "the place lost lies nowhere in the layout wide"),
    ("piece(other,f(1,1),look(disc,nought,none),1).", "nought disc has no slot: slot(other,f(1,1),1,PLACE)"),
    ("piece(mark,f(1,1),look(dsic,nought,none),1).", "there is no sort of piece dsic"),
    ("look(f(1,1),gruond).", "the ground of f(1,1) is none: gruond"),
    ("sign(f(1,1),corwn).", "there is no sign corwn"),
    ("panel(R,2,chip(bule,x,1)) :- player(R).", "there is no style of chips bule"),
    ("outline(other,dsic).", "the outline of other is no sort of piece or place: dsic"),
]


@pytest.mark.parametrize(
    ("line", "sentence"), WRONG, ids=[line.split("(")[0] + str(i) for i, (line, _) in enumerate(WRONG)]
)
def test_mistakes_are_reported_in_a_sentence(tmp_path: Path, line: str, sentence: str) -> None:
    start = load(oxo(tmp_path, f"{PICTURE}{line}\n")).initial()
    with pytest.raises(WrongUsage) as caught:
        render(start, "svg")
    assert sentence in str(caught.value)
