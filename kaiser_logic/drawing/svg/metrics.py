"""How wide a text is: the advance widths of DejaVu Sans, the widest of the fonts that pictures name.

Nothing is loaded: whoever has another font has room to spare.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import Final

FAMILY: Final = "DejaVu Sans, Verdana, system-ui, sans-serif"
"""The fonts that a picture names."""

_PLAIN: Final = (
    "32 40 46 84 64 95 78 27 39 39 50 84 32 36 32 34 64 64 64 64 64 64 64 64 64 64 34 34 84 84 84 53 100 68 69 70 77 63"
    " 58 77 75 29 29 66 56 86 75 79 60 79 69 63 61 73 68 99 69 61 69 39 34 39 84 50 50 61 63 55 63 62 35 63 63 28 28 58"
    " 28 97 63 61 63 63 41 52 39 63 59 82 59 59 52 64 34 64 84"
)
_BOLD: Final = (
    "35 46 52 84 70 100 87 31 46 46 52 84 38 42 38 37 70 70 70 70 70 70 70 70 70 70 40 40 84 84 84 58 100 77 76 73 83 68"
    " 68 82 84 37 37 77 64 100 84 85 73 85 77 72 68 81 77 110 77 72 73 46 37 46 84 50 50 67 72 59 72 68 44 72 71 34 34 67"
    " 34 104 71 69 72 72 49 60 48 71 65 92 65 65 58 71 37 71 84"
)
_WIDTHS: Final = {
    weight: {chr(32 + i): int(w) / 100 for i, w in enumerate(text.split())}
    for weight, text in ((False, _PLAIN), (True, _BOLD))
}
_OTHERS: Final = 1.04
"""The width of a letter that is not in the table: as wide as the widest."""
_MORE: Final = {
    "\u00b7": 0.38, "\u2026": 1.0, "\u2013": 0.5, "\u2018": 0.38, "\u2019": 0.38, "\u201c": 0.66, "\u201d": 0.66,
    "\u00d7": 0.84, "\u2192": 0.84,
}  # fmt: skip
"""Dots, dashes, quotes, the sign of multiplication, the arrow."""


@lru_cache(maxsize=20_000)
def width(text: str, size: float, bold: bool = False) -> float:
    """The width of a text in px, never too small; ``size`` is that of the font."""
    table = _WIDTHS[bold]
    return sum(table.get(c) or _MORE.get(c) or table.get(_base(c), _OTHERS) for c in text) * size


def _base(letter: str) -> str:
    """A letter without its accent: as wide as with it."""
    return unicodedata.normalize("NFD", letter)[0]


def fitted(text: str, size: float, room: float, bold: bool = False) -> str:
    """The text, cut off with an ellipsis where there is no room for all of it."""
    if width(text, size, bold) <= room:
        return text
    while text and width(text + "…", size, bold) > room:
        text = text[:-1]
    return text.rstrip() + "…"


def wrapped(text: str, size: float, room: float, bold: bool = False) -> list[str]:
    """The text in lines that fit, broken at blanks."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and width(longer, size, bold) > room:
            lines.append(word)
        else:
            lines[-1] = longer
    return [fitted(line, size, room, bold) for line in lines]
