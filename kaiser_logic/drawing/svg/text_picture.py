"""The picture of a game that declares none: its text, letter by letter in a grid, as SVG."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from .palette import Palette
from .pen import element, escaped
from .picture import Group, Picture

_WIDE: Final = 7.3
"""The width of a letter of the fixed width font at its size, in px."""
_HIGH: Final = 17


def text_picture(lines: Sequence[str], theme: str = "light", marks: Sequence[str] = ()) -> Picture:
    """A picture of lines of text; ``marks`` say what changed, in the colour of marks."""
    palette = Palette(theme)
    shown = [*((line, "ink") for line in lines), *((line, "mark") for line in marks)]
    texts = [
        element(
            "text", escaped(line), x=12, y=24 + _HIGH * i, fill=palette[colour], font_size=12,
            font_family="DejaVu Sans Mono, monospace", xml__space="preserve",
        )
        for i, (line, colour) in enumerate(shown)
        if line.strip()
    ]  # fmt: skip
    width = max(360, round(24 + _WIDE * max((len(line) for line, _ in shown), default=0)))
    title = next((line for line in lines if line.strip()), "")
    return Picture(width, 36 + _HIGH * len(shown), title, (Group("text", "", tuple(texts)),))
