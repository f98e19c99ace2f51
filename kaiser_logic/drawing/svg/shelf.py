"""Panels of the players, and boxes with what else is listed: items that flow in rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from ..scene import Box, Item
from . import rows
from .canvas import Canvas, fills, pin, pin_of
from .marks import minus, plus
from .metrics import fitted, width
from .pen import box, element, group, path, shifted, text
from .signs import SIGNS
from .sorts import SORTS

PAD: Final = 10
"""The space inside of a frame, in px."""
_FAMILY: Final = {"number": "number", "dots": "number", "supply": "supply", "chip": "chip", "price": "chip"}
_PITCH: Final = {"number": 27.0, "supply": 28.0, "chip": 24.0}


def items(
    canvas: Canvas, of: str, listed: Sequence[Item], room: float, owner: str = "none"
) -> tuple[list[str], float]:
    """Items in rows from 0,0 downwards, and their height."""
    shown = _with_gone(canvas, of, listed)
    parts: list[str] = []
    y = 0.0
    for family, run in groupby(shown, key=lambda item: _FAMILY.get(item.kind, item.kind)):
        if family == "sign":
            continue
        if family not in _PITCH:
            for item in run:
                svg, height = _row(canvas, of, item, room)
                parts += shifted([_named(canvas, of, item, svg)], 0, y + height / 2)
                y += height
            continue
        columns = {"number": room / 2, "supply": room / 3}.get(family, 0.0)
        x, pitch = 0.0, _PITCH[family]
        for item in run:
            drawn = _flowing(canvas, of, item, room, owner, item not in listed)
            if x > 0 and x + drawn.width > room + 0.5:
                x, y = 0.0, y + pitch
            parts += shifted([_named(canvas, of, item, drawn.svg)], x, y + pitch / 2)
            reason = canvas.pinned.get(pin_of(of, item))
            if reason:
                parts.append(pin(canvas.palette, x + drawn.width + 6, y + pitch / 2 - 4, reason))
            x += max(columns, drawn.width + 6)
        y += pitch
    return parts, y


def _named(canvas: Canvas, of: str, item: Item, svg: str) -> str:
    """What is drawn of an item, with its name where that is wanted."""
    return element("g", svg, data_item=pin_of(of, item)) if canvas.named else svg


def _with_gone(canvas: Canvas, of: str, listed: Sequence[Item]) -> list[Item]:
    """The items, and the chips that were there before the move, each where it was."""
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


def _flowing(canvas: Canvas, of: str, item: Item, room: float, owner: str, gone: bool) -> rows.Drawn:
    if item.kind == "dots":
        return rows.dots(canvas, item)
    if item.kind in ("chip", "price"):
        return rows.chip(canvas, of, item, room, gone)
    return rows.numbered(canvas, of, item, owner)


def _row(canvas: Canvas, of: str, item: Item, room: float) -> tuple[str, float]:
    """An item that has a row of its own, and the row's height."""
    match item.kind:
        case "line":
            return rows.line(canvas, of, item, room), 20
        case "key":
            return rows.legend(canvas, item, room), 26
        case "rule":
            return path(f"M0,0H{room:g}", "none", canvas.palette["line"], 1), 12
        case "track":
            return rows.track(canvas, item, room), 28
        case _:
            return rows.words(canvas, item, room), 17.2


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
    name = fitted(scene.say(role), size, room, True)
    parts, _ = items(canvas, role, scene.panels[role], w - 2 * PAD, role)
    marks = _sign_marks(canvas, role, signs, x + w - PAD, y + 21)
    return [
        box(x, y, w, h, palette["cell"], frame[0], width=frame[1], corner=7),
        shield,
        text(x + PAD + 30, y + 27.5, name, size, palette["ink"], bold=True),
        group(
            [rows.signs(palette, signs, x + w - PAD)], at=(0, y + 21), label=", ".join(map(scene.say, signs))
        ),
        *marks,
        *shifted(parts, x + PAD, y + 40),
    ]


def _sign_marks(canvas: Canvas, role: str, signs: Sequence[str], right: float, y: float) -> Iterator[str]:
    """⊕ at signs that are new, ⊖ at the edge for those that are gone."""
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
    """How high a player's panel has to be."""
    return 40 + items(canvas, role, canvas.scene.panels[role], w - 2 * PAD, role)[1] + 7


def boxed(
    canvas: Canvas, shown: Box, x: float, y: float, w: float, h: float | None = None
) -> tuple[list[str], float]:
    """A box below the board, in a frame; or, with a height, in an area that is drawn already."""
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
            parts.append(
                group([rows.track(canvas, listed.pop(0), w - 2 * PAD - start)], at=(x + PAD + start, y + 22))
            )
            top = y + 41
    body, height = items(canvas, shown.name, listed, w - 2 * PAD)
    parts += shifted(body, x + PAD, top)
    bottom = top - y + height + 6
    if h is None:
        parts.insert(0, box(x, y, w, bottom, palette["ground"], palette["line"], corner=7))
    return parts, bottom
