"""Elements and texts: the output is XML for any text."""

from __future__ import annotations

from itertools import combinations
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kaiser_logic.drawing.svg.pen import (
    NAMES,
    OWNERS,
    Palette,
    contrast,
    element,
    escape,
    fit,
    grey,
    luminance,
    number,
    text,
    variables,
    width,
)


def allowed(c: str) -> bool:
    """Whether XML allows a character."""
    return c in "\t\n\r" or " " <= c <= "\ud7ff" or "\ue000" <= c <= "\ufffd" or c > "\uffff"


@given(st.text())
def test_any_text_is_escaped(content: str) -> None:
    tree = ET.fromstring(element("a", text(1, 2, content, 11, "#000"), title=content))
    shown = "".join(tree.itertext())
    clean = "".join(c if allowed(c) else "\ufffd" for c in content)
    assert shown == clean.replace("\r\n", "\n").replace("\r", "\n")


def test_markup_is_text() -> None:
    assert escape("""<script>"&'""") == "&lt;script&gt;&quot;&amp;&#39;"


def test_numbers_are_short() -> None:
    assert [number(v) for v in (1, 1.5, 0.123456, -0.001, 100.0, -2.50)] == [
        "1",
        "1.5",
        "0.12",
        "0",
        "100",
        "-2.5",
    ]


def test_none_is_left_out() -> None:
    assert element("a", x=None, stroke_width=2, class_="b") == '<a stroke-width="2" class="b"/>'


def test_widths_grow_with_texts() -> None:
    assert 0 < width("i", 10) < width("W", 10) < width("WW", 10)
    assert width("a", 10, True) > width("a", 10)
    assert width("é", 10) == width("e", 10)
    assert width("語", 10) >= 10


@given(st.text(max_size=40), st.integers(20, 200))
def test_fitted_texts_fit(content: str, room: int) -> None:
    assert width(fit(content, 11, room), 11) <= max(room, width("…", 11))


# Colours: contrast of texts and shapes, and owners that differ in lightness.
READ = [
    ("ink", "page"), ("ink", "ground"), ("ink", "cell"), ("ink", "cell2"), ("soft", "page"), ("soft", "ground"),
    ("soft", "cell"), ("onmark", "mark"), ("page", "ink"), ("mark", "page"), ("mark", "cell"), ("ink", "plain"),
    ("ink", "mountain"), ("ink", "forest"), *(("ink", f"card{i}") for i in range(1, 9)),
]  # fmt: skip
SEEN = [
    ("line", "page"), ("line", "ground"), ("faint", "cell"), ("faint", "cell2"), ("onplain", "plain"),
    ("onmountain", "mountain"), ("onforest", "forest"),
]  # fmt: skip


@pytest.mark.parametrize("theme", ["light", "dark", "grey"])
def test_texts_have_contrast(theme: str) -> None:
    palette = Palette(theme)
    assert not [(i, g) for i, g in READ if contrast(palette[i], palette[g]) < 4.5]


@pytest.mark.parametrize("theme", ["light", "dark", "grey"])
def test_shapes_have_contrast(theme: str) -> None:
    palette = Palette(theme)
    assert not [(line, g) for line, g in SEEN if contrast(palette[line], palette[g]) < 3]


def lightness(colour: str) -> float:
    y = luminance(colour)
    return 116 * y ** (1 / 3) - 16 if y > 0.008856 else 903.3 * y


def test_owners_differ_in_lightness() -> None:
    assert all(abs(lightness(a) - lightness(b)) >= 15 for a, b in combinations(OWNERS.values(), 2))
    assert all(grey(c)[1:3] == grey(c)[3:5] == grey(c)[5:7] for c in OWNERS.values())


def test_letters_on_pieces_have_contrast() -> None:
    for theme in ("light", "grey"):
        palette = Palette(theme, ("red", "nought", "cross"))
        for role in (*OWNERS, "nought", "cross"):
            assert contrast(*palette.owner(role)) >= 4.5


def test_the_automatic_theme_writes_variables() -> None:
    assert Palette("auto")["ink"] == "var(--kl-ink)"
    style = variables(".kl")
    assert all(style.count(f"--kl-{name}:") == 2 for name in NAMES)
    assert "prefers-color-scheme:dark" in style
