"""Pictures of positions as data for the page: parts as texts, each once, and where areas and places lie."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from ..drawing.change import Change
from ..drawing.dealing import Deal, deal
from ..drawing.frame import Frame
from ..drawing.geometry import Geometry
from ..drawing.problems import problems
from ..drawing.scene import Look, Scene, scene
from ..drawing.svg.canvas import DrawnParts
from ..drawing.svg.pen import escaped
from ..drawing.svg.picture import draw
from ..drawing.text import changed, render
from ..errors import WrongUsage
from ..position import Position
from .state import State, text_of

MOST: Final = 64
"""So many pictures at most in an answer."""

_RADIUS: Final = 27
"""Of a ring round a piece, in px, where pieces are drawn in their own size."""


@dataclass
class Sheet:
    """Pictures in one layout, in the colours of the page; equal parts are kept once.

    Attributes:
        layout: The layout's name.
        texts: The groups of all pictures, as SVG.
    """

    layout: str
    texts: list[str] = field(default_factory=list)
    _numbers: dict[str, int] = field(default_factory=dict)
    _drawn_parts: DrawnParts = field(default_factory=dict)

    def picture(
        self,
        frame: Frame,
        pinned: Mapping[str, str] | None = None,
        tried: Frame | None = None,
    ) -> dict[str, Any]:
        """A picture: its size, what it shows, the numbers of its groups, what changed, and where the pieces stand."""
        drawn = draw(
            frame,
            layout=self.layout,
            theme="auto",
            pinned=pinned or {},
            tried=tried,
            drawn_parts=self._drawn_parts,
            named=True,
        )
        numbers = []
        for group in drawn.groups:
            label = f' aria-label="{escaped(group.label)}"' if group.label else ""
            inner = "".join(group.parts)
            numbers.append(
                self._number(f'<g role="group" data-name="{escaped(group.name)}"{label}>{inner}</g>')
            )
        return {
            "width": drawn.width,
            "height": drawn.height,
            "title": drawn.title,
            "groups": numbers,
            "changes": frame.change_lines,
            "deal": {place: [*look, count] for place, (look, count) in frame.dealt.placed.items()},
        }

    def as_json(self) -> dict[str, Any]:
        """What the pictures share."""
        return {"texts": self.texts, "layout": self.layout}

    def _number(self, text: str) -> int:
        if text not in self._numbers:
            self._numbers[text] = len(self.texts)
            self.texts.append(text)
        return self._numbers[text]


def sheet_of(data: Mapping[str, Any]) -> Sheet:
    """An empty sheet as the page wants it."""
    return Sheet(text_of(data, "layout", "wide")[:40])


def boards(data: Mapping[str, Any]) -> dict[str, Any]:
    """The pictures of a sequence of places, each with the change from the one before.

    ``before``, where it is given, is the place before the first one.
    """
    places = data.get("states")
    if not isinstance(places, list) or not 0 < len(places) <= MOST:
        raise WrongUsage(f"states is to be a list of 1 to {MOST} places")
    tags = {"tags": data.get("tags"), "board": data.get("board")}
    frame = None
    if data.get("before") is not None:
        frame = frame_of(_shown(tags, data["before"]), data["before"].get("deal"))
    sheet, found = sheet_of(data), []
    earlier: Position | None = None
    for place in places:
        position = _shown(tags, place)
        shown = scene(position)
        if shown is None:
            found.append(as_text(position, earlier))
        elif frame is not None and earlier is not None and earlier.symbols == position.symbols:
            found.append(sheet.picture(Frame(frame.scene, frame.dealt)))
        else:
            refuse(shown)
            frame = Frame.after(shown, frame)
            found.append(sheet.picture(frame))
        earlier = position
    return {"pictures": found, **sheet.as_json()}


def _shown(tags: Mapping[str, Any], place: Any) -> Position:
    if not isinstance(place, dict):
        raise WrongUsage("a place in a game is an object with facts")
    return State.of({**tags, "facts": place.get("facts")}).position()


def as_text(position: Position, before: Position | None = None) -> dict[str, Any]:
    """A position of a game without pictures: its text."""
    return {"text": render(position), "changes": changed(before, position) if before is not None else []}


def refuse(shown: Scene) -> None:
    """WrongUsage where a scene cannot be drawn."""
    wrong = problems(shown)
    if wrong:
        raise WrongUsage(f"this cannot be drawn: {wrong[0]}")


def frame_of(position: Position, placed: Any = None) -> Frame | None:
    """The frame of a position whose pieces stand where the page has them, as far as that can be; None without picture.

    Args:
        position: What is to be seen.
        placed: Place to sort, owner, label and number of the piece there, from an earlier answer.
    """
    shown = scene(position)
    if shown is None:
        return None
    refuse(shown)
    known: dict[str, tuple[Look, int]] = {}
    looks = {piece.look for piece in shown.pieces}
    for place, piece in placed.items() if isinstance(placed, dict) else ():
        if isinstance(piece, list) and len(piece) == 4 and all(isinstance(part, str) for part in piece[:3]):
            look = Look(*piece[:3])
            if look in looks and isinstance(piece[3], int):
                known[place] = look, piece[3]
    return Frame(shown, deal(shown, Deal(known, {}, {})))


def geometry_json(geometry: Geometry) -> list[dict[str, Any]]:
    """Where areas lie, and places, for each layout, the widest first.

    Of a place: its centre, the radius of a piece there, its area, its kind.
    """
    slots = {place: slot for slot, places in geometry.slots.items() for place in places}
    return [
        {
            "name": layout.name,
            "width": layout.width,
            "areas": {name: list(map(list, shape.corners)) for name, shape in layout.areas.items()},
            "places": {
                place: [*point, round(_RADIUS * layout.scales.get(kind, 1.0)), area, kind]
                for place, point in layout.places.items()
                for kind, area in (slots.get(place, ("", "")),)
            },
        }
        for layout in geometry.layouts
    ]


def touched(before: Frame, after: Frame) -> dict[str, Any]:
    """What an action does to the board: areas in which something is different, places that are left and taken.

    Besides, the items of panels and boxes that are different, and what moves from which place to which.
    """
    change: Change = after.change
    old, new = before.dealt.areas, after.dealt.areas
    left = [m.source for m in change.moved] + [place for _, place, _ in change.taken]
    taken = [m.target for m in change.moved] + [place for _, place, _ in change.brought]
    areas = {old[place][0]: None for place in left} | {new[place][0]: None for place in taken}
    one, other = before.scene, after.scene
    for then, now in ((one.rings, other.rings), (one.looks, other.looks), (one.tags, other.tags)):
        areas |= {area: None for area in {*then, *now} if then.get(area) != now.get(area)}
    areas |= {of: None for (of, _) in change.items}
    items = [f"{of} {key}" for of, key in change.items]
    moved = [[m.source, m.target] for m in change.moved]
    return {"areas": list(areas), "from": left, "to": taken, "items": items, "moves": moved}
