"""Elements and texts: the output is XML for any text."""

from __future__ import annotations

from xml.etree import ElementTree as ET

from hypothesis import given
from hypothesis import strategies as st

from kaiser_logic.drawing.svg.pen import element, escape, fit, number, text, width


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
