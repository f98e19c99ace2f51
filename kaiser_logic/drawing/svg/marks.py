"""What a move changed, marked on the board: dashed where something was, an arrow for what moved, ⊕ and ⊖."""

from __future__ import annotations

from collections.abc import Iterator
from math import hypot
from typing import Final

from ..geometry import Point
from .canvas import Canvas, piece, pin, sort_named
from .palette import Palette
from .pen import box, element, group, path

_MOST_ARROWS: Final = 12
"""Of more that moved only starts and ends are marked."""
_CURVES: Final = (0.18, -0.18, 0.3, -0.3, 0.42, -0.42, 0.08, -0.08)


def on_board(canvas: Canvas) -> list[str]:
    """The marks that lie over the board."""
    if canvas.before is None:
        return []
    change, places = canvas.change, canvas.layout.places
    old = canvas.before[1]
    parts: list[str] = []
    crowded: dict[str, int] = {}
    leaving = [(m.look, m.source) for m in change.moved]
    for look, place in [*((look, place) for look, place, _ in change.taken), *leaving]:
        if place not in places:
            continue
        area, kind = old.areas[place]
        if place in canvas.dealt.placed:
            count = crowded[area] = crowded.get(area, -1) + 1
            at = _aside(canvas, area, place, count)
            if at is not None:
                parts.append(piece(canvas, look, *at, 0.5 * canvas.scale("area"), status="ghost"))
                parts.append(minus(canvas.palette, at[0] - 15, at[1]))
        else:
            parts.append(piece(canvas, look, *places[place], canvas.scale(kind), status="ghost"))
            if (look, place) not in leaving:
                parts.append(minus(canvas.palette, *_corner(canvas, look.sort, place, kind)))
    for look, place, _ in change.brought:
        if place in places:
            kind = canvas.dealt.areas[place][1]
            parts.append(plus(canvas.palette, *_corner(canvas, look.sort, place, kind)))
    if len(change.moved) <= _MOST_ARROWS:
        for moved in change.moved:
            if moved.source in places and moved.target in places:
                parts += _arrow(canvas, places[moved.source], places[moved.target])
    return parts


def _corner(canvas: Canvas, sort: str, place: str, kind: str) -> Point:
    """The right upper corner of a piece."""
    (x, y), scale, half = canvas.layout.places[place], canvas.scale(kind), sort_named(sort).half
    return x + half[0] * scale, y - half[1] * scale + 2


def _aside(canvas: Canvas, area: str, place: str, count: int) -> Point | None:
    """Where what was taken from a place that is filled again is drawn small: the name's line, or beside the piece."""
    shape = canvas.layout.areas.get(area)
    if shape is None:
        return None
    if shape.name == "rect":
        left, top, right, _ = shape.box
        gone = sum(of == area and now is None for (of, _), (_, now) in canvas.change.items.items())
        zoom = canvas.scale("area")
        x = right - 24 - 44 * count * zoom - 80 * zoom * (len(canvas.scene.tags.get(area, ())) + gone)
        return (x, top + 18 * canvas.scale("area")) if x > left + 112 * zoom else None
    x, y = canvas.layout.places[place]
    return x - 22, y


def _arrow(canvas: Canvas, start: Point, end: Point, refused: bool = False) -> Iterator[str]:
    """A cased arrow, of several curvatures the one that stays farthest from other pieces; refused: dashed, with a bar."""
    others = [canvas.layout.places[p] for p in canvas.dealt.placed if p in canvas.layout.places]
    others = [p for p in others if p not in (start, end)]

    def bend(curve: float) -> Point:
        return (
            (start[0] + end[0]) / 2 - (end[1] - start[1]) * curve,
            (start[1] + end[1]) / 2 + (end[0] - start[0]) * curve,
        )

    def point(middle: Point, t: float) -> Point:
        a, b, c = (1 - t) ** 2, 2 * t * (1 - t), t * t
        return a * start[0] + b * middle[0] + c * end[0], a * start[1] + b * middle[1] + c * end[1]

    def room(curve: float) -> float:
        along = [point(bend(curve), t / 10) for t in range(2, 9)]
        return min((hypot(x - p[0], y - p[1]) for x, y in along for p in others), default=99.0)

    width = canvas.layout.width
    possible = [c for c in _CURVES if 12 < bend(c)[0] < width - 12] or [0.0]
    middle = bend(max(possible, key=lambda c: (min(room(c), 40), -abs(c))))
    length = hypot(end[0] - middle[0], end[1] - middle[1]) or 1.0
    ux, uy = (end[0] - middle[0]) / length, (end[1] - middle[1]) / length
    tip = end[0] - ux * 22, end[1] - uy * 22
    neck = tip[0] - ux * 10, tip[1] - uy * 10
    away = hypot(middle[0] - start[0], middle[1] - start[1]) or 1.0
    first = start[0] + (middle[0] - start[0]) / away * 24, start[1] + (middle[1] - start[1]) / away * 24
    line = f"M{first[0]:.1f},{first[1]:.1f}Q{middle[0]:.1f},{middle[1]:.1f} {neck[0]:.1f},{neck[1]:.1f}"
    left, right = (neck[0] - uy * 7, neck[1] + ux * 7), (neck[0] + uy * 7, neck[1] - ux * 7)
    head = f"M{tip[0]:.1f},{tip[1]:.1f}L{left[0]:.1f},{left[1]:.1f}L{right[0]:.1f},{right[1]:.1f}Z"
    palette = canvas.palette
    if refused:
        bar = f"M{neck[0] - uy * 9:.1f},{neck[1] + ux * 9:.1f}L{neck[0] + uy * 9:.1f},{neck[1] - ux * 9:.1f}"
        yield path(line + bar, "none", palette["page"], 8)
        yield path(line, "none", palette["mark"], 4, "7 5") + path(bar, "none", palette["mark"], 4)
        return
    yield path(line + head, "none", palette["page"], 9)
    yield path(line, "none", palette["mark"], 4)
    yield path(head, palette["mark"], palette["mark"], 1)


def refused(canvas: Canvas) -> Iterator[str]:
    """An illegal move: a frame round the piece that it tried to move, a dashed arrow that ends in a bar, ⊘ at its aim."""
    if canvas.tried is None:
        return
    palette, places, change = canvas.palette, canvas.layout.places, canvas.tried.change
    for moved in change.moved:
        if moved.source in places and moved.target in places:
            (x, y), kind = places[moved.source], canvas.dealt.areas[moved.source][1]
            w, h = (side * canvas.scale(kind) + 4 for side in sort_named(moved.look.sort).half)
            for colour, width in (("page", 6.0), ("mark", 3.5)):
                yield box(x - w, y - h, 2 * w, 2 * h, "none", palette[colour], width=width, corner=7)
            yield from _arrow(canvas, places[moved.source], places[moved.target], refused=True)
            yield _stop(palette, *places[moved.target])
    for _, place, _ in change.brought:
        if place in places:
            yield _stop(palette, *places[place])


def _stop(palette: Palette, x: float, y: float) -> str:
    """⊘: not allowed."""
    circle = element("circle", r=11, fill=palette["page"], stroke=palette["mark"], stroke_width=3)
    return group(
        [circle, path("M-7.5,-7.5L7.5,7.5", "none", palette["mark"], 3)], at=(x, y), label="not allowed"
    )


def pins(canvas: Canvas) -> Iterator[str]:
    """What speaks against a move: a dotted frame round each place, and a pin with the number of the reason."""
    palette = canvas.palette
    numbers = []  # above all frames: neighbours stand close
    for place, reason in canvas.pinned.items():
        at = canvas.layout.places.get(place)
        if at is None or place not in canvas.dealt.placed:
            continue
        kind, (look, _) = canvas.dealt.areas[place][1], canvas.dealt.placed[place]
        scale = canvas.scale(kind)
        w, h = (side * scale + 3 for side in sort_named(look.sort).half)
        x, y = at
        for colour, width, dash in (("page", 5.0, None), ("mark", 3.0, "0.5 5")):
            d = f"M{x - w:g},{y - h:g}H{x + w:g}V{y + h:g}H{x - w:g}Z"
            yield element(
                "path", d=d, fill="none", stroke=palette[colour], stroke_width=width, stroke_dasharray=dash,
                stroke_linecap="round",
            )  # fmt: skip
        numbers.append(pin(palette, x + w - 2, y - h + 2, reason))
    yield from numbers


def plus(palette: Palette, x: float, y: float) -> str:
    """The mark of what was brought."""
    return _disc(palette, x, y, "M-4,0H4M0,-4V4")


def minus(palette: Palette, x: float, y: float) -> str:
    """The mark of what was taken."""
    return _disc(palette, x, y, "M-4,0H4")


def _disc(palette: Palette, x: float, y: float, d: str) -> str:
    circle = element("circle", r=7.5, fill=palette["mark"], stroke=palette["page"], stroke_width=1.5)
    return group([circle, path(d, "none", palette["onmark"], 2)], at=(x, y))
