"""The board: areas with their places and pieces, and marks for the changes of a move."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from math import hypot
from typing import Final, NamedTuple

from ..scene import Point, Shape, cut_corners
from .canvas import SMALLEST, Canvas, piece, pin, small, sort_named
from .pen import Palette, box, element, fit, group, path, polygon, text, width
from .shapes import CROWNED, FRAMES, SIGNS, sign

_CUT: Final = 8
"""The cut at the corners of a rectangular area, in px."""
_GROUNDS: Final = frozenset({"page", "ground", "cell", "cell2", "plain", "mountain", "forest"})


def area(canvas: Canvas, name: str, shape: Shape) -> list[str]:
    """Draws an area: ground, name, sign, places and pieces."""
    dealt = canvas.dealt
    slots = {
        place: kind
        for kind, places in canvas.scene.geometry.slots_in.get(name, ())
        for place in places
        if place in canvas.layout.places
    }
    taken = [place for place in slots if place in dealt.placed]
    parts = [_ground(canvas, name, shape)]
    if not any(box.name == name for box in canvas.scene.boxes):
        parts += _name(canvas, name, shape, bool(taken))
    for place, kind in slots.items() if canvas.scene.looks.get(name) != "closed" else ():
        parts += _outline(canvas, place, kind, place in dealt.placed)
    parts += [piece_at(canvas, place, slots[place]) for place in taken]
    return parts


def matters(canvas: Canvas, name: str) -> tuple[Hashable, ...]:
    """The part of the key for `drawn_parts` that concerns an area: everything that it shows."""
    scene, dealt = canvas.scene, canvas.dealt
    return (
        scene.looks.get(name),
        scene.titles.get(name),
        scene.signs.get(name),
        scene.tags.get(name),
        dealt.beyond.get(name),
        tuple(
            (dealt.placed.get(p), canvas.statuses.get(p), scene.frames.get(p), scene.captions.get(p))
            for _, places in scene.geometry.slots_in.get(name, ())
            for p in places
        ),
    )


def piece_at(canvas: Canvas, place: str, kind: str) -> str:
    """The piece at a place."""
    look, number = canvas.dealt.placed[place]
    x, y = canvas.layout.places[place]
    return piece(canvas, look, x, y, canvas.scale(kind), number=number, status=canvas.statuses.get(place, ""))


def _ground(canvas: Canvas, name: str, shape: Shape) -> str:
    palette = canvas.palette
    look = canvas.scene.looks.get(name, "cell")
    fill = palette[look] if look in _GROUNDS else palette["cell"]
    cut = _CUT * canvas.scale("area")
    corners = cut_corners(shape.box, cut) if shape.name == "rect" else shape.corners
    ground = polygon(corners, "none" if look == "bare" else fill, None if look == "bare" else palette["line"])
    if look != "closed":
        return ground
    return ground + path("".join(_hatching(*shape.box)), "none", palette["faint"], 1)


def _hatching(left: float, top: float, right: float, bottom: float) -> Iterator[str]:
    """Slanting lines inside a rectangle."""
    start = left - (bottom - top) + 12
    while start < right:
        x1, y1, x2, y2 = start, bottom, start + bottom - top, top
        if x1 < left:
            x1, y1 = left, bottom - (left - start)
        if x2 > right:
            x2, y2 = right, top + (start + bottom - top - right)
        yield f"M{x1:g},{y1:g}L{x2:g},{y2:g}"
        start += 12


def _name(canvas: Canvas, name: str, shape: Shape, filled: bool) -> Iterator[str]:
    """The name, the sign and the tags of an area, as far as its shape has room for them."""
    scene, palette = canvas.scene, canvas.palette
    title, symbol = scene.titles.get(name, ""), scene.signs.get(name, "")
    x, y = shape.centre
    if shape.name == "rect":
        zoom = canvas.scale("area")
        left, top, right, _ = shape.box
        start = left + 12 * zoom
        if symbol in SIGNS:
            yield sign(symbol, left + 20 * zoom, top + 18 * zoom, palette, zoom)
            start = left + (37 if symbol == "crown" else 34) * zoom
        least = start + width(title, max(SMALLEST, 12 * zoom), True)
        edge = right - 8 * zoom
        for shown in _fitting(canvas, name, edge - least):
            w = shown.width(zoom)
            yield _tag(canvas, shown, edge - w, top + 7 * zoom)
            edge -= w + 5 * zoom
        if title:
            tried = (max(SMALLEST, nominal * zoom) for nominal in (15.5, 13.5, 12.0))
            size = next((s for s in tried if width(title, s, True) <= edge - start), SMALLEST)
            title_text = fit(title, size, edge - start, True)
            yield text(start, top + 18 * zoom + size * 0.36, title_text, size, palette["ink"], bold=True)
        return
    large = shape.name == "octagon"
    if symbol in SIGNS:
        tint = f"on{scene.looks.get(name)}"
        fill = palette[tint] if tint in ("onplain", "onmountain", "onforest") else None
        dy, scale = ((-29, 0.52) if large else (-22, 0.42)) if filled else ((0, 1.0) if large else (-5, 0.72))
        yield sign(symbol, x, y + dy, palette, scale, fill)
    if title:
        yield text(x, y + (31 if large else 20), title, SMALLEST + 0.5 * large, palette["ink"], anchor="middle")


class _Tag(NamedTuple):
    """A small frame with a fact about an area; ``hint`` is the long text."""

    words: str
    hint: str
    changed: bool = False
    gone: bool = False

    def width(self, zoom: float) -> float:
        """The width of the frame."""
        return width(self.words, max(SMALLEST, 14.6 * zoom)) + 12 * zoom


def _tags(canvas: Canvas, name: str) -> Iterator[_Tag]:
    """The tags of an area: facts, values before the move, and the number of pieces without a place."""
    hints, items = canvas.scene.hints, canvas.change.items
    for words in canvas.scene.tags.get(name, ()):
        yield _Tag(words, hints.get(words, words), (name, f"tag({words})") in items)
    for (of, _), (was, now) in items.items():
        if of == name and now is None and was is not None and was.kind == "tag":
            yield _Tag(was.args[0], f"{hints.get(was.args[0], was.args[0])}, gone", True, True)
    beyond = canvas.dealt.beyond.get(name, ())
    if beyond:
        listed = (f"{f'{n}× ' if n > 1 else ''}{canvas.scene.called_in_full(look)}" for look, n in beyond)  # noqa: RUF001
        yield _Tag(f"+{sum(n for _, n in beyond)}", f"besides: {', '.join(listed)}")


def _fitting(canvas: Canvas, name: str, room: float) -> list[_Tag]:
    """The tags of an area, from the right. The tags for which there is no room become one, whose hint names them all."""
    zoom = canvas.scale("area")
    shown, hidden = list(_tags(canvas, name)), list[_Tag]()

    def all_of() -> list[_Tag]:
        hints, changed = ", ".join(tag.hint for tag in hidden), any(tag.changed for tag in hidden)
        return [*shown, _Tag("…", hints, changed)] if hidden else shown

    while shown and sum(tag.width(zoom) + 5 * zoom for tag in all_of()) > room:
        hidden.insert(0, shown.pop())
    return all_of()


def _tag(canvas: Canvas, tag: _Tag, x: float, y: float) -> str:
    """A tag, its left upper corner at x,y."""
    palette, zoom = canvas.palette, canvas.scale("area")
    size, w = max(SMALLEST, 14.6 * zoom), tag.width(zoom)
    stroke, thick = ("mark", 2.4) if tag.changed else ("ink", 1.6)
    parts = [
        box(
            x,
            y,
            w,
            22 * zoom,
            palette["page"],
            palette[stroke],
            width=thick,
            dash="4 3" if tag.gone else None,
        ),
        text(x + w / 2, y + 11 * zoom + size * 0.36, tag.words, size, palette["ink"], anchor="middle"),
    ]
    if tag.changed:
        parts.append((minus if tag.gone else plus)(palette, x + w - 1, y + zoom))
    return group(parts, label=tag.hint)


def _outline(canvas: Canvas, place: str, kind: str, filled: bool) -> Iterator[str]:
    """The caption and the outline of a place. A frame is always drawn, the outline of a piece only if the place is free."""
    palette, scale = canvas.palette, canvas.scale(kind)
    at = canvas.layout.places[place]
    caption = canvas.scene.captions.get(place)
    if caption:
        size = max(SMALLEST, 12 * canvas.scale("area"))
        yield text(at[0], at[1] + 27 * scale + size, caption, size, palette["ink"], bold=True, anchor="middle")
    name = canvas.scene.frames.get(place) or canvas.scene.geometry.outlines.get(kind)
    if name is None:
        return
    if name in FRAMES:
        parts = [path(FRAMES[name], palette["ground"], palette["line"], 1.6 / scale)]
        parts += [sign("crown", 0, -46, palette)] if name in CROWNED else []
        yield group(parts, at=at, scale=scale)
    elif not filled:
        d = sort_named(name).path
        yield group(
            [path(d, "none", palette["faint"], 1.4 / scale, f"{2 / scale:g} {3 / scale:g}")],
            at=at,
            scale=scale,
        )


def ties(canvas: Canvas) -> Iterator[str]:
    """Squares on the borders between neighbouring areas of one owner."""
    for one, other, owner in canvas.scene.ties:
        shapes = canvas.layout.areas.get(one), canvas.layout.areas.get(other)
        if shapes[0] is None or shapes[1] is None:
            continue
        fill, _ = canvas.palette.owner(owner)
        (ax, ay), (bx, by) = shapes[0].centre, shapes[1].centre
        if "diamond" in (shapes[0].name, shapes[1].name):
            diamond = shapes[0] if shapes[0].name == "diamond" else shapes[1]
            towards = (bx - ax, by - ay) if diamond is shapes[0] else (ax - bx, ay - by)
            cut = diamond.numbers[2]
            (x, y), turned = diamond.centre, 45
            x += 0.68 * cut * (1 if towards[0] > 0 else -1)
            y += 0.32 * cut * (1 if towards[1] > 0 else -1)
        else:
            x, y, turned = (ax + bx) / 2, (ay + by) / 2, 0
        yield element(
            "rect", x=x - 4.5, y=y - 4.5, width=9, height=9, fill=fill, stroke=canvas.palette["ink"],
            stroke_width=1.5, transform=f"rotate({turned} {x:g} {y:g})" if turned else None,
        )  # fmt: skip


def rings(canvas: Canvas) -> Iterator[str]:
    """Dashed rings around areas, each with its sign."""
    for name, symbol in canvas.scene.rings.items():
        shape = canvas.layout.areas.get(name)
        if shape is None:
            continue
        (x, y), corners = shape.centre, shape.corners
        inner = [(x + (cx - x) * 0.88, y + (cy - y) * 0.88) for cx, cy in corners]
        d = "M" + "L".join(f"{cx:g},{cy:g}" for cx, cy in inner) + "Z"
        yield path(d, "none", canvas.palette["page"], 5)
        yield path(d, "none", canvas.palette["ink"], 3, "7 5")
        if symbol in SIGNS:
            right = max(cx for cx, _ in inner)
            yield sign(symbol, right - 8, y, canvas.palette, 0.85)


# -- marks ---------------------------------------------------------------------------------------------------
#
# The changes of a move on the board: a dashed outline for a piece that has gone, an arrow for a move, ⊕ and ⊖.


_MOST_ARROWS: Final = 12
"""The largest number of movements with arrows; for more, only starts and ends are marked."""
_CURVES: Final = (0.18, -0.18, 0.3, -0.3, 0.42, -0.42, 0.08, -0.08)


def on_board(canvas: Canvas) -> list[str]:
    """The marks for the changes of a move, which lie over the board."""
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
            at = _beside_name(canvas, area, place, count)
            if at is not None:
                parts.append(piece(canvas, look, *at, 0.5 * canvas.scale("area"), status="ghost"))
                parts.append(minus(canvas.palette, at[0] - 17, at[1] - 9, small(0.5)))
        else:
            parts.append(piece(canvas, look, *places[place], canvas.scale(kind), status="ghost"))
            if (look, place) not in leaving:
                parts.append(minus(canvas.palette, *_corner(canvas, look.sort, place, kind), small(canvas.scale(kind))))
    for look, place, _ in change.brought:
        if place in places:
            kind = canvas.dealt.areas[place][1]
            parts.append(plus(canvas.palette, *_corner(canvas, look.sort, place, kind), small(canvas.scale(kind))))
    if len(change.moved) <= _MOST_ARROWS:
        for moved in change.moved:
            if moved.source in places and moved.target in places:
                parts += _arrow(canvas, places[moved.source], places[moved.target])
    return parts


def _corner(canvas: Canvas, sort: str, place: str, kind: str) -> Point:
    """The right upper corner of a piece."""
    (x, y), scale, half = canvas.layout.places[place], canvas.scale(kind), sort_named(sort).half
    return x + half[0] * scale, y - half[1] * scale + 2


def _beside_name(canvas: Canvas, area: str, place: str, count: int) -> Point | None:
    """The point for a small picture of a piece that has gone, if its place is occupied; None if there is no room.

    It is in the line of the area's name, or beside the place.
    """
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
    """A cased arrow with the curvature that stays farthest from other pieces; for a refused move, dashed, with a bar."""
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


def refusal_marks(canvas: Canvas) -> Iterator[str]:
    """The marks of an illegal move: a frame around the piece, a dashed arrow that ends in a bar, and ⊘ at its target."""
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
    return group([circle, path("M-7.5,-7.5L7.5,7.5", "none", palette["mark"], 3)], at=(x, y), label="not allowed")


def pins(canvas: Canvas) -> Iterator[str]:
    """The reasons against a move: a dotted frame around each place, and a pin with the number of the reason."""
    palette = canvas.palette
    numbers = []  # drawn last: otherwise the frames of close neighbours cover them
    for place, reason in canvas.pinned.items():
        at = canvas.layout.places.get(place)
        if at is None or place not in canvas.dealt.placed:
            continue
        kind, (look, _) = canvas.dealt.areas[place][1], canvas.dealt.placed[place]
        scale = canvas.scale(kind)
        w, h = (side * scale + 3 for side in sort_named(look.sort).half)
        x, y = at
        for colour, thickness, dash in (("page", 5.0, None), ("mark", 3.0, "0.5 5")):
            d = f"M{x - w:g},{y - h:g}H{x + w:g}V{y + h:g}H{x - w:g}Z"
            yield element(
                "path", d=d, fill="none", stroke=palette[colour], stroke_width=thickness, stroke_dasharray=dash,
                stroke_linecap="round",
            )  # fmt: skip
        numbers.append(pin(palette, x + w - 2, y - h + 2, reason))
    yield from numbers


def plus(palette: Palette, x: float, y: float, scale: float = 1.0) -> str:
    """The mark of an added piece."""
    return _disc(palette, x, y, scale, "M-4,0H4M0,-4V4")


def minus(palette: Palette, x: float, y: float, scale: float = 1.0) -> str:
    """The mark of a removed piece."""
    return _disc(palette, x, y, scale, "M-4,0H4")


def _disc(palette: Palette, x: float, y: float, scale: float, d: str) -> str:
    circle = element("circle", r=7.5, fill=palette["mark"], stroke=palette["page"], stroke_width=1.5)
    return group([circle, path(d, "none", palette["onmark"], 2)], at=(x, y), scale=scale)
