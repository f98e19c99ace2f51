"""The outlines of pieces and of their places; small signs, such as a crown or a coin."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Final

from .pen import Palette, element, group, path, text

# -- sorts ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Sort:
    """One sort of piece.

    Attributes:
        path: Its outline.
        glyphs: The figures on it, in the colour of its text.
        baseline: The baseline of its text.
        half: Half its width and half its height.
        detail: The lines on it, in the colour of its text.
        hood: Whether it has a hood: a dashed arch above it.
        centre: The horizontal centre of its text.
        crowned: Whether a crown floats above it.
        wide: Whether its label consists of words. Then the owner's letter is left out: the place shows the owner.
        narrow: Whether its number is written beside it, not on it.
    """

    path: str
    glyphs: tuple[str, ...] = ()
    baseline: float = 16
    half: tuple[float, float] = (20, 21)
    detail: str = ""
    hood: bool = False
    centre: float = 0
    crowned: bool = False
    wide: bool = False
    narrow: bool = False

    def widen(self, by: float) -> Sort:
        """The sort with its outline stretched horizontally by a factor."""
        if by == 1:
            return self

        def scale(match: re.Match[str]) -> str:
            numbers = [float(n) for n in _NUMBER.findall(match[2])]
            # All numbers of H are horizontal, none of V, and every second one of the other strokes.
            across = [match[1] == "H" or (match[1] != "V" and k % 2 == 0) for k in range(len(numbers))]
            parts = (f"{n * by if wide else n:g}" for n, wide in zip(numbers, across, strict=True))
            return match[1] + ",".join(parts)

        return replace(self, path=_STROKE.sub(scale, self.path), half=(self.half[0] * by, self.half[1]))


_STROKE: Final = re.compile("([MLHVQ])([^A-Za-z]*)")
_NUMBER: Final = re.compile(r"-?[\d.]+")


def _head(x: float, y: float, r: float) -> str:
    return f"M{x - r},{y}a{r},{r} 0 1 0 {2 * r},0a{r},{r} 0 1 0 {-2 * r},0Z"


def _bust(x: float, y: float) -> str:
    return f"{_head(x, y - 6.5, 4.2)}M{x - 7},{y + 6}Q{x - 7},{y - 2} {x},{y - 2}Q{x + 7},{y - 2} {x + 7},{y + 6}Z"


_ARCH: Final = "M-20,21V-6Q-20,-21 0,-21Q20,-21 20,-6V21Z"
_TWO_ARCHES: Final = "M-22,21V-8Q-22,-21 -11,-21Q-1,-21 0,-11Q1,-21 11,-21Q22,-21 22,-8V21Z"

SORTS: Final[dict[str, Sort]] = {
    "baron": Sort(_ARCH, (_bust(0, -6),), 17),
    "couple": Sort(_TWO_ARCHES, (_bust(-10.5, -6), _bust(10.5, -6)), 17, (22, 21)),
    "hooded": Sort(_ARCH, (_bust(0, -6),), 17, (23, 25), hood=True),
    "knight": Sort(
        "M-17,-10Q-16,-20 -4,-21Q8,-20 9,-10L10,2L6,21H-14L-18,2ZM14,21V-23L24,-18.5L16.5,-14V21Z",
        ("M-14,-8H-7V-4.5H-14ZM-1,-8H6V-4.5H-1Z",), 16, (21, 22), centre=-4,
    ),
    "city": Sort("M-20,20V-4L-11,-15L-3,-6V-14H5V-6L12,-13L20,-4V20Z", baseline=15.5),
    "shield": Sort("M-16,-18H16V2Q16,14 0,21Q-16,14 -16,2Z", baseline=7, half=(16, 20)),
    "crowned": Sort("M-16,-14H16V4Q16,15 0,21Q-16,15 -16,4Z", baseline=9, half=(16, 30), crowned=True),
    "castle": Sort("M-19,20V-14H-12V-7H-5V-18H5V-7H12V-14H19V20Z", baseline=15, half=(19, 20)),
    "large_city": Sort("M-21,20V-2L-14,-12L-7,-3V-17L0,-23L7,-17V-3L14,-12L21,-2V20Z", baseline=15, half=(21, 22)),
    "cathedral": Sort(
        "M-16,20V2L-8,-6L-5,-8V-12L0,-22L5,-12V-8L8,-6L16,2V20Z", baseline=15, half=(16, 25), detail="M0,-28V-21M-3,-25.5H3",
    ),
    "disc": Sort(_head(0, 0, 17), baseline=6, half=(17, 17)),
    "envoy": Sort(
        "M-15,20V7Q-15,0 -6,-2Q-10,-6 -9,-11A9,9 0 0 1 9,-11Q10,-6 6,-2Q15,0 15,7V20Z",
        baseline=17, half=(15, 20), narrow=True,
    ),
    "noble": Sort(
        "M-15,20V7Q-15,0 -6,-2Q-11,-5 -11,-9L-14,-22L-7,-16L0,-24L7,-16L14,-22L11,-9Q11,-5 6,-2Q15,0 15,7V20Z",
        baseline=17, half=(15, 22), narrow=True,
    ),
    "king": Sort("M-17,18L-21,-12L-10,-3L0,-19L10,-3L21,-12L17,18Z", baseline=13, half=(21, 19)),
    "chest": Sort("M-17,15V-5Q-17,-14 -8,-14H8Q17,-14 17,-5V15Z", baseline=10, half=(17, 15), detail="M-17,-4H17", narrow=True),
    "card": Sort("M-15,-20H15Q18,-20 18,-17V17Q18,20 15,20H-15Q-18,20 -18,17V-17Q-18,-20 -15,-20Z", half=(18, 20)),
    "arms": Sort("M-22,-17H22V4Q22,16 0,22Q-22,16 -22,4Z", baseline=6, half=(22, 20), wide=True),
    "favoured": Sort("M-22,-17H22V4Q22,16 0,22Q-22,16 -22,4Z", baseline=7, half=(22, 26), wide=True, crowned=True),
    "land": Sort("M-22,20V-5L-12,-14L-3,-6L10,-18L22,-5V20Z", baseline=14, half=(22, 20), wide=True),
    "guard": Sort("M-22,-7L-12,-11L-8,-21H8L12,-11L22,-7V20H-22Z", baseline=14, half=(22, 21), wide=True),
    "courtier": Sort("M-21,21V-4Q-21,-21 0,-21Q21,-21 21,-4V21Z", baseline=15, half=(22, 21), wide=True),
    "office": Sort("M-34,-13H34L40,0L34,13H-34L-40,0Z", baseline=5, half=(39, 13), wide=True),
    "plate": Sort("M-19,-13H19Q22,-13 22,-10V10Q22,13 19,13H-19Q-22,13 -22,10V-10Q-22,-13 -19,-13Z",
                  baseline=5, half=(22, 13)),
}  # fmt: skip
"""The sorts of pieces by their names."""

FRAMES: Final[dict[str, str]] = {
    "niche": "M-27,32V-26L-13,-28Q-4,-30 0,-38Q4,-30 13,-28L27,-26V32Z",
    "battlement": "M-25,26V-26H-16V-20H-5V-26H5V-20H16V-26H25V26Z",
    "throne": "M-50,52V14H-40V52ZM50,52V14H40V52ZM-40,52V-44Q-40,-76 0,-76Q40,-76 40,-44V52Z",
    "seat": "M-27,23V-19Q-27,-24 -22,-24H22Q27,-24 27,-19V23Q27,27 22,27H-22Q-27,27 -27,23Z",
    "noble_seat": "M-27,27V-18L-18,-26L-9,-18L0,-26L9,-18L18,-26L27,-18V27Z",
}
"""The frames of places, which are drawn even if the place is occupied."""

CROWNED: Final = frozenset({"throne"})
"""The frames with a crown at their top."""


# -- signs ---------------------------------------------------------------------------------------------------


_FILLED: Final = {
    "cross": "M-3,-11H3V-6H8V0H3V11H-3V0H-8V-6H-3Z",
    "shield": "M-9,-10H9V1Q9,8 0,12Q-9,8 -9,1Z",
    "star": "M0,-10L2.9,-3.4L10,-2.7L4.7,2L6.2,9L0,5.4L-6.2,9L-4.7,2L-10,-2.7L-2.9,-3.4Z",
    "decide": "M-6,-9L9,0L-6,9Z",
    "finished": "M-9,1L-6,-2L-2.5,2.5L6.5,-8.5L9.5,-6L-2.5,8.5Z",
    "dot": "M-5,0a5,5 0 1 0 10,0a5,5 0 1 0 -10,0Z",
    "diamond": "M0,-6.5L6.5,0L0,6.5L-6.5,0Z",
    "drop": "M0,-7Q6,1 4,4.5Q0,9 -4,4.5Q-6,1 0,-7Z",
    "triangle": "M0,-6.5L6.5,5.5H-6.5Z",
    "flag": "M-6,10V-10H9L5,-5L9,0H-3.5V10Z",
    "eye": "M-10,0Q0,-9 10,0Q0,9 -10,0ZM-3,0a3,3 0 1 0 6,0a3,3 0 1 0 -6,0Z",
    "plain": "M-8.8,9V-3L-11.4,-7L-9.4,-8L-8,-5.6L-6.6,-8L-4.6,-7L-7.2,-3V9Z"
    "M-0.8,9V-4L-3.4,-8L-1.4,-9L0,-6.6L1.4,-9L3.4,-8L0.8,-4V9Z"
    "M7.2,9V-3L4.6,-7L6.6,-8L8,-5.6L9.4,-8L11.4,-7L8.8,-3V9Z",
    "mountain": "M-14,9L-5,-9L0.5,1.5L5,-5L14,9Z",
    "forest": "M-7,-10L-1.5,-1H-4L-1,5.5H-6V9H-8V5.5H-13L-10,-1H-12.5ZM7,-10L12.5,-1H10L13,5.5H8V9H6V5.5H1L4,-1H1.5Z",
    "mitre": "M-8,10V-1Q-7,-8 0,-12Q7,-8 8,-1V10ZM-1.2,-6V-2H-4.5V0.4H-1.2V7H1.2V0.4H4.5V-2H1.2V-6Z",
    "lock": "M-8,10V-2H-5.5V-5Q-5.5,-11 0,-11Q5.5,-11 5.5,-5V-2H8V10ZM-2.8,-2H2.8V-5Q2.8,-8.2 0,-8.2Q-2.8,-8.2 -2.8,-5Z",
    "hand": "M-9,9V-9H-3V9ZM-1.5,9V-9H4V9ZM5.5,9V-9H10V9Z",
}
_SWORDS: Final = "M-8,-8L5,5M8,-8L-5,5M2.5,8L8,2.5M-2.5,8L-8,2.5M5,5L8,8M-5,5L-8,8"
_CROWN: Final = "M-11,8L-13,-6L-6,-1L0,-9L6,-1L13,-6L11,8Z"
_COINS: Final = {"coin": "T"}

SIGNS: Final = frozenset({*_FILLED, *_COINS, "crown", "swords", "square", "ear"})
"""The names of all signs."""

CHIPS: Final = {
    "blue": ("card1", "dot"), "pink": ("card2", "diamond"), "white": ("card3", "square"), "calm": ("card4", ""),
    "own": ("cell", ""), "orange": ("card5", "triangle"), "turquoise": ("card6", "drop"), "violet": ("card7", "diamond"),
    "brown": ("card8", "square"), "gold": ("gold", ""), "plain": ("cell", ""),
}  # fmt: skip
"""The styles of chips: ground, and sign before the text."""


def sign(name: str, x: float, y: float, palette: Palette, scale: float = 1.0, fill: str | None = None) -> str:
    """A sign, its middle at x,y."""
    ink = fill or palette["ink"]
    if name == "crown":
        parts = [path(_CROWN, palette["gold"], palette["ink"], 1.6)]
    elif name == "swords":
        parts = [element("circle", r=13, fill=ink), path(_SWORDS, "none", palette["page"], 2)]
    elif name == "square":
        parts = [element("rect", x=-5, y=-5, width=10, height=10, fill="none", stroke=ink, stroke_width=2)]
    elif name == "ear":
        d = "M-5,9Q-7,2 -6,-3Q-5,-10 1,-10Q7,-9 7,-3Q7,1 3,3.5Q1,5.5 0.5,8Q-1.5,11.5 -5,9ZM-2,-2Q-2,-6 1,-6Q4,-5.5 3.5,-2"
        parts = [path(d, palette["gold"], palette["ink"], 1.6)]
    elif name in _COINS:
        parts = [
            element("circle", r=9.5, fill=palette["gold"], stroke=palette["ink"], stroke_width=1.6),
            text(0, 4.6, _COINS[name], 12.5, "#000000", bold=True, anchor="middle"),
        ]
    else:
        parts = [element("path", d=_FILLED[name], fill=ink, fill_rule="evenodd")]
    return group(parts, at=(x, y), scale=scale)
