"""The single items of panels and boxes: numbers with a sign, supplies, chips, lines, legends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from ..scene import Item, Look
from .canvas import SMALLEST, Canvas, fills, piece, sort_named
from .marks import minus, plus
from .metrics import fitted, width
from .palette import Palette
from .pen import box, element, group, path, polygon, text
from .signs import CHIPS, SIGNS, sign

_BIG: Final = 15.0
_CHIP_HEIGHT: Final = 19


@dataclass(frozen=True)
class Drawn:
    """An item that has been drawn at 0,0, its middle on the line; its width in px."""

    svg: str
    width: float


def figure(canvas: Canvas, was: int | None, now: int | None, x: float, size: float = _BIG) -> Drawn:
    """A number; where it has changed the old one struck through, and the new one in a filled box."""
    palette = canvas.palette
    if was == now or was is None:
        content = "" if now is None else str(now)
        return Drawn(
            text(x, size * 0.36, content, size, palette["ink"], bold=True), x + width(content, size, True)
        )
    small = max(SMALLEST, size - 3)
    old, new = str(was), "0" if now is None else str(now)
    w = width(old, small)
    parts = [
        text(x, small * 0.36, old, small, palette["soft"]),
        path(f"M{x - 2:g},0H{x + w + 2:g}", "none", palette["soft"], 1.5),
    ]
    x += w + 6
    w = width(new, size, True) + 10
    parts += [
        box(x, -size * 0.65, w, size * 1.3, palette["mark"]),
        text(x + w / 2, size * 0.36, new, size, palette["onmark"], bold=True, anchor="middle"),
    ]
    return Drawn("".join(parts), x + w)


def numbered(canvas: Canvas, of: str, item: Item, owner: str) -> Drawn:
    """The items ``number(Sign,N)`` and ``supply(Sort,N)``."""
    changed = canvas.changed(of, item)
    was = changed[0].number if changed and changed[0] else None if not changed else 0
    name = item.args[0]
    if item.kind == "supply":
        sort = sort_named(name)
        scale = 11 / max(sort.half)
        fill, _ = fills(canvas, owner)
        icon = group([path(sort.path, fill, canvas.palette["ink"], 1.4 / scale)], at=(12, 0), scale=scale)
        start = 27.0
    elif name in SIGNS:
        icon, start = sign(name, 11, 0, canvas.palette, 1), 28.0
    else:
        content = canvas.scene.say(name)
        icon = text(0, 4.5, content, 12, canvas.palette["soft"])
        start = width(content, 12) + 6
    shown = figure(canvas, was if changed else item.number, item.number, start)
    label = f"{canvas.scene.say(name)}: {item.number}"
    return Drawn(group([icon, shown.svg], label=label), shown.width)


def dots(canvas: Canvas, item: Item) -> Drawn:
    """The item ``dots(Sign,N,Most)``: filled and empty dots."""
    most, number = int(item.args[2]), item.number or 0
    ink = canvas.palette["ink"]
    parts = [
        element(
            "circle", cx=7 + 15 * i, r=5.5, fill=ink if i < number else "none", stroke=ink, stroke_width=1.6
        )
        for i in range(most)
    ]
    return Drawn(group(parts, label=f"{canvas.scene.say(item.args[0])}: {number}"), 15.0 * most)


def chip(canvas: Canvas, of: str, item: Item, room: float, gone: bool = False) -> Drawn:
    """The items ``chip(Style,Text,N)`` and ``price(Style,Text,N,Cost)``; ``gone``: there is none any more."""
    palette, scene = canvas.palette, canvas.scene
    style, term = item.args[:2]
    ground, mark = CHIPS.get(style, ("card4", ""))
    changed = canvas.changed(of, item)
    was = changed[0].number if changed and changed[0] else None
    number = item.number or 0
    cost = scene.say(item.args[3]) if item.kind == "price" else ""
    if changed and not gone and was is not None and was != number:
        count = f"{was} → {number}× "  # noqa: RUF001
    else:
        count = f"{number}× " if number > 1 or (cost and not gone) else ""  # noqa: RUF001
    size, x = SMALLEST, 8.0
    parts = []
    if mark:
        parts.append(sign(mark, 11, 0, palette, 0.85))
        x = 20.0
    tail = width(cost, size, True) + 10 if cost else 0
    content = fitted(
        count + scene.say(term), size, room - x - 10 - tail, changed is not None or style == "own"
    )
    bold = changed is not None or style == "own"
    end = x + width(content, size, bold) + 7
    edge = end + tail
    if cost:
        parts.append(text(edge - 8, size * 0.36, cost, size, palette["ink"], bold=True, anchor="end"))
    parts.append(text(x, size * 0.36, content, size, palette["ink"], bold=bold))
    half = _CHIP_HEIGHT / 2
    stroke, wide = (palette["ink"], 1.6) if style == "own" else (palette["line"], 1.0)
    dash = None
    if changed:
        stroke, wide, dash = palette["mark"], 2.4, "4 3" if gone else None
    fill = "none" if gone else palette[ground]
    back = box(0, -half, edge, _CHIP_HEIGHT, fill, stroke, width=wide, dash=dash)
    if changed:
        more = not gone and (was is None or number > was)
        parts.append((plus if more else minus)(palette, edge - 1, -half))
    label = f"{count}{scene.say_in_full(term)}{f', {cost}' if cost else ''}{', gone' if gone else ''}"
    return Drawn(group([back, *parts], label=label), edge)


def line(canvas: Canvas, of: str, item: Item, room: float) -> str:
    """The item ``line(Text,N)``: words at the left, a number at the right."""
    changed = canvas.changed(of, item)
    was = changed[0].number if changed and changed[0] else 0
    shown = figure(canvas, was if changed else item.number, item.number, 0, 13.5)
    content = fitted(canvas.scene.say(item.args[0]), 12, room - shown.width - 8)
    right = group([shown.svg], at=(room - shown.width, 0))
    return group([text(0, 4.3, content, 12, canvas.palette["ink"]), right])


def words(canvas: Canvas, item: Item, room: float) -> str:
    """The items ``stage(Number,Text)``, ``now(Number,Text)`` and ``head(Text)``; the present stage is inverted."""
    palette, now = canvas.palette, item.kind == "now"
    if item.kind == "head":
        return text(
            0, 4.8, fitted(canvas.scene.say(item.args[0]), 13, room, True), 13, palette["ink"], bold=True
        )
    ink = palette["page" if now else "soft"]
    content = fitted(canvas.scene.say(item.args[1]), 12.5, room - 44, now)
    number = text(30, 4.5, canvas.scene.say(item.args[0]), 12.5, ink, bold=now, anchor="end")
    back = [box(-6, -8.5, room + 12, 17, palette["ink"], corner=3)] if now else []
    return "".join([*back, number, text(38, 4.5, content, 12.5, ink, bold=now)])


def legend(canvas: Canvas, item: Item, room: float) -> str:
    """The items ``key(Sort,Text)`` and ``key(Look,Sign,Text)``: a sample, and what it is."""
    palette = canvas.palette
    if len(item.args) == 2:
        sample = piece(canvas, Look(item.args[0], "none", "none"), 16, 0, 0.5)
    else:
        look, name = item.args[:2]
        corners = [(2, -10), (30, -10), (32, -8), (32, 8), (30, 10), (2, 10), (0, 8), (0, -8)]
        sample = polygon(corners, palette[look], palette["line"])
        tint = palette[f"on{look}"] if look in ("plain", "mountain", "forest") else None
        sample += sign(name, 16, 0, palette, 0.72, tint) if name in SIGNS else ""
    content = fitted(canvas.scene.say(item.args[-1]), 12, room - 44)
    return sample + text(44, 4.3, content, 12, palette["ink"])


def track(canvas: Canvas, item: Item, room: float) -> str:
    """The item ``track(Most,At)``: numbers in circles, the present one filled."""
    palette, most, at = canvas.palette, int(item.args[0]), item.number or int(item.args[1])
    pitch = min(27.0, room / most)
    parts = []
    for i in range(1, most + 1):
        x = room - pitch * (most - i) - 12
        now = i == at
        fill = palette["ink"] if now else palette["cell"]
        parts.append(element("circle", cx=x, r=12, fill=fill, stroke=palette["line"], stroke_width=1.2))
        colour = palette["page"] if now else palette["soft"]
        parts.append(text(x, 5, str(i), 13.5, colour, bold=now, anchor="middle"))
    return "".join(parts)


def signs(palette: Palette, names: Sequence[str], right: float) -> str:
    """Signs side by side, the last one ending at the right edge."""
    return "".join(sign(name, right - 11 - 24 * i, 0, palette, 0.9) for i, name in enumerate(reversed(names)))
