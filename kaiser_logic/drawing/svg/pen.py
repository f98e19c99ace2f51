"""Writes elements, texts and numbers as SVG; the width of a text; the colours of owners and themes."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

# -- metrics -------------------------------------------------------------------------------------------------
#
# The width of a text, by the advance widths of DejaVu Sans. It is the widest of the fonts that pictures name, so a text in
# another font fits, too.


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
"""The width of a letter that is not in the table: that of the widest."""
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
    """A letter without its accent, which does not change its width."""
    return unicodedata.normalize("NFD", letter)[0]


def fit(text: str, size: float, room: float, bold: bool = False) -> str:
    """The text, cut off with an ellipsis if there is no room for all of it."""
    if width(text, size, bold) <= room:
        return text
    while text and width(text + "…", size, bold) > room:
        text = text[:-1]
    return text.rstrip() + "…"


_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_ESCAPED = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"}


@lru_cache(maxsize=20_000)
def escape(text: str) -> str:
    """A text escaped for XML and HTML, in elements and attributes; characters that XML lacks become U+FFFD."""
    return re.sub("[&<>\"']", lambda m: _ESCAPED[m[0]], _NO_XML.sub("\ufffd", text))


@lru_cache(maxsize=20_000)
def number(value: float) -> str:
    """A number with at most two decimals."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def element(tag: str, *inner: str, **attributes: str | float | None) -> str:
    """An element. In attribute names ``_`` becomes ``-``, ``__`` a colon; None is omitted; ``inner`` is SVG."""
    attributes_text = "".join(
        f' {name.strip("_").replace("__", ":").replace("_", "-")}="{escape(v) if isinstance(v, str) else number(v)}"'
        for name, v in attributes.items()
        if v is not None
    )
    return f"<{tag}{attributes_text}>{''.join(inner)}</{tag}>" if inner else f"<{tag}{attributes_text}/>"


def group(parts: Iterable[str], *, at: tuple[float, float] | None = None, scale: float = 1.0, label: str = "") -> str:
    """A group, shifted and scaled. With a label it is an image for screen readers."""
    moves = [] if at is None else [f"translate({number(at[0])} {number(at[1])})"]
    moves += [] if scale == 1 else [f"scale({number(scale)})"]
    return element(
        "g",
        *parts,
        transform=" ".join(moves) or None,
        role="img" if label else None,
        aria_label=label or None,
    )


def shift(parts: Iterable[str], x: float, y: float) -> list[str]:
    """Parts that are shifted together. They remain separate texts, so that many pictures can share each (`SharedFrames`)."""
    return [f'<g transform="translate({number(x)} {number(y)})">', *parts, "</g>"]


def path(d: str, fill: str = "none", stroke: str | None = None, width: float = 1.6, dash: str | None = None) -> str:
    """A path with round joins."""
    return element(
        "path",
        d=d,
        fill=fill,
        stroke=stroke,
        stroke_width=None if stroke is None else width,
        stroke_linejoin=None if stroke is None else "round",
        stroke_dasharray=dash,
    )


def text(x: float, y: float, words: str, size: float, fill: str, *, bold: bool = False, anchor: str = "start") -> str:
    """A line of text on its baseline."""
    return element(
        "text",
        escape(words),
        x=x,
        y=y,
        font_size=size,
        fill=fill,
        font_weight="bold" if bold else None,
        text_anchor=None if anchor == "start" else anchor,
    )


def box(
    x: float, y: float, w: float, h: float, fill: str, stroke: str | None = None, *,
    width: float = 1.2, corner: float = 4, dash: str | None = None,
) -> str:  # fmt: skip
    """A rectangle with round corners."""
    return element(
        "rect",
        x=x,
        y=y,
        width=w,
        height=h,
        rx=corner,
        fill=fill,
        stroke=stroke,
        stroke_width=None if stroke is None else width,
        stroke_dasharray=dash,
    )


def polygon(corners: Iterable[tuple[float, float]], fill: str, stroke: str | None = None) -> str:
    """A closed outline of straight lines."""
    d = "M" + "L".join(f"{number(x)},{number(y)}" for x, y in corners) + "Z"
    return path(d, fill, stroke, 1.2)


ROOT = {"xmlns": "http://www.w3.org/2000/svg", "font-family": FAMILY}
"""The attributes of the outermost element of each picture."""


OWNERS: Final[Mapping[str, str]] = {
    "blue": "#1d4289", "red": "#c23b2e", "green": "#4cab83", "yellow": "#f4c430", "white": "#ffffff",
    "black": "#222222",
}  # fmt: skip
"""The fills of pieces by their owners. They differ in lightness, so they differ in grey, too."""

_ORDER: Final = ("red", "green", "blue", "yellow", "white", "black")

_COLOURS: Final = """
    page      #ffffff #15171b
    ground    #f3efe4 #1f2228
    cell      #fbf9f2 #2a2e36
    cell2     #ece9f4 #302f40
    ink       #1b1a17 #f4f0e6
    soft      #57524a #bdb7a8
    line      #6b6455 #a79f8c
    faint     #8d8676 #8a8475
    mark      #6a1b9a #e0b3ff
    onmark    #ffffff #15171b
    try       #00665c #4fd9c4
    plain     #f4e3a8 #6b5f35
    mountain  #a59a8d #39363f
    forest    #a9c795 #2b523a
    onplain   #8a6d16 #d8c37a
    onmountain #3d332c #c6beb6
    onforest  #2c5a24 #9fd08f
    card1     #c4dcf5 #2f5379
    card2     #f6c9d6 #7a3a50
    card3     #ffffff #4a4a4a
    card4     #e6dfcf #4b4639
    card5     #f7d9b0 #6b4a20
    card6     #c9ebe4 #1f5a52
    card7     #ddd0ee #4d3a6b
    card8     #d9c4ab #5c4531
    gold      #f4c430 #f4c430
"""

NAMES: Final[tuple[str, ...]] = tuple(line.split()[0] for line in _COLOURS.strip().splitlines())
"""The colours besides the owners'."""

_BY_THEME: Final = {
    theme: {line.split()[0]: line.split()[at] for line in _COLOURS.strip().splitlines()}
    for at, theme in ((1, "light"), (2, "dark"))
}


def luminance(colour: str) -> float:
    """The relative luminance of ``#rrggbb``, from 0 to 1 (WCAG 2)."""
    parts = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """The contrast ratio of two colours, from 1 to 21 (WCAG 2)."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def grey(colour: str) -> str:
    """The grey of the same luminance."""
    linear = luminance(colour)
    value = 12.92 * linear if linear <= 0.0031308 else 1.055 * linear ** (1 / 2.4) - 0.055
    return "#" + f"{round(255 * value):02x}" * 3


@dataclass(frozen=True)
class Palette:
    """The colours of a theme.

    Attributes:
        theme: One of `styles.THEMES`. ``auto`` writes variables, which follow the viewer's preference; the others write colours.
        seats: The players' roles; a role whose name is no colour gets one by its seat.
    """

    theme: str
    seats: tuple[str, ...] = ()

    def __getitem__(self, name: str) -> str:
        """A colour by its name, as it is written into the picture."""
        if self.theme == "auto":
            return f"var(--kl-{name})"
        colour = _BY_THEME["dark" if self.theme == "dark" else "light"][name]
        return grey(colour) if self.theme == "grey" else colour

    def owner(self, role: str) -> tuple[str, str]:
        """The fill of an owner's pieces, and the colour of texts on it."""
        fill = OWNERS.get(role) or OWNERS[_ORDER[self._seat(role) % len(_ORDER)]]
        text = "#ffffff" if contrast("#ffffff", fill) >= 4.5 else "#000000"
        return (grey(fill) if self.theme == "grey" else fill), text

    def _seat(self, role: str) -> int:
        return self.seats.index(role) if role in self.seats else 4


def variables(selector: str, dark: Sequence[str] = ()) -> str:
    """The style sheet of the theme ``auto``: light, or dark if the viewer prefers it.

    Args:
        selector: The selector of the element that has the variables.
        dark: Further selectors, which are always dark.
    """

    def declarations(theme: str) -> str:
        return ";".join(f"--kl-{name}:{colour}" for name, colour in _BY_THEME[theme].items())

    rules = [f"{selector}{{{declarations('light')}}}"]
    rules += [f"@media(prefers-color-scheme:dark){{{selector}{{{declarations('dark')}}}}}"]
    rules += [f"{one}{{{declarations('dark')}}}" for one in dark]
    return "\n".join(rules)
