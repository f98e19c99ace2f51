"""Mistakes in the picture rules of a game, which would be drawn wrong or not at all."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from .geometry import Geometry, Layout, Shape
from .scene import Scene
from .svg.shapes import CHIPS, FRAMES, SIGNS, SORTS

_LOOKS = frozenset({"page", "ground", "cell", "cell2", "plain", "mountain", "forest", "closed", "bare"})


def problems(scene: Scene) -> list[str]:
    """The problems of one scene, a sentence each; those of the layouts first."""
    return [*of_geometry(scene.geometry), *_of_content(scene)]


def of_geometry(geometry: Geometry) -> Iterator[str]:
    """Areas that overlap or stick out, places outside of the area that they are slots of, unknown outlines."""
    if not geometry.layouts:
        yield "there is no layout: layout(wide,700)"
    areas = {place: area for (_, area), places in geometry.slots.items() for place in places}
    for layout in geometry.layouts:
        yield from _of_layout(layout, areas)
    for kind, sort in geometry.outlines.items():
        if sort not in FRAMES and sort not in SORTS:
            yield f"the outline of {kind} is no sort of piece or place: {sort}"


def _of_layout(layout: Layout, areas: dict[str, str]) -> Iterator[str]:
    for name, shape in layout.areas.items():
        left, top, right, _ = shape.box
        if left < 0 or top < 0 or right > layout.width:
            yield f"the area {name} sticks out of the layout {layout.name}"
    for (one, a), (other, b) in combinations(layout.areas.items(), 2):
        if _near(a, b) and a.meets(b):
            yield f"the areas {one} and {other} overlap in the layout {layout.name}"
    for place, area in areas.items():
        around, point = layout.areas.get(area), layout.places.get(place)
        if around is not None and point is None:
            yield f"the place {place} lies nowhere in the layout {layout.name}"
        elif around is not None and point is not None and not around.holds(point):
            yield f"the place {place} lies outside of its area {area} in the layout {layout.name}"


def _near(one: Shape, other: Shape) -> bool:
    """Whether the boxes of two areas meet: cheaper than whether they do themselves."""
    (a, b, c, d), (e, f, g, h) = one.box, other.box
    return a < g and e < c and b < h and f < d


def _of_content(scene: Scene) -> Iterator[str]:
    """Pieces without a slot, unknown sorts, grounds, signs and styles."""
    for kind, area, look, _ in scene.pieces:
        if (kind, area) not in scene.geometry.slots:
            yield f"{scene.called(look)} has no slot: slot({kind},{area},1,PLACE)"
        if look.sort not in SORTS:
            yield f"there is no sort of piece {look.sort}"
    for area, look_ in scene.looks.items():
        if look_ not in _LOOKS:
            yield f"the ground of {area} is none: {look_}"
    for name in [*scene.signs.values(), *scene.rings.values()]:
        if name not in SIGNS:
            yield f"there is no sign {name}"
    for sort in scene.frames.values():
        if sort not in FRAMES and sort not in SORTS:
            yield f"there is no frame {sort}"
    yield from _of_items(scene)


def _of_items(scene: Scene) -> Iterator[str]:
    for items in [*scene.panels.values(), *(box.items for box in scene.boxes)]:
        for item in items:
            if item.kind in ("chip", "price") and item.args[0] not in CHIPS:
                yield f"there is no style of chips {item.args[0]}"
            elif item.kind == "supply" and item.args[0] not in SORTS:
                yield f"there is no sort of piece {item.args[0]}"
