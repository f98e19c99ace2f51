"""Elements, texts and numbers written as SVG; every text is escaped here and nowhere else."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from .metrics import FAMILY

_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_ESCAPED = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"}


@lru_cache(maxsize=20_000)
def escaped(text: str) -> str:
    """A text that stands for itself in XML and HTML, in elements and in quotes; what XML cannot say becomes U+FFFD."""
    return re.sub("[&<>\"']", lambda m: _ESCAPED[m[0]], _NO_XML.sub("\ufffd", text))


@lru_cache(maxsize=20_000)
def number(value: float) -> str:
    """A number with at most two decimals."""
    return f"{value:.2f}".rstrip("0").rstrip(".").replace("-0", "0") if abs(value) < 0.005 else _short(value)


def _short(value: float) -> str:
    text = f"{value:.2f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def element(tag: str, *inner: str, **attributes: str | float | None) -> str:
    """An element. Of attributes ``_`` becomes ``-``, ``__`` a colon; None is left out; ``inner`` is SVG already."""
    attributes_text = "".join(
        f' {name.strip("_").replace("__", ":").replace("_", "-")}="{escaped(v) if isinstance(v, str) else number(v)}"'
        for name, v in attributes.items()
        if v is not None
    )
    return f"<{tag}{attributes_text}>{''.join(inner)}</{tag}>" if inner else f"<{tag}{attributes_text}/>"


def group(
    parts: Iterable[str], *, at: tuple[float, float] | None = None, scale: float = 1.0, label: str = ""
) -> str:
    """A group: shifted, scaled, and where it has a label an image of its own for those who hear it."""
    moves = [] if at is None else [f"translate({number(at[0])} {number(at[1])})"]
    moves += [] if scale == 1 else [f"scale({number(scale)})"]
    return element(
        "g",
        *parts,
        transform=" ".join(moves) or None,
        role="img" if label else None,
        aria_label=label or None,
    )


def shifted(parts: Iterable[str], x: float, y: float) -> list[str]:
    """Parts that are shifted together, still one by one: so each is kept once where many pictures have it."""
    return [f'<g transform="translate({number(x)} {number(y)})">', *parts, "</g>"]


def path(
    d: str, fill: str = "none", stroke: str | None = None, width: float = 1.6, dash: str | None = None
) -> str:
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


def text(
    x: float, y: float, words: str, size: float, fill: str, *, bold: bool = False, anchor: str = "start"
) -> str:
    """A line of text on its baseline."""
    return element(
        "text",
        escaped(words),
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


def polygon(
    corners: Iterable[tuple[float, float]], fill: str, stroke: str | None = None, width: float = 1.2
) -> str:
    """A closed outline of straight lines."""
    d = "M" + "L".join(f"{number(x)},{number(y)}" for x, y in corners) + "Z"
    return path(d, fill, stroke, width)


ROOT = {"xmlns": "http://www.w3.org/2000/svg", "font-family": FAMILY}
"""What the outermost element of each picture says."""
