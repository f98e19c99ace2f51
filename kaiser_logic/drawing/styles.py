"""The styles in which a position can be drawn."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Final

from ..errors import WrongUsage

if TYPE_CHECKING:
    from ..position import Position

STYLES: Final = {"text": "text"}
"""Each style with its module of this folder, which has a function ``render`` from a position to a text."""


def render(position: Position, style: str = "text") -> str:
    """The position drawn in a style; WrongUsage where there is no such style."""
    if style not in STYLES:
        raise WrongUsage(f"positions are drawn as {', '.join(STYLES)}, not as {style!r}")
    module = importlib.import_module(f".{STYLES[style]}", __package__)
    return str(module.render(position))
