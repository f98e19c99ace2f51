"""Elements and texts: the output is XML for any text, and what is written or drawn has contrast."""

from itertools import combinations
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.tables import rows

from kaiser_logic.drawing.svg import pen


def allowed(c: str) -> bool:
    return c in "\t\n\r" or " " <= c <= "\ud7ff" or "\ue000" <= c <= "\ufffd" or c > "\uffff"


@given(st.text())
def test_any_text_is_escaped(content):
    tree = ET.fromstring(pen.element("a", pen.text(1, 2, content, 11, "#000"), title=content))
    clean = "".join(c if allowed(c) else "\ufffd" for c in content)
    assert "".join(tree.itertext()) == clean.replace("\r\n", "\n").replace("\r", "\n")


def test_numbers_are_short_and_none_is_left_out():
    given = (1, 1.5, 0.123456, -0.001, 100.0, -2.50)
    assert [pen.number(v) for v in given] == ["1", "1.5", "0.12", "0", "100", "-2.5"]
    assert pen.element("a", x=None, stroke_width=2, class_="b") == '<a stroke-width="2" class="b"/>'


@given(st.text(max_size=40), st.integers(20, 200))
def test_fitted_texts_fit(content, room):
    assert pen.width(pen.fit(content, 11, room), 11) <= max(room, pen.width("…", 11))
    assert 0 < pen.width("i", 10) < pen.width("W", 10) < pen.width("WW", 10) < pen.width("WW", 10, True)


# Colours: contrast of texts (4.5) and shapes (3), and owners that differ in lightness.


@pytest.mark.parametrize("theme", ["light", "dark", "grey"])
def test_texts_and_shapes_have_contrast(theme):
    palette = pen.Palette(theme, ("red", "nought", "cross"))
    for least, colour, grounds in (row.values for row in rows("drawing/drawing", "contrast")):
        small = [g for g in grounds.split() if pen.contrast(palette[colour], palette[g]) < float(least)]
        assert small == [], colour
    for role in (*pen.OWNERS, "nought", "cross"):
        assert theme == "dark" or pen.contrast(*palette.owner(role)) >= 4.5


def test_owners_differ_in_lightness():
    light = {colour: 116 * pen.luminance(colour) ** (1 / 3) - 16 for colour in pen.OWNERS.values()}
    assert all(abs(a - b) >= 15 for a, b in combinations(light.values(), 2))
    assert all(pen.grey(c)[1:3] == pen.grey(c)[3:5] == pen.grey(c)[5:7] for c in pen.OWNERS.values())
