"""Positions drawn as SVG pictures."""

from __future__ import annotations

from ..errors import WrongUsage
from ..position import Position
from . import text
from .frame import Frame
from .problems import problems
from .scene import scene
from .svg.picture import Picture, draw, text_picture


def render(
    position: Position, before: Position | None = None, theme: str = "light", layout: str | None = None
) -> str:
    """The position as the text of an SVG file; of a game without picture rules its text in a grid."""
    picture, changes = pictured(position, before, theme, layout)
    return picture.svg(theme, ". ".join([picture.title, *changes]))


def pictured(
    position: Position, before: Position | None = None, theme: str = "light", layout: str | None = None
) -> tuple[Picture, list[str]]:
    """The picture of a position, and what has changed in words."""
    shown = scene(position)
    if shown is None:
        changes = text.changed(before, position) if before is not None else []
        return text_picture(text.render(position).splitlines(), theme, changes), changes
    wrong = problems(shown)
    if wrong:
        raise WrongUsage(f"the picture rules of {position.ruleset.id}: {'; '.join(wrong[:3])}")
    earlier = scene(before) if before is not None else None
    frame = Frame.after(shown, Frame.after(earlier) if earlier is not None else None)
    return draw(frame, layout=layout, theme=theme), frame.change_lines
