"""Colours: contrast of texts and shapes, and owners that differ in lightness."""

from __future__ import annotations

from itertools import combinations

import pytest

from kaiser_logic.drawing.svg.pen import NAMES, OWNERS, Palette, contrast, grey, luminance, variables

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
