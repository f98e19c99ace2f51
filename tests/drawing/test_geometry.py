"""Shapes of areas, and layouts."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.pictures import oxo

from kaiser_logic.drawing.scene import BoardLayout, Geometry, Shape, scene
from kaiser_logic.game import load

RECT = Shape("rect", (10, 20, 100, 50))
OCTAGON = Shape("octagon", (50, 50, 40, 30))
DIAMOND = Shape("diamond", (90, 90, 30))


def test_boxes_and_centres() -> None:
    assert RECT.box == (10, 20, 110, 70)
    assert RECT.centre == (60, 45)
    assert OCTAGON.box == (10, 10, 90, 90)
    assert DIAMOND.corners == ((90, 60), (120, 90), (90, 120), (60, 90))


@pytest.mark.parametrize(
    ("shape", "inside", "outside"),
    [(RECT, (10, 20), (9, 20)), (OCTAGON, (45, 10), (15, 15)), (DIAMOND, (75, 75), (65, 65))],
)
def test_points_are_inside_or_outside(
    shape: Shape, inside: tuple[float, float], outside: tuple[float, float]
) -> None:
    assert shape.holds(inside)
    assert shape.holds(shape.centre)
    assert not shape.holds(outside)


def test_touching_shapes_do_not_overlap() -> None:
    assert not OCTAGON.meets(DIAMOND)  # an octagon's cut corner is the diamond's side
    assert OCTAGON.meets(Shape("diamond", (88, 88, 30)))
    assert not RECT.meets(Shape("rect", (110, 20, 10, 10)))
    assert RECT.meets(Shape("rect", (105, 20, 10, 10)))
    assert RECT.meets(Shape("rect", (40, 40, 2, 2)))


def test_the_widest_layout_that_fits() -> None:
    wide, narrow = (BoardLayout(n, w, {}, {}, {}) for n, w in (("wide", 700), ("narrow", 360)))
    geometry = Geometry((wide, narrow), {}, {}, frozenset())
    assert geometry.layout() is wide
    assert geometry.layout("narrow") is narrow
    assert geometry.layout(width=699) is narrow
    assert geometry.layout(width=100) is narrow


def test_places_come_from_the_rules(tmp_path: Path) -> None:
    shown = scene(load(oxo(tmp_path)).initial())
    assert shown is not None
    (layout,) = shown.geometry.layouts
    assert (layout.name, layout.width, layout.bottom) == ("wide", 300, 337)
    assert layout.places["at(1,2)"] == (50, 190)
    assert shown.geometry.slots["mark", "f(1,2)"] == ("at(1,2)",)
    assert shown.geometry.outlines == {"mark": "disc"}
