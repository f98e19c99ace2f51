"""The table of styles."""

from __future__ import annotations

import pytest
from support.heap_game import FOLDER

from kaiser_logic.drawing import text
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
