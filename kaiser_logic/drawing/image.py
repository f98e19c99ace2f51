"""Draws positions as SVG pictures, and finds mistakes in picture rules: such things would be drawn wrong or not at all."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import Final, NamedTuple

from ..errors import WrongUsage
from ..lang.terms import Signature
from ..position import Position
from ..rules.phrases import Phrases
from ..rules.places import nearest
from .frame import Frame
from .scene import BoardLayout, Geometry, Scene, Shape, scene
from .svg.picture import Picture, draw, text_picture
from .svg.shapes import CHIPS, FRAMES, SIGNS, SORTS
from .text import Drawing, changes_of
from .text import render as as_text

GROUNDS: Final = frozenset({
    "page", "ground", "cell", "cell2", "plain", "mountain", "forest", "closed", "bare",
})  # fmt: skip
"""The grounds of areas."""
OUTLINES: Final = frozenset({*SORTS, *FRAMES})
"""The names of outlines of places."""
_RAW: Final = re.compile(r"[a-z]\w*\(.*\)")
"""A term for which there is no phrase."""


class DrawingProblem(NamedTuple):
    """A problem: the predicate that causes it, a sentence, and the name of the term if words are missing for it."""

    of: Signature
    text: str
    term: str = ""


def problems(scene: Scene) -> list[str]:
    """The problems of one scene, a sentence each; those of the layouts first."""
    located = (*problems_of_geometry(scene.geometry), *problems_of_content(scene))
    return list(dict.fromkeys(problem.text for problem in located))


def unknown(noun: str, name: str, known: Iterable[str]) -> str:
    """The message for an unknown sort of piece, sign or ground, with the known ones."""
    return f"there is no {noun} {name}{_there_are(name, known)}"


def _there_are(name: str, known: Iterable[str]) -> str:
    """The end of such a message: the nearest known name, and all known names."""
    names = sorted(known)
    hint = nearest(name, names)
    return f"{f'{hint} There' if hint else '; there'} are {', '.join(names)}"


def problems_of_geometry(geometry: Geometry) -> Iterator[DrawingProblem]:
    """The problems of the layouts: areas that overlap or stick out, places outside their areas, unknown outlines."""
    if not geometry.layouts:
        yield DrawingProblem(("layout", 2), "there is no layout: layout(wide,700)")
    areas = {place: area for (_, area), places in geometry.slots.items() for place in places}
    for layout in geometry.layouts:
        yield from _of_layout(layout, areas)
    for kind, sort in geometry.outlines.items():
        if sort not in OUTLINES:
            text = f"the outline of {kind} is no sort of piece or place: {sort}{nearest(sort, sorted(OUTLINES))}"
            yield DrawingProblem(("outline", 2), text)


def _of_layout(layout: BoardLayout, areas: dict[str, str]) -> Iterator[DrawingProblem]:
    area_, place_ = ("area", 3), ("place", 4)
    for name, shape in layout.areas.items():
        left, top, right, _ = shape.box
        if left < 0 or top < 0 or right > layout.width:
            yield DrawingProblem(area_, f"the area {name} sticks out of the layout {layout.name}")
    for (one, a), (other, b) in combinations(layout.areas.items(), 2):
        if _boxes_overlap(a, b) and a.meets(b):
            yield DrawingProblem(area_, f"the areas {one} and {other} overlap in the layout {layout.name}")
    for place, area in areas.items():
        around, point = layout.areas.get(area), layout.places.get(place)
        if around is not None and point is None:
            yield DrawingProblem(("slot", 4), f"the place {place} lies nowhere in the layout {layout.name}")
        elif around is not None and point is not None and not around.holds(point):
            text = f"the place {place} lies outside of its area {area} in the layout {layout.name}"
            yield DrawingProblem(place_, text)


def _boxes_overlap(one: Shape, other: Shape) -> bool:
    """Whether the bounding boxes of two areas overlap: a cheap test before the exact one."""
    (a, b, c, d), (e, f, g, h) = one.box, other.box
    return a < g and e < c and b < h and f < d


def problems_of_content(scene: Scene) -> Iterator[DrawingProblem]:
    """The problems of the content: pieces without a slot, unknown sorts, grounds, signs and styles."""
    for kind, area, look, _ in scene.pieces:
        if (kind, area) not in scene.geometry.slots:
            yield DrawingProblem(("piece", 4), f"{scene.words_for(look)} has no slot: slot({kind},{area},1,PLACE)")
        if look.sort not in SORTS:
            yield DrawingProblem(("piece", 4), unknown("sort of piece", look.sort, SORTS))
    for area, ground in scene.looks.items():
        if ground not in GROUNDS:
            text = f"the ground of {area} is none: {ground}{_there_are(ground, GROUNDS)}"
            yield DrawingProblem(("look", 2), text)
    for of, names in ((("sign", 2), scene.signs), (("ring", 2), scene.rings)):
        for name in names.values():
            if name not in SIGNS:
                yield DrawingProblem(of, unknown("sign", name, SIGNS))
    for sort in scene.frames.values():
        if sort not in OUTLINES:
            yield DrawingProblem(("frame", 2), unknown("frame", sort, OUTLINES))
    yield from _of_items(scene)


def _of_items(scene: Scene) -> Iterator[DrawingProblem]:
    listed = [(("panel", 3), items) for items in scene.panels.values()]
    listed += [(("content", 3), box.items) for box in scene.boxes]
    for of, items in listed:
        for item in items:
            if item.kind in ("chip", "price") and item.args[0] not in CHIPS:
                yield DrawingProblem(of, unknown("style of chips", item.args[0], CHIPS))
            elif item.kind == "supply" and item.args[0] not in SORTS:
                yield DrawingProblem(of, unknown("sort of piece", item.args[0], SORTS))


# -- words ---------------------------------------------------------------------------------------------------


def wordless(scene: Scene) -> Iterator[DrawingProblem]:
    """The terms of a picture that have no phrase, so they are shown as they are written."""
    for of, texts in (
        (("heading", 2), scene.headings), (("aside", 2), scene.aside), (("title", 2), scene.titles.values()),
        (("tag", 3), [text for tags in scene.tags.values() for text in tags]), (("caption", 2), scene.captions.values()),
        (("piece", 4), [scene.say(piece.look.label) for piece in scene.pieces]),
        (("area", 3), [scene.area_called(piece.area) for piece in scene.pieces]),
    ):  # fmt: skip
        yield from _raw(of, texts)


def wordless_text(shown: Drawing, words: Phrases) -> Iterator[DrawingProblem]:
    """The terms of a text drawing without a phrase."""
    yield from _raw(("headline", 2), map(words.short_phrase, shown.headlines))
    for table in shown.tables:
        yield from _raw(("column", 3), map(words.short_phrase, table.columns))
        yield from _raw(("row", 3), map(words.short_phrase, table.rows))
        yield from _raw(("cell", 5), (words.short_phrase(t) for row in table.cells for cell in row for t in cell))


def _raw(of: Signature, texts: Iterable[str]) -> Iterator[DrawingProblem]:
    for text in dict.fromkeys(texts):
        if _RAW.fullmatch(text):
            yield DrawingProblem(
                of,
                f"{text} has no words in english.toml, [drawing] or [terms]: it is shown so",
                text.partition("(")[0],
            )


def render(position: Position, before: Position | None = None, theme: str = "light", layout: str | None = None) -> str:
    """The position as the text of an SVG file. For a game without picture rules this is its text drawing."""
    picture, changes = picture_and_changes(position, before, theme, layout)
    return picture.svg(theme, ". ".join([picture.title, *changes]))


def picture_and_changes(
    position: Position, before: Position | None = None, theme: str = "light", layout: str | None = None
) -> tuple[Picture, list[str]]:
    """The picture of a position, and the changes since ``before`` in words.

    Raises:
        WrongUsage: The picture rules have mistakes.
    """
    shown = scene(position)
    if shown is None:
        changes = changes_of(before, position) if before is not None else []
        return text_picture(as_text(position).splitlines(), theme, changes), changes
    wrong = problems(shown)
    if wrong:
        raise WrongUsage(f"the picture rules of {position.ruleset.id}: {'; '.join(wrong[:3])}")
    earlier = scene(before) if before is not None else None
    frame = Frame.frame_of(shown, Frame.frame_of(earlier) if earlier is not None else None)
    return draw(frame, layout=layout, theme=theme), frame.change_lines
