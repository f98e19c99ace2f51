"""The table of styles."""

import pytest
from support.heap_game import FOLDER
from support.pictures import PICTURE, SHOWN, at, oxo
from support.tables import rows

from kaiser_logic.drawing.image import problems
from kaiser_logic.drawing.scene import scene
from kaiser_logic.drawing.styles import STYLES, render
from kaiser_logic.errors import WrongUsage
from kaiser_logic.game import load


@pytest.mark.parametrize("style", STYLES)
def test_every_style_draws(style):
    assert "12" in render(load(FOLDER).initial(), style)


def test_unknown_styles_are_refused():
    with pytest.raises(WrongUsage, match="positions are drawn as text, svg, html, not as 'oil'"):
        render(load(FOLDER).initial(), "oil")


# Mistakes in picture rules are reported, and the games have none.
@pytest.mark.sample(5)
@pytest.mark.parametrize(("name", "moves"), SHOWN)
def test_picture_rules_of_the_games_are_correct(name, moves):
    shown = scene(at(name, moves))
    assert shown is not None
    assert problems(shown) == []


@pytest.mark.parametrize(("line", "sentence"), rows("drawing/drawing", "mistake"))
def test_mistakes_are_reported_in_a_sentence(tmp_path, line, sentence):
    start = load(oxo(tmp_path, f"{PICTURE}{line}\n")).initial()
    with pytest.raises(WrongUsage) as caught:
        render(start, "svg")
    assert sentence in str(caught.value)
