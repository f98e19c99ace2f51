"""The pictures of many positions, each part kept once: what most moves leave as it was costs nothing.

A picture is a list of groups, a group a list of texts; equal ones have the same number.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..drawing.frame import Frame
from ..drawing.svg.canvas import Canvas, Kept
from ..drawing.svg.palette import Palette
from ..drawing.svg.pen import escaped
from ..drawing.svg.picture import Picture, draw, panel_rows
from .story import Step


class Reel:
    """Pictures in the theme of the page they stand in, for every layout.

    Attributes:
        texts: All parts of groups, as SVG.
        groups: All groups: numbers of texts.
        layouts: For each layout its name and width.
        frames: For each layout and position: height, title, numbers of groups; None without a picture.
    """

    def __init__(self, steps: Iterable[Step]) -> None:
        """Draws the positions of these steps."""
        self.texts: list[str] = []
        self.groups: list[list[int]] = []
        self._text: dict[str, int] = {}
        self._group: dict[tuple[int, ...], int] = {}
        steps = list(steps)
        first = next((s.frame for s in steps if s.frame is not None), None)
        layouts = first.scene.geometry.layouts if first is not None else ()
        self.layouts = [{"name": one.name, "width": one.width} for one in layouts]
        self.frames: list[list[list[Any] | None]] = []
        self.first: list[Picture] = []
        for layout in layouts:
            least: dict[int, float] = {}
            kept: Kept = {}
            for step in steps:
                if step.frame is not None:
                    for row, height in _heights(step.frame, layout.name, kept):
                        least[row] = max(height, least.get(row, 0))
            self.frames.append([self._drawn(step, layout.name, least, kept) for step in steps])

    def _drawn(self, step: Step, layout: str, least: dict[int, float], kept: Kept) -> list[Any] | None:
        if step.frame is None:
            return None
        picture = draw(
            step.frame,
            layout=layout,
            theme="auto",
            least=least,
            pinned=step.pinned,
            tried=step.tried,
            kept=kept,
        )
        numbers = []
        for group in picture.groups:
            label = f' aria-label="{escaped(group.label)}"' if group.label else ""
            parts = tuple(self._number(part) for part in (f'<g role="group"{label}>', *group.parts))
            if parts not in self._group:
                self._group[parts] = len(self.groups)
                self.groups.append(list(parts))
            numbers.append(self._group[parts])
        return [picture.height, picture.title, numbers]

    def _number(self, text: str) -> int:
        if text not in self._text:
            self._text[text] = len(self.texts)
            self.texts.append(text)
        return self._text[text]

    def svg(self, layout: int, step: int) -> str:
        """One of the pictures, put together as the page does it."""
        frame = self.frames[layout][step]
        if frame is None:
            return ""
        height, title, numbers = frame
        width = self.layouts[layout]["width"]
        inner = "".join("".join(self.texts[i] for i in self.groups[g]) + "</g>" for g in numbers)
        return (
            f'<svg role="group" aria-label="{escaped(title)}" viewBox="0 0 {width} {height:g}"'
            f' width="{width}" height="{height:g}">{inner}</svg>'
        )

    def as_json(self) -> dict[str, Any]:
        """What the page's script needs."""
        return {"texts": self.texts, "groups": self.groups, "layouts": self.layouts, "frames": self.frames}


def _heights(frame: Frame, layout: str, kept: Kept) -> Iterable[tuple[int, float]]:
    """How high the rows of panels are with what the frame marks in them."""
    scene = frame.scene
    before = (frame.before.scene, frame.before.dealt) if frame.before is not None else None
    palette = Palette("light", scene.seats)
    geometry = scene.geometry.layout(layout)
    canvas = Canvas(scene, frame.dealt, geometry, palette, frame.change, before, kept=kept)
    for row, (_, _, height) in enumerate(panel_rows(canvas)):
        yield row, height
