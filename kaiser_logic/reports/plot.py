"""The points over the moves, as a small picture: a line of steps for each player, told apart by letter and dashes too."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from ..drawing.svg.canvas import Canvas
from ..drawing.svg.palette import Palette
from ..drawing.svg.pen import element, escaped, path, text
from .story import Step

WIDTH: Final = 360
LEFT: Final = 30
RIGHT: Final = 336
"""Where the first and the last move stand, in px; the page's script counts on it."""
_TOP, _BOTTOM = 14, 150
_DASHES: Final = (None, "7 3", "2 3", "10 3 2 3", "5 2", "1 2")
_POINTS: Final = "number(star)"
"""The item of a panel that is a player's points."""


def points_of(step: Step) -> dict[str, int]:
    """Everybody's points after a move, as the panels show them."""
    if step.frame is None:
        return {}
    panels = step.frame.scene.panels
    return {
        role: item.number
        for role, items in panels.items()
        for item in items
        if item.key == _POINTS and item.number is not None
    }


def plot(steps: Sequence[Step]) -> str:
    """The plot as SVG in the theme of the page; empty for a game whose panels show no points."""
    series = [points_of(step) for step in steps]
    roles = tuple(dict.fromkeys(role for points in series for role in points))
    first = next((s.frame for s in steps if s.frame is not None), None)
    if not roles or first is None or len(steps) < 2:
        return ""
    palette = Palette("auto", first.scene.seats)
    canvas = Canvas(first.scene, first.dealt, first.scene.geometry.layout(), palette)
    values = [n for points in series for n in points.values()]
    low, high = min(0, *values), max(5, *values)

    def x(k: float) -> float:
        return LEFT + (RIGHT - LEFT) * k / (len(steps) - 1)

    def y(n: float) -> float:
        return _BOTTOM - (_BOTTOM - _TOP) * (n - low) / (high - low)

    parts = [path(f"M{LEFT},{_TOP}V{_BOTTOM}H{RIGHT}", "none", palette["line"], 1)]
    every = max(1, -(-(high - low) // 5))
    for n in range(low + -low % every, high + 1, every):
        parts.append(text(LEFT - 5, y(n) + 4, str(n), 11, palette["soft"], anchor="end"))
        parts.append(path(f"M{LEFT},{y(n):.1f}H{RIGHT}", "none", palette["cell2"], 1))
    parts += _sections(steps, x, palette)
    ends = _apart({role: y(next(p[role] for p in reversed(series) if role in p)) for role in roles})
    for i, role in enumerate(roles):
        line = _line([(x(k), y(p[role])) for k, p in enumerate(series) if role in p])
        fill, ink = palette.owner(role)
        parts.append(path(line, "none", palette["ink"], 4.2))
        parts.append(path(line, "none", fill, 2.4, None))
        if i:
            parts.append(path(line, "none", ink, 1.1, _DASHES[i % len(_DASHES)]))
        parts.append(element("circle", cx=RIGHT + 10, cy=ends[role], r=8, fill=fill, stroke=palette["ink"]))
        parts.append(
            text(RIGHT + 10, ends[role] + 4, canvas.letter(role), 11, ink, bold=True, anchor="middle")
        )
    parts.append(
        element(
            "line",
            class_="cursor",
            x1=LEFT,
            x2=LEFT,
            y1=_TOP,
            y2=_BOTTOM,
            stroke=palette["mark"],
            stroke_width=2,
        )
    )
    totals = ", ".join(
        f"{first.scene.say(r)} {next(p[r] for p in reversed(series) if r in p)}" for r in roles
    )
    return (
        f'<svg class="plot" role="img" aria-label="{escaped(f"points at the end: {totals}")}"'
        f' viewBox="0 0 {WIDTH} 172" width="{WIDTH}" height="172">{"".join(parts)}</svg>'
    )


def _line(points: Sequence[tuple[float, float]]) -> str:
    """A path of steps: it goes on level until the number changes."""
    d = f"M{points[0][0]:.1f},{points[0][1]:.1f}"
    last = points[0][1]
    for x, y in points[1:]:
        if y != last:
            d += f"H{x:.1f}V{y:.1f}"
            last = y
    return f"{d}H{points[-1][0]:.1f}"


def _sections(steps: Sequence[Step], x: Callable[[float], float], palette: Palette) -> list[str]:
    """A line and a name where a new part of the game begins, such as a round."""
    parts = []
    last, edge = "", -99.0
    for k, step in enumerate(steps):
        name = step.frame.scene.aside[0] if step.frame is not None and step.frame.scene.aside else ""
        if name and name != last:
            last = name
            parts.append(path(f"M{x(k):.1f},{_TOP}V{_BOTTOM + 4}", "none", palette["faint"], 1, "2 3"))
            short = name.split(" of ")[0].removeprefix("Round ")[:12]
            if x(k) > edge + 8 and x(k) < RIGHT - 10:
                parts.append(text(x(k) + 2, _BOTTOM + 16, short, 11, palette["soft"]))
                edge = x(k) + 7 * len(short)
    return parts


def _apart(places: dict[str, float]) -> dict[str, float]:
    """The places of letters at the right, moved so far apart that none covers another."""
    found: dict[str, float] = {}
    last = -99.0
    for role, y in sorted(places.items(), key=lambda item: item[1]):
        last = found[role] = max(y, last + 17)
    last = 180.0
    for role, y in sorted(found.items(), key=lambda item: -item[1]):
        last = found[role] = min(y, last - 17)
    return found
