"""The styles in which a position can be drawn, with optional marks for the last change."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Final

from ..errors import WrongUsage

if TYPE_CHECKING:
    from ..position import Position

STYLES: Final = {"text": "text", "svg": "image", "html": "page"}
"""Each style with its module of this folder, which has a function ``render`` from a position to a text."""

THEMES: Final = ("light", "dark", "grey", "auto")
"""The themes of pictures; ``auto`` follows the viewer's preference."""


def render(
    position: Position,
    style: str = "text",
    *,
    before: Position | None = None,
    theme: str = "light",
    layout: str | None = None,
) -> str:
    """The position drawn in a style.

    Args:
        position: The position.
        style: One of `STYLES`.
        before: The position before the last move, if the changes are to be marked.
        theme: One of `THEMES`; for pictures only.
        layout: The name of one of the game's layouts, by default the widest; for pictures only.

    Raises:
        WrongUsage: There is no such style or theme.
    """
    if style not in STYLES:
        raise WrongUsage(f"positions are drawn as {', '.join(STYLES)}, not as {style!r}")
    if theme not in THEMES:
        raise WrongUsage(f"pictures have the themes {', '.join(THEMES)}, not {theme!r}")
    module = importlib.import_module(f".{STYLES[style]}", __package__)
    return str(module.render(position, before, theme, layout))
