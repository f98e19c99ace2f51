"""Small signs by name, in a box of 20 by 20 round 0,0: what a thing is, besides its colour."""

from __future__ import annotations

from typing import Final

from .palette import Palette
from .pen import element, group, path, text

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
"""All signs that can be named."""

CHIPS: Final = {
    "blue": ("card1", "dot"), "pink": ("card2", "diamond"), "white": ("card3", "square"), "calm": ("card4", ""),
    "own": ("cell", ""), "orange": ("card5", "triangle"), "turquoise": ("card6", "drop"), "violet": ("card7", "diamond"),
    "brown": ("card8", "square"), "gold": ("gold", ""), "plain": ("cell", ""),
}  # fmt: skip
"""The styles of chips: their ground, and the sign before their text."""


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
