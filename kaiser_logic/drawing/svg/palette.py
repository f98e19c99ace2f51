"""Colours by name, in themes. Each owner's fill is the same in all; no meaning hangs on colour alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

OWNERS: Final[Mapping[str, str]] = {
    "blue": "#1d4289", "red": "#c23b2e", "green": "#4cab83", "yellow": "#f4c430", "white": "#ffffff",
    "black": "#222222",
}  # fmt: skip
"""The fills of pieces by their owners; their lightnesses differ, so that greys do."""

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

THEMES: Final = ("light", "dark", "grey", "auto")
"""``auto`` writes variables and asks the viewer what is preferred; the others write the colours."""


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
    return f"#{round(255 * value):02x}" + f"{round(255 * value):02x}" * 2


@dataclass(frozen=True)
class Palette:
    """The colours of a theme.

    Attributes:
        theme: One of `THEMES`.
        seats: The players' roles; whoever is called like no colour has one by his seat.
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
        """The fill of an owner's pieces, and the colour that is read on it."""
        fill = OWNERS.get(role) or OWNERS[_ORDER[self._seat(role) % len(_ORDER)]]
        text = "#ffffff" if contrast("#ffffff", fill) >= 4.5 else "#000000"
        return (grey(fill) if self.theme == "grey" else fill), text

    def _seat(self, role: str) -> int:
        return self.seats.index(role) if role in self.seats else 4


def variables(selector: str, dark: Sequence[str] = ()) -> str:
    """The style sheet of the theme ``auto``: light, dark where that is preferred, and the viewer's own colours.

    Args:
        selector: What bears the variables.
        dark: Further selectors that are dark always.
    """

    def declared(theme: str) -> str:
        return ";".join(f"--kl-{name}:{colour}" for name, colour in _BY_THEME[theme].items())

    rules = [f"{selector}{{{declared('light')}}}"]
    rules += [f"@media(prefers-color-scheme:dark){{{selector}{{{declared('dark')}}}}}"]
    rules += [f"{one}{{{declared('dark')}}}" for one in dark]
    return "\n".join(rules)
