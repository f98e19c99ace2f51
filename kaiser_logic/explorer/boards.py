"""Pictures of positions as data for the page: shared parts, and the places of areas and pieces."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Final

from ..answers.question_reader import Handler, Most, NotRepeated, unknown
from ..drawing.frame import Deal, Frame, FrameChange, deal
from ..drawing.image import problems
from ..drawing.scene import Geometry, Look, Scene, scene
from ..drawing.svg.canvas import Canvas, DrawnParts, piece, sort_named
from ..drawing.svg.pen import Palette, element, escape, group, path, text
from ..drawing.svg.picture import draw
from ..drawing.svg.shapes import CHIPS, FRAMES, SIGNS, SORTS, sign
from ..drawing.text import changes_of, render
from ..errors import WrongUsage
from ..position import Position
from .state import PlacedPieces, RequestedGame, State, Texts

MOST: Final = 64
"""The largest number of pictures in an answer."""

_RADIUS: Final = 27
"""The radius of a ring around a piece of scale 1, in px."""


@dataclass
class Sheet:
    """Pictures in one layout, in the colours of the page. Equal groups are stored once.

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
        """A picture: its size and title, the numbers of its groups, the changes, the moves and the places of pieces."""
        drawn = draw(
            frame,
            layout=self.layout,
            theme="auto",
            pinned=pinned or {},
            tried=tried,
            drawn_parts=self._drawn_parts,
            has_names=True,
        )
        numbers = []
        for one in drawn.groups:
            label = f' aria-label="{escape(one.label)}"' if one.label else ""
            inner = "".join(one.parts)
            numbers.append(self._number(f'<g role="group" data-name="{escape(one.name)}"{label}>{inner}</g>'))
        return {
            "width": drawn.width,
            "height": drawn.height,
            "title": drawn.title,
            "groups": numbers,
            "changes": frame.change_lines,
            "moves": [[moved.source, moved.target] for moved in frame.change.moved],
            "deal": {place: [*look, count] for place, (look, count) in frame.dealt.placed.items()},
        }

    def as_json(self) -> dict[str, Any]:
        """The parts that the pictures share."""
        return {"texts": self.texts, "layout": self.layout}

    def _number(self, text: str) -> int:
        if text not in self._numbers:
            self._numbers[text] = len(self.texts)
            self.texts.append(text)
        return self._numbers[text]


def sheet_of(shown: Scene, layout: str | None) -> Sheet:
    """An empty sheet in the layout of a name; by default in the widest."""
    names = [one.name for one in shown.geometry.layouts]
    if layout is not None and layout not in names:
        raise WrongUsage(unknown("layout", layout, names))
    return Sheet(layout or names[0])


@dataclass(frozen=True, kw_only=True)
class DrawnPlace:
    """A place that is to be drawn.

    Attributes:
        facts: The position.
        deal: The pieces at their places on the page.
    """

    facts: Texts
    deal: PlacedPieces = None


@dataclass(frozen=True, kw_only=True)
class BoardsQuestion(RequestedGame):
    """A sequence of places, which are to be drawn.

    Attributes:
        states: The places.
        before: The place before the first one, if there is one.
        layout: The layout of the board; by default the widest.
    """

    states: Annotated[tuple[DrawnPlace, ...], Most(MOST), NotRepeated]
    before: Annotated[DrawnPlace | None, NotRepeated] = None
    layout: str | None = None

    def position(self, place: DrawnPlace) -> Position:
        """One of its places as a position."""
        return State(tags=self.tags, board=self.board, facts=place.facts).position()


@Handler
def boards(question: BoardsQuestion) -> dict[str, Any]:
    """The pictures of a sequence of places, each with the changes since the one before it."""
    if not question.states:
        raise WrongUsage("states must have at least one place")
    before, frame = question.before, None
    if before is not None:
        frame = frame_of(question.position(before), before.deal)
    sheet, pictures = Sheet(question.layout or ""), list[dict[str, Any]]()
    earlier: Position | None = None
    for place in question.states:
        position = question.position(place)
        shown = scene(position)
        if shown is None:
            pictures.append(as_text(position, earlier))
            earlier = position
            continue
        if earlier is None:
            sheet = sheet_of(shown, question.layout)
        if frame is not None and earlier is not None and earlier.symbols == position.symbols:
            pictures.append(sheet.picture(Frame(frame.scene, frame.dealt)))
        else:
            refuse(shown)
            frame = Frame.frame_of(shown, frame)
            pictures.append(sheet.picture(frame))
        earlier = position
    return {"pictures": pictures, **sheet.as_json()}


def as_text(position: Position, before: Position | None = None) -> dict[str, Any]:
    """A position of a game without pictures: its text."""
    return {"text": render(position), "changes": changes_of(before, position) if before is not None else []}


def refuse(shown: Scene) -> None:
    """WrongUsage if a scene cannot be drawn."""
    wrong = problems(shown)
    if wrong:
        raise WrongUsage(f"this cannot be drawn: {wrong[0]}")


def frame_of(position: Position, placed: PlacedPieces = None) -> Frame | None:
    """The frame of a position, in which pieces keep the places that they have on the page; None for a game without pictures.

    Args:
        position: The position.
        placed: Place to sort, owner, label and number of the piece there, from an earlier answer.
    """
    shown = scene(position)
    if shown is None:
        return None
    refuse(shown)
    known: dict[str, tuple[Look, int]] = {}
    looks = {one.look for one in shown.pieces}
    for place, (sort, owner, label, number) in (placed or {}).items():
        if (look := Look(sort, owner, label)) in looks:
            known[place] = look, number
    return Frame(shown, deal(shown, Deal(known, {}, {})))


def geometry_json(geometry: Geometry) -> list[dict[str, Any]]:
    """The corners of areas and the places in each layout, the widest layout first.

    A place is given by its centre, the radius of a ring around a piece there, its area and its kind.
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


def visible_effects(before: Frame, after: Frame) -> dict[str, Any]:
    """The visible effects of an action: changed areas and items, places left and taken, and moves from place to place."""
    change: FrameChange = after.change
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


# -- legend --------------------------------------------------------------------------------------------------
#
# The legend of a board: each sign that a position shows, with a sample and its meaning.


Entry = tuple[str, str]
"""A sample as SVG, centred at 0,0, within 44 px; and its words."""

_LARGE: Final = 20.0
"""Half the size to which samples are scaled, in px."""


@Handler
def legend(question: State) -> dict[str, Any]:
    """The legend of a place in a game, by chapters. Signs without words are left out."""
    shown = scene(question.position())
    if shown is None:
        return {"chapters": []}
    refuse(shown)
    canvas = Canvas(shown, deal(shown), shown.geometry.layout(), Palette("auto", shown.seats))
    chapters = (
        ("Pieces", _pieces(canvas)),
        ("What is written on them", _labels(canvas)),
        ("Whose they are", _owners(canvas)),
        ("Places", _places(canvas)),
        ("Signs", _signs(canvas)),
        ("Tags", _tags(canvas)),
    )
    sections = [(title, list(dict.fromkeys(entries))) for title, entries in chapters]
    return {"chapters": [{"title": title, "entries": some} for title, some in sections if some]}


def _pieces(canvas: Canvas) -> Iterator[Entry]:
    """Each sort of piece on the board and in the panels, without an owner."""
    supplies = [item.args[0] for items in canvas.scene.panels.values() for item in items if item.kind == "supply"]
    for name in dict.fromkeys([*(p.look.sort for p in canvas.scene.pieces), *supplies]):
        words = canvas.scene.say_in_full(name)
        if words and name in SORTS:
            yield piece(canvas, Look(name, "none", "none"), 0, 0, _LARGE / max(sort_named(name).half)), words


def _labels(canvas: Canvas) -> Iterator[Entry]:
    """The labels of pieces, with their meanings."""
    for shown in canvas.scene.pieces:
        look = shown.look
        words = canvas.scene.say_in_full(look.label)
        if words != canvas.scene.say(look.label):
            bare = Look(look.sort, look.owner if look.owner in CHIPS else "none", look.label)
            yield piece(canvas, bare, 0, 0, _LARGE / max(sort_named(look.sort).half)), words


def _owners(canvas: Canvas) -> Iterator[Entry]:
    """The letters of the players, and of other owners of pieces."""
    owners = [*canvas.scene.seats, *(shown.look.owner for shown in canvas.scene.pieces)]
    for owner in dict.fromkeys(owners):
        if canvas.letter(owner):
            fill, ink = canvas.palette.owner(owner) if owner in canvas.scene.seats else ("#ffffff", "#000000")
            letter = text(0, 7, canvas.letter(owner), 19, ink, bold=True, anchor="middle")
            shield = path(SORTS["shield"].path, fill, canvas.palette["ink"], 1.8)
            yield group([shield, letter], scale=0.9), canvas.scene.say(owner)


def _places(canvas: Canvas) -> Iterator[Entry]:
    """The outlines of free places."""
    for kind, name in canvas.scene.geometry.outlines.items():
        words = canvas.scene.say_in_full(f"place({kind})")
        if words.startswith("place("):
            continue
        if name in FRAMES:
            yield _frame(canvas, name), words
        elif name in SORTS:
            outline = path(SORTS[name].path, "none", canvas.palette["faint"], 1.4, "2 3")
            yield group([outline], scale=_LARGE / max(SORTS[name].half)), words


def _frame(canvas: Canvas, name: str) -> str:
    """A sample of a frame."""
    reach = max(abs(float(n)) for n in re.findall(r"-?[\d.]+", FRAMES[name]))
    outline = path(FRAMES[name], canvas.palette["ground"], canvas.palette["line"])
    return group([outline], scale=1.1 * _LARGE / reach)


def _signs(canvas: Canvas) -> Iterator[Entry]:
    """The signs of areas and panels."""
    shown = canvas.scene
    items = [item for listed in shown.panels.values() for item in listed]
    names = [item.args[0] for item in items if item.kind in ("number", "sign")]
    for name in dict.fromkeys([*shown.signs.values(), *names, *shown.rings.values(), *shown.frames.values()]):
        words = shown.say_in_full(name)
        if name in SIGNS and _has_words(shown, name):
            yield sign(name, 0, 0, canvas.palette, 1.3), words
        elif name in FRAMES and _has_words(shown, name):
            yield _frame(canvas, name), words
    yield sign("decide", 0, 0, canvas.palette, 1.3), "decides now"
    keys = [item for box in shown.boxes for item in box.items if item.kind == "key" and item.args[1] in SIGNS]
    for key in keys:
        yield sign(key.args[1], 0, 0, canvas.palette, 1.3), shown.say_in_full(key.args[-1])
    for item in items:
        if item.kind == "dots" and _has_words(shown, item.args[0]):
            dots = text(0, 6, "●●●", 15, canvas.palette["ink"], anchor="middle")
            yield dots, shown.say_in_full(item.args[0])
    if shown.ties and _has_words(shown, "tie"):
        bar = element(
            "rect", x=-6, y=-6, width=12, height=12, fill=canvas.palette.owner(shown.seats[0])[0],
            stroke=canvas.palette["ink"], stroke_width=1.8,
        )  # fmt: skip
        yield bar, shown.say_in_full("tie")


def _tags(canvas: Canvas) -> Iterator[Entry]:
    """The short texts of areas, such as tags, with the long ones."""
    for words, hint in canvas.scene.hints.items():
        if hint != words:
            yield text(0, 5, words, 13, canvas.palette["ink"], bold=True, anchor="middle"), hint


def _has_words(shown: Scene, name: str) -> bool:
    """Whether the game has words for a name."""
    return bool(shown.say_in_full(name)) and shown.say_in_full(name) != name
