"""A whole picture: head, board, marks, panels and boxes as groups, and the SVG made of them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar, cast

from ..frame import Frame
from ..scene import Box, Scene, Shape
from . import board, panels
from .board import on_board, pins, refusal_marks
from .canvas import Canvas, DrawnParts, fills
from .pen import ROOT, Palette, element, escape, fit, group, path, text, variables, width
from .shapes import SORTS

T = TypeVar("T")

_MOST_PARTS: Final = 20_000
"""The largest number of parts that are kept. If there are more, all are dropped."""
_MARGIN: Final = 8
_GAP: Final = 6


@dataclass(frozen=True)
class Group:
    """A group of parts of a picture; ``label`` is its name for screen readers."""

    name: str
    label: str
    parts: tuple[str, ...]

    def __str__(self) -> str:
        """The group as SVG."""
        return element("g", *self.parts, role="group", aria_label=self.label or None)


@dataclass(frozen=True)
class Picture:
    """A picture: its size in px, a sentence about its content, and its groups from the back to the front."""

    width: int
    height: float
    title: str
    groups: tuple[Group, ...]

    def svg(self, theme: str = "light", marks: str = "") -> str:
        """The picture as SVG.

        Args:
            theme: The theme in which the groups were drawn. With ``auto`` the SVG defines the variables of the colours; with
                ``inline`` the page that contains it does.
            marks: The description for screen readers; by default the title.
        """
        palette = Palette("auto" if theme == "inline" else theme)
        style = ["<style>", variables(".kl"), "</style>"] if theme == "auto" else []
        back = element("rect", width=self.width, height=self.height, fill=palette["page"])
        return element(
            "svg",
            f"<title>{escape(self.title)}</title>",
            f"<desc>{escape(marks or self.title)}</desc>",
            *style,
            back,
            *map(str, self.groups),
            **ROOT,
            class_="kl",
            role="img",
            viewBox=f"0 0 {self.width} {self.height:g}",
            width=self.width,
            height=self.height,
        )


def draw(
    frame: Frame,
    *,
    layout: str | None = None,
    theme: str = "light",
    least: Mapping[int, float] | None = None,
    pinned: Mapping[str, str] | None = None,
    tried: Frame | None = None,
    drawn_parts: DrawnParts | None = None,
    has_names: bool = False,
) -> Picture:
    """The picture of a frame.

    Args:
        frame: The frame.
        layout: The name of one of the game's layouts; by default the widest.
        theme: One of `styles.THEMES`.
        least: The smallest height of each row of panels, so that a sequence of pictures keeps its size.
        pinned: The reasons against a move: see `Canvas.pinned`.
        tried: The frame to which an illegal move would have led; it is marked as refused.
        drawn_parts: See `Canvas.drawn_parts`; empty for the first of several pictures.
        has_names: See `Canvas.has_names`.
    """
    scene = frame.scene
    before = (frame.before.scene, frame.before.dealt) if frame.before is not None else None
    canvas = Canvas(
        scene,
        frame.dealt,
        scene.geometry.layout(layout),
        Palette(theme, scene.seats),
        frame.change,
        before,
        pinned or {},
        tried,
        {} if drawn_parts is None else drawn_parts,
        has_names,
    )
    groups = [Group("head", "", tuple(_head(canvas)))]
    inside = {box.name: box for box in scene.boxes if box.name in canvas.layout.areas}
    for name, shape in canvas.layout.areas.items():
        groups.append(Group(name, scene.area_called(name), _area(canvas, name, shape, inside.get(name))))
    groups.append(Group("ties", "", _draw_once(canvas, ("ties", scene.ties), lambda: tuple(board.ties(canvas)))))
    groups.append(Group("rings", "", tuple(board.rings(canvas))))
    groups.append(Group("marks", "", (*on_board(canvas), *refusal_marks(canvas), *pins(canvas))))
    y = canvas.layout.bottom + 8
    for row, (roles, w, height) in enumerate(panel_rows(canvas)):
        height = max(height, (least or {}).get(row, 0))
        for i, role in enumerate(roles):
            x = _MARGIN + i * (w + _GAP)
            groups.append(Group(role, scene.say(role), _panel(canvas, role, (x, y, w, height))))
        y += height + _GAP
    for shown in scene.boxes:
        if shown.name in inside or shown.name in scene.geometry.optional:
            continue
        if shown.items or shown.title:
            parts, height = _box(canvas, shown, y)
            groups.append(Group(shown.name, shown.title, parts))
            y += height + _GAP
    return Picture(canvas.layout.width, round(y + 2), summary(scene), tuple(g for g in groups if g.parts))


def _area(canvas: Canvas, name: str, shape: Shape, shown: Box | None) -> tuple[str, ...]:
    """The parts of an area, including the box in it, if there is one."""

    def make() -> tuple[str, ...]:
        parts = board.area(canvas, name, shape)
        if shown is not None:
            left, top, right, bottom = shape.box
            parts += panels.draw_box(canvas, shown, left, top, right - left, bottom - top)[0]
        return tuple(parts)

    return _draw_once(canvas, ("area", name, *board.matters(canvas, name), shown, *canvas.matters(name)), make)


def _panel(canvas: Canvas, role: str, place: tuple[float, float, float, float]) -> tuple[str, ...]:
    """The parts of a player's panel."""
    key = (
        "panel",
        role,
        place,
        canvas.scene.panels[role],
        role in canvas.scene.deciding,
        *canvas.matters(role),
    )
    return _draw_once(canvas, key, lambda: tuple(panels.panel(canvas, role, *place)))


def _box(canvas: Canvas, shown: Box, y: float) -> tuple[tuple[str, ...], float]:
    """The parts and the height of a box below the board."""

    def make() -> tuple[tuple[str, ...], float]:
        parts, height = panels.draw_box(canvas, shown, _MARGIN, y, canvas.layout.width - 2 * _MARGIN)
        return tuple(parts), height

    return _draw_once(canvas, ("box", shown, y, *canvas.matters(shown.name)), make)


def _draw_once(canvas: Canvas, key: tuple[Hashable, ...], make: Callable[[], T]) -> T:
    """The drawing for a key: kept, or made now."""
    if key not in canvas.drawn_parts:
        if len(canvas.drawn_parts) > _MOST_PARTS:
            canvas.drawn_parts.clear()
        canvas.drawn_parts[key] = make()
    return cast(T, canvas.drawn_parts[key])


def panel_rows(canvas: Canvas) -> list[tuple[tuple[str, ...], float, float]]:
    """The rows of panels: the roles, the width of each panel, and the height of the row."""
    seats, full = canvas.scene.seats, canvas.layout.width - 2 * _MARGIN
    most = max(1, int((full + _GAP) // (132 + _GAP)))
    count = -(-len(seats) // most)
    per = -(-len(seats) // count)
    w = (full - _GAP * (per - 1)) / per
    rows = []
    for start in range(0, len(seats), per):
        roles = seats[start : start + per]
        rows.append((roles, w, max(_panel_height(canvas, role, w) for role in roles)))
    return rows


def _panel_height(canvas: Canvas, role: str, w: float) -> float:
    key = "height", role, w, canvas.scene.panels[role], *canvas.matters(role)
    return _draw_once(canvas, key, lambda: panels.panel_height(canvas, role, w))


def summary(scene: Scene) -> str:
    """A line about a position: the decision, and the part of the game."""
    return " · ".join(filter(None, [_question(scene), *scene.aside]))


def _question(scene: Scene) -> str:
    """The pending decision, and its roles."""
    if scene.headings:
        return " · ".join(scene.headings)
    by_decision: dict[str, list[str]] = {}
    for role, decision in scene.deciding.items():
        by_decision.setdefault(decision, []).append(role)
    sentences = []
    for decision, roles in by_decision.items():
        ordered = sorted(roles, key=lambda r: scene.seats.index(r) if r in scene.seats else -1)
        joint = scene.say(f"together({decision})")
        if len(roles) > 1 and joint != f"together({decision})":
            sentences.append(f"{', '.join(map(scene.say, ordered))} {joint}")
        else:
            sentences += [scene.say(f"decision({role},{decision})") for role in ordered]
    text = "; ".join(sentences)
    return text[:1].upper() + text[1:]


def _head(canvas: Canvas) -> list[str]:
    """The roles that decide, with their shields, and the phase on the right."""
    scene, palette, layout = canvas.scene, canvas.palette, canvas.layout
    x = float(_MARGIN)
    parts = []
    for role in (r for r in scene.seats if r in scene.deciding):
        fill, ink = fills(canvas, role)
        letter = text(0, 7, canvas.letter(role), 19, ink, bold=True, anchor="middle")
        parts.append(
            group([path(SORTS["shield"].path, fill, palette["ink"], 1.8), letter], at=(x + 12, 19), scale=0.72)
        )
        x += 25
    aside = " · ".join(scene.aside)
    size = 15 if layout.width >= 600 else 13
    room = layout.width - _MARGIN - width(aside, size - 1) - 14
    question = _question(scene)
    start = x + (6 if x > _MARGIN else 0)
    if width(question, size, True) > room - start:
        parts.append(
            text(
                start,
                15,
                fit(question, size, layout.width - start - _MARGIN, True),
                size,
                palette["ink"],
                bold=True,
            )
        )
        parts.append(text(layout.width - _MARGIN, 33, aside, 12, palette["soft"], anchor="end"))
        return parts
    parts.append(text(start, 24.5, question, size, palette["ink"], bold=True))
    parts.append(text(layout.width - _MARGIN, 24.5, aside, size - 1, palette["soft"], anchor="end"))
    return parts


# -- text picture --------------------------------------------------------------------------------------------
#
# The picture of a game without picture rules: its text drawing, in a font of fixed width.


_LETTER_WIDTH: Final = 7.3
"""The width of a letter of the fixed width font at its size, in px."""
_LINE_HEIGHT: Final = 17


def text_picture(lines: Sequence[str], theme: str = "light", marks: Sequence[str] = ()) -> Picture:
    """A picture of lines of text; ``marks`` are the changes, in the colour of marks."""
    palette = Palette(theme)
    shown = [*((line, "ink") for line in lines), *((line, "mark") for line in marks)]
    texts = [
        element(
            "text", escape(line), x=12, y=24 + _LINE_HEIGHT * i, fill=palette[colour], font_size=12,
            font_family="DejaVu Sans Mono, monospace", xml__space="preserve",
        )
        for i, (line, colour) in enumerate(shown)
        if line.strip()
    ]  # fmt: skip
    width = max(360, round(24 + _LETTER_WIDTH * max((len(line) for line, _ in shown), default=0)))
    title = next((line for line in lines if line.strip()), "")
    return Picture(width, 36 + _LINE_HEIGHT * len(shown), title, (Group("text", "", tuple(texts)),))
