"""The players' panels, and the boxes: items in rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from ..scene import Box, Item, Look
from .board import minus, plus
from .canvas import SMALLEST, Canvas, fills, piece, pin, pin_of, sort_named
from .pen import Palette, box, element, fit, group, path, polygon, shift, text, width
from .shapes import CHIPS, SIGNS, SORTS, sign

# -- shelf ---------------------------------------------------------------------------------------------------


PAD: Final = 10
"""The space inside a frame, in px."""
_FAMILY: Final = {"number": "number", "dots": "number", "supply": "supply", "chip": "chip", "price": "chip"}
_PITCH: Final = {"number": 27.0, "supply": 28.0, "chip": 24.0}


def items(canvas: Canvas, of: str, listed: Sequence[Item], room: float, owner: str = "none") -> tuple[list[str], float]:
    """The items in rows from 0,0 downwards, and their height."""
    shown = _with_gone(canvas, of, listed)
    parts: list[str] = []
    y = 0.0
    for family, run in groupby(shown, key=lambda item: _FAMILY.get(item.kind, item.kind)):
        if family == "sign":
            continue
        if family not in _PITCH:
            for item in run:
                svg, height = _row(canvas, of, item, room)
                parts += shift([_with_name(canvas, of, item, svg)], 0, y + height / 2)
                y += height
            continue
        columns = {"number": room / 2, "supply": room / 3}.get(family, 0.0)
        x, pitch = 0.0, _PITCH[family]
        for item in run:
            drawn = _flowing(canvas, of, item, room, owner, item not in listed)
            if x > 0 and x + drawn.width > room + 0.5:
                x, y = 0.0, y + pitch
            parts += shift([_with_name(canvas, of, item, drawn.svg)], x, y + pitch / 2)
            reason = canvas.pinned.get(pin_of(of, item))
            if reason:
                parts.append(pin(canvas.palette, x + drawn.width + 6, y + pitch / 2 - 4, reason))
            x += max(columns, drawn.width + 6)
        y += pitch
    return parts, y


def _with_name(canvas: Canvas, of: str, item: Item, svg: str) -> str:
    """The drawing of an item; its element has the item's name if the canvas asks for it."""
    return element("g", svg, data_item=pin_of(of, item)) if canvas.has_names else svg


def _with_gone(canvas: Canvas, of: str, listed: Sequence[Item]) -> list[Item]:
    """The items, and the chips that the move removed, each where it was."""
    shown = list(listed)
    if canvas.before is None:
        return shown
    before = canvas.before[0].items(of)
    keys = {item.key for item in listed}
    at = 0
    for item in before:
        if item.key in keys:
            at = next(i for i, other in enumerate(shown) if other.key == item.key) + 1
        elif item.kind in ("chip", "price"):
            shown.insert(at, item)
            at += 1
    return shown


def _flowing(canvas: Canvas, of: str, item: Item, room: float, owner: str, gone: bool) -> Drawn:
    if item.kind == "dots":
        return draw_dots(canvas, item)
    if item.kind in ("chip", "price"):
        return draw_chip(canvas, of, item, room, gone)
    return draw_numbered(canvas, of, item, owner)


def _row(canvas: Canvas, of: str, item: Item, room: float) -> tuple[str, float]:
    """An item that has a row of its own, and the row's height."""
    match item.kind:
        case "line":
            return line_row(canvas, of, item, room), 20
        case "key":
            return legend_row(canvas, item, room), 26
        case "rule":
            return path(f"M0,0H{room:g}", "none", canvas.palette["line"], 1), 12
        case "track":
            return track_row(canvas, item, room), 28
        case _:
            return words_row(canvas, item, room), 17.2


def panel(canvas: Canvas, role: str, x: float, y: float, w: float, h: float) -> list[str]:
    """A player's panel in a frame of this size."""
    scene, palette = canvas.scene, canvas.palette
    deciding = role in scene.deciding
    frame = (palette["ink"], 3.0) if deciding else (palette["line"], 1.2)
    fill, ink = fills(canvas, role)
    letter = canvas.letter(role)
    shield = group(
        [
            path(SORTS["shield"].path, fill, palette["ink"], 1.8),
            text(0, 7, letter, 19 if len(letter) == 1 else 14, ink, bold=True, anchor="middle"),
        ],
        at=(x + PAD + 12, y + 22),
        scale=0.74,
    )
    signs = [item.args[0] for item in scene.panels[role] if item.kind == "sign" and item.args[0] in SIGNS]
    signs = (["decide"] if deciding else []) + signs
    room = w - 2 * PAD - 32 - 24 * len(signs)
    size = next((s for s in (15.5, 13.5, 12.0) if width(scene.say(role), s, True) <= room), 11.5)
    name = fit(scene.say(role), size, room, True)
    parts, _ = items(canvas, role, scene.panels[role], w - 2 * PAD, role)
    marks = _sign_marks(canvas, role, signs, x + w - PAD, y + 21)
    return [
        box(x, y, w, h, palette["cell"], frame[0], width=frame[1], corner=7),
        shield,
        text(x + PAD + 30, y + 27.5, name, size, palette["ink"], bold=True),
        group([signs_row(palette, signs, x + w - PAD)], at=(0, y + 21), label=", ".join(map(scene.say, signs))),
        *marks,
        *shift(parts, x + PAD, y + 40),
    ]


def _sign_marks(canvas: Canvas, role: str, signs: Sequence[str], right: float, y: float) -> Iterator[str]:
    """⊕ at new signs, and ⊖ at the left of the signs if one is gone."""
    for (of, _), (was, now) in canvas.change.items.items():
        item = now or was
        if of != role or item is None or item.kind != "sign" or item.args[0] not in SIGNS:
            continue
        if now is not None and item.args[0] in signs:
            i = len(signs) - 1 - signs.index(item.args[0])
            yield plus(canvas.palette, right - 2 - 24 * i, y - 10)
        elif now is None:
            yield minus(canvas.palette, right - 2 - 24 * len(signs), y - 10)


def panel_height(canvas: Canvas, role: str, w: float) -> float:
    """The height that a player's panel needs."""
    return 40 + items(canvas, role, canvas.scene.panels[role], w - 2 * PAD, role)[1] + 7


def draw_box(
    canvas: Canvas, shown: Box, x: float, y: float, w: float, h: float | None = None
) -> tuple[list[str], float]:
    """A box and its height: below the board, in a frame; or, if ``h`` is given, in an area that has its own frame."""
    palette = canvas.palette
    parts: list[str] = []
    top = y + PAD
    listed = list(shown.items)
    if shown.title:
        parts.append(text(x + PAD, y + 20, shown.title, 13.5, palette["ink"], bold=True))
        if shown.note:
            parts.append(text(x + w - PAD, y + 20, shown.note, 11.5, palette["soft"], anchor="end"))
        top = y + 28
        if listed and listed[0].kind == "track":
            start = width(shown.title, 13.5, True) + 14
            parts.append(group([track_row(canvas, listed.pop(0), w - 2 * PAD - start)], at=(x + PAD + start, y + 22)))
            top = y + 41
    body, height = items(canvas, shown.name, listed, w - 2 * PAD)
    parts += shift(body, x + PAD, top)
    bottom = top - y + height + 6
    if h is None:
        parts.insert(0, box(x, y, w, bottom, palette["ground"], palette["line"], corner=7))
    return parts, bottom


# -- rows ----------------------------------------------------------------------------------------------------
#
# The single items of panels and boxes: numbers with a sign, supplies, chips, lines, legends.


_BIG: Final = 15.0
_CHIP_HEIGHT: Final = 19


@dataclass(frozen=True)
class Drawn:
    """A drawn item: its SVG at 0,0, centred on the line, and its width in px."""

    svg: str
    width: float


def figure(canvas: Canvas, was: int | None, now: int | None, x: float, size: float = _BIG) -> Drawn:
    """A number. If it has changed, the old number is struck through, and the new one is in a filled box."""
    palette = canvas.palette
    if was == now or was is None:
        content = "" if now is None else str(now)
        return Drawn(text(x, size * 0.36, content, size, palette["ink"], bold=True), x + width(content, size, True))
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


def _number_before(canvas: Canvas, of: str, item: Item) -> int | None:
    """The number of an item before the move; 0 if the item is new."""
    before, _ = canvas.change_of(of, item) or (item, item)
    return 0 if before is None else before.number


def draw_numbered(canvas: Canvas, of: str, item: Item, owner: str) -> Drawn:
    """The items ``number(Sign,N)`` and ``supply(Sort,N)``."""
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
    shown = figure(canvas, _number_before(canvas, of, item), item.number, start)
    label = f"{canvas.scene.say(name)}: {item.number}"
    return Drawn(group([icon, shown.svg], label=label), shown.width)


def draw_dots(canvas: Canvas, item: Item) -> Drawn:
    """The item ``dots(Sign,N,Most)``: filled and empty dots."""
    most, number = int(item.args[2]), item.number or 0
    ink = canvas.palette["ink"]
    parts = [
        element("circle", cx=7 + 15 * i, r=5.5, fill=ink if i < number else "none", stroke=ink, stroke_width=1.6)
        for i in range(most)
    ]
    return Drawn(group(parts, label=f"{canvas.scene.say(item.args[0])}: {number}"), 15.0 * most)


def draw_chip(canvas: Canvas, of: str, item: Item, room: float, gone: bool = False) -> Drawn:
    """The items ``chip(Style,Text,N)`` and ``price(Style,Text,N,Cost)``; ``gone``: whether there is none any more."""
    palette, scene = canvas.palette, canvas.scene
    style, term = item.args[:2]
    ground, mark = CHIPS.get(style, ("card4", ""))
    changed = canvas.change_of(of, item)
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
    bold = changed is not None or style == "own"
    content = fit(count + scene.say(term), size, room - x - 10 - tail, bold)
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


def line_row(canvas: Canvas, of: str, item: Item, room: float) -> str:
    """The item ``line(Text,N)``: words on the left, a number on the right."""
    shown = figure(canvas, _number_before(canvas, of, item), item.number, 0, 13.5)
    content = fit(canvas.scene.say(item.args[0]), 12, room - shown.width - 8)
    right = group([shown.svg], at=(room - shown.width, 0))
    return group([text(0, 4.3, content, 12, canvas.palette["ink"]), right])


def words_row(canvas: Canvas, item: Item, room: float) -> str:
    """The items ``stage(Number,Text)``, ``now(Number,Text)`` and ``head(Text)``; the present stage is inverted."""
    palette, now = canvas.palette, item.kind == "now"
    if item.kind == "head":
        return text(0, 4.8, fit(canvas.scene.say(item.args[0]), 13, room, True), 13, palette["ink"], bold=True)
    ink = palette["page" if now else "soft"]
    content = fit(canvas.scene.say(item.args[1]), 12.5, room - 44, now)
    number = text(30, 4.5, canvas.scene.say(item.args[0]), 12.5, ink, bold=now, anchor="end")
    back = [box(-6, -8.5, room + 12, 17, palette["ink"], corner=3)] if now else []
    return "".join([*back, number, text(38, 4.5, content, 12.5, ink, bold=now)])


def legend_row(canvas: Canvas, item: Item, room: float) -> str:
    """The items ``key(Sort,Text)`` and ``key(Look,Sign,Text)`` of a legend: a sample, and its meaning."""
    palette = canvas.palette
    if len(item.args) == 2:
        sample = piece(canvas, Look(item.args[0], "none", "none"), 16, 0, 0.5)
    else:
        look, name = item.args[:2]
        corners = [(2, -10), (30, -10), (32, -8), (32, 8), (30, 10), (2, 10), (0, 8), (0, -8)]
        sample = polygon(corners, palette[look], palette["line"])
        tint = palette[f"on{look}"] if look in ("plain", "mountain", "forest") else None
        sample += sign(name, 16, 0, palette, 0.72, tint) if name in SIGNS else ""
    content = fit(canvas.scene.say(item.args[-1]), 12, room - 44)
    return sample + text(44, 4.3, content, 12, palette["ink"])


def track_row(canvas: Canvas, item: Item, room: float) -> str:
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


def signs_row(palette: Palette, names: Sequence[str], right: float) -> str:
    """Signs side by side, the last one ending at the right edge."""
    return "".join(sign(name, right - 11 - 24 * i, 0, palette, 0.9) for i, name in enumerate(reversed(names)))
