"""Layouts: the shapes of areas and the places in them.

Lengths are in px of the layout's width; X to the right, Y downwards.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import hypot
from typing import NamedTuple

from .. import clingo
from ..engine import symbols
from ..engine.grounding import Grounding

Point = tuple[float, float]


class Shape(NamedTuple):
    """The outline of an area: ``rect(X,Y,W,H)``, ``octagon(X,Y,U,C)`` or ``diamond(X,Y,C)``.

    An octagon has its centre, half its width and how far its corners are cut; a diamond its centre and half a diagonal.
    """

    name: str
    numbers: tuple[int, ...]

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Left, top, right and bottom."""
        x, y, size, *rest = self.numbers
        if self.name == "rect":
            return x, y, x + size, y + rest[0]
        return x - size, y - size, x + size, y + size

    @property
    def centre(self) -> Point:
        """The middle."""
        left, top, right, bottom = self.box
        return (left + right) / 2, (top + bottom) / 2

    @property
    def corners(self) -> tuple[Point, ...]:
        """The corners, clockwise from the upper left."""
        left, top, right, bottom = self.box
        x, y = self.centre
        if self.name == "diamond":
            return (x, top), (right, y), (x, bottom), (left, y)
        if self.name == "octagon":
            c = self.numbers[3]
            return (
                (left + c, top), (right - c, top), (right, top + c), (right, bottom - c),
                (right - c, bottom), (left + c, bottom), (left, bottom - c), (left, top + c),
            )  # fmt: skip
        return (left, top), (right, top), (right, bottom), (left, bottom)

    def holds(self, point: Point) -> bool:
        """Whether a point lies inside, or on the border."""
        corners = self.corners
        sides = zip(corners, (*corners[1:], corners[0]), strict=True)
        return all(
            (b[0] - a[0]) * (point[1] - a[1]) - (b[1] - a[1]) * (point[0] - a[0]) >= -1e-6 for a, b in sides
        )

    def meets(self, other: Shape) -> bool:
        """Whether the two overlap by more than their borders (both are convex: no line divides them)."""
        for polygon in (self.corners, other.corners):
            for a, b in zip(polygon, (*polygon[1:], polygon[0]), strict=True):
                normal = (b[1] - a[1], a[0] - b[0])
                length = hypot(*normal)
                ours, theirs = (
                    [(p[0] * normal[0] + p[1] * normal[1]) / length for p in s.corners] for s in (self, other)
                )
                if max(ours) <= min(theirs) + 1 or max(theirs) <= min(ours) + 1:
                    return False
        return True


@dataclass(frozen=True)
class Layout:
    """One way to lay the board out.

    Attributes:
        name: Its name.
        width: Its width in px.
        areas: The shape of each area.
        places: The centre of each place.
        scales: How large the pieces of a kind are drawn, 1 where nothing is said.
    """

    name: str
    width: int
    areas: Mapping[str, Shape]
    places: Mapping[str, Point]
    scales: Mapping[str, float]

    @property
    def bottom(self) -> float:
        """The lower edge of the board."""
        return max((shape.box[3] for shape in self.areas.values()), default=40)


@dataclass(frozen=True)
class Geometry:
    """All layouts, the widest first, and what they share.

    Attributes:
        layouts: At least one.
        slots: The places of a kind in an area, in their order.
        outlines: What is drawn where a place of a kind is free.
        optional: Boxes that are left out where they have no area.
    """

    layouts: tuple[Layout, ...]
    slots: Mapping[tuple[str, str], tuple[str, ...]]
    outlines: Mapping[str, str]
    optional: frozenset[str]

    @cached_property
    def slots_in(self) -> Mapping[str, list[tuple[str, tuple[str, ...]]]]:
        """The kinds of places in each area, each with its places."""
        found: dict[str, list[tuple[str, tuple[str, ...]]]] = defaultdict(list)
        for (kind, area), places in self.slots.items():
            found[area].append((kind, places))
        return dict(found)

    def layout(self, name: str | None = None, width: int | None = None) -> Layout:
        """The layout of a name, or the widest that fits a width; by default the widest."""
        for layout in self.layouts:
            if layout.name == name or (name is None and (width is None or layout.width <= width)):
                return layout
        return self.layouts[-1]


def geometry_of(found: Grounding) -> Geometry:
    """The geometry that picture rules say."""

    def rows(name: str, arity: int) -> list[Sequence[clingo.Symbol]]:
        return [s.arguments for s in sorted(found.get(name, arity))]

    areas: dict[str, dict[str, Shape]] = defaultdict(dict)
    for layout, area, shape in rows("area", 3):
        numbers = tuple(a.number for a in shape.arguments)
        areas[symbols.text(layout)][symbols.text(area)] = Shape(shape.name, numbers)
    places: dict[str, dict[str, Point]] = defaultdict(dict)
    for layout, place, x, y in rows("place", 4):
        places[symbols.text(layout)][symbols.text(place)] = (x.number, y.number)
    scales: dict[str, dict[str, float]] = defaultdict(dict)
    for layout, kind, percent in rows("scale", 3):
        scales[symbols.text(layout)][symbols.text(kind)] = percent.number / 100
    slots: dict[tuple[str, str], list[str]] = defaultdict(list)
    for kind, area, _, place in sorted(rows("slot", 4), key=lambda a: a[2]):
        slots[symbols.text(kind), symbols.text(area)].append(symbols.text(place))
    layouts = [
        Layout(n, width.number, areas.get(n, {}), places.get(n, {}), scales.get(n, {}))
        for n, width in ((symbols.text(name), width) for name, width in rows("layout", 2))
    ]
    return Geometry(
        tuple(sorted(layouts, key=lambda one: -one.width)),
        {key: tuple(names) for key, names in slots.items()},
        {symbols.text(kind): symbols.text(sort) for kind, sort in rows("outline", 2)},
        frozenset(symbols.text(box) for (box,) in rows("optional", 1)),
    )
