"""Whole pictures: well-formed, readable, without overlapping pieces, without foreign content."""

from __future__ import annotations

import re
from functools import cache
from itertools import combinations
from pathlib import Path

import pytest
from support.boxes import wrong_boxes
from support.browser import browser, needs_browser
from support.pictures import PICTURE, SHOWN, SVG, at, oxo, parsed, sizes, texts
from support.places import EXAMPLES

from kaiser_logic.drawing.frame import Frame
from kaiser_logic.drawing.scene import Scene, scene
from kaiser_logic.drawing.svg.canvas import Canvas, sort_named
from kaiser_logic.drawing.svg.pen import Palette
from kaiser_logic.drawing.svg.picture import draw
from kaiser_logic.game import load
from kaiser_logic.notation.sources import read
from kaiser_logic.records.replay import Replay


@cache
def shown(name: str, moves: int) -> Scene:
    found = scene(at(name, moves))
    assert found is not None
    return found


def layouts(frame: Frame) -> list[str]:
    found = [layout.name for layout in frame.scene.geometry.layouts]
    assert found
    return found


@pytest.mark.sample(2)
@pytest.mark.parametrize(("name", "moves"), SHOWN)
def test_pictures_are_well_formed_and_readable(name: str, moves: int) -> None:
    frame = Frame.frame_of(shown(name, moves), Frame.frame_of(shown(name, moves - 1)))
    for layout in layouts(frame):
        check_form(draw(frame, layout=layout).svg())


def check_form(svg: str) -> None:
    root = parsed(svg)
    assert root.get("role") == "img"
    assert root.findtext(f"{SVG}title")
    assert root.findtext(f"{SVG}desc")
    small = [(size, label) for size, label in sizes(root) if size < 10.95]
    assert not small
    assert not re.search(r"<script|<image|<foreignObject|href|url\(|on[a-z]+=|@import", svg)
    assert set(re.findall(r"https?://[^\"' ]+", svg)) == {"http://www.w3.org/2000/svg"}
    assert not any(set("(){}_") & set(label) for label in texts(root)), texts(root)


@pytest.mark.parametrize(("name", "moves"), SHOWN)
def test_pieces_do_not_overlap(name: str, moves: int) -> None:
    frame = Frame.frame_of(shown(name, moves))
    for layout in layouts(frame):
        check_places(frame, layout)


def check_places(frame: Frame, layout: str) -> None:
    canvas = Canvas(frame.scene, frame.dealt, frame.scene.geometry.layout(layout), Palette("light"))
    boxes = []
    for place, (look, _) in frame.dealt.placed.items():
        kind = frame.dealt.areas[place][1]
        x, y = canvas.layout.places[place]
        w, h = (side * canvas.scale(kind) for side in sort_named(look.sort).half)
        boxes.append((place, x - w, y - h, x + w, y + h))
    slack = 6.0  # outlines are narrower than their boxes at the top
    for (one, a, b, c, d), (other, e, f, g, i) in combinations(boxes, 2):
        assert not (a < g - slack and e < c - slack and b < i - slack and f < d - slack), (layout, one, other)


@pytest.mark.parametrize(("name", "moves"), SHOWN)
def test_each_piece_has_a_label_for_screen_readers(name: str, moves: int) -> None:
    frame = Frame.frame_of(shown(name, moves))
    for layout in layouts(frame):
        check_labels(frame, layout)


def check_labels(frame: Frame, layout: str) -> None:
    root = parsed(draw(frame, layout=layout).svg())
    labels = {g.get("aria-label") for g in root.iter(f"{SVG}g")}
    for look, number in frame.dealt.placed.values():
        label = frame.scene.called_in_full(look)
        assert (label if number == 1 else f"{number}× {label}") in labels  # noqa: RUF001
    assert {frame.scene.say(role) for role in frame.scene.seats} <= labels


def test_themes_have_their_colours(tmp_path: Path) -> None:
    frame = Frame.frame_of(shown("games/four-players.game", 61))
    light, dark, gray, auto = (draw(frame, theme=t).svg(t) for t in ("light", "dark", "grey", "auto"))
    assert "var(" not in light + dark + gray
    assert "prefers-color-scheme" in auto
    assert "<style>" not in light
    colours = set(re.findall(r"#[0-9a-f]{6}\b", gray))
    assert colours
    assert all(c[1:3] == c[3:5] == c[5:7] for c in colours)
    assert set(texts(parsed(light))) == set(texts(parsed(gray)))


def test_changes_are_marked() -> None:
    frame = Frame.frame_of(
        shown("games/four-players.game", 37), Frame.frame_of(shown("games/four-players.game", 36))
    )
    marked = draw(frame)
    violet = Palette("light")["mark"]
    assert violet in marked.svg()
    labels = [g.get("aria-label") or "" for g in parsed(marked.svg()).iter(f"{SVG}g")]
    assert "Yellow baron 25, moved" in labels
    assert "Blue knight, gone" in labels


def test_only_changes_are_violet() -> None:
    """Violet marks changes, so pictures without a change do not contain it."""
    for name, moves in SHOWN:
        assert Palette("light")["mark"] not in draw(Frame.frame_of(shown(name, moves))).svg()


def test_reasons_are_pinned(tmp_path: Path) -> None:
    position = load(oxo(tmp_path)).initial().apply({"nought": "put(2,2)"})
    frame = Frame.frame_of(scene(position))  # type: ignore[arg-type]
    svg = draw(frame, pinned={"at(2,2)": "1", "at(1,1)": "2", "nowhere": "3"}).svg()
    assert [
        g.get("aria-label") for g in parsed(svg).iter(f"{SVG}g") if "reason" in (g.get("aria-label") or "")
    ] == ["reason 1"]


def test_a_row_of_panels_keeps_its_height(tmp_path: Path) -> None:
    frame = Frame.frame_of(scene(load(oxo(tmp_path)).initial()))  # type: ignore[arg-type]
    assert draw(frame, least={0: 300}).height - draw(frame).height > 200


def test_owners_with_similar_names_have_different_letters() -> None:
    found = Canvas(shown("staufer/random-5.game", 101), None, None, Palette("light")).letters  # type: ignore[arg-type]
    assert found == {"red": "R", "green": "G", "blue": "B", "yellow": "Y", "black": "K"}


def test_words_of_a_game_are_escaped(tmp_path: Path) -> None:
    folder = oxo(tmp_path, PICTURE + "title(f(1,1),evil).\n")
    (folder / "english.toml").write_text("[drawing]\nevil = \"</text><script>alert('1')</script>&\"\n")
    svg = draw(Frame.frame_of(scene(load(folder).initial()))).svg()  # type: ignore[arg-type]
    assert "<script" not in svg
    parsed(svg)


def test_an_illegal_move_is_marked_as_refused() -> None:
    before = Frame.frame_of(shown("games/four-players.game", 36))
    tried = Frame.frame_of(shown("games/four-players.game", 37), before)
    root = parsed(draw(before, tried=tried).svg())
    labels = [g.get("aria-label") for g in root.iter(f"{SVG}g")]
    assert labels.count("not allowed") == 1
    assert "Yellow baron 25" in labels  # it is still in its old place


# Texts of pictures in a browser: inside their pieces and not overlapping, in all games and layouts.
SEEN = {
    "games/four-players.game": (60, 158, 190),
    "krone/random-30.game": (30, 150),
    "krone/large-city.game": (None,),
    "staufer/random-5.game": (100, 200),
    "vive/random-4.game": (240,),
    "vive/random-6.game": (120, 250),
}
"""Records and numbers of moves at which they are checked. None stands for the end."""


@needs_browser
@pytest.mark.slow
@pytest.mark.parametrize("name", SEEN)
def test_texts_are_inside_their_pieces_and_do_not_overlap(name: str, tmp_path: Path) -> None:
    record = read(EXAMPLES / name)
    with browser() as tab:
        tab.size(1000, 2400)
        for moves in SEEN[name]:
            shown = scene(Replay.at(record, moves).here())
            assert shown is not None
            for layout in shown.geometry.layouts:
                file = tmp_path / "picture.svg"
                file.write_text(draw(Frame.frame_of(shown), layout=layout.name).svg(), encoding="utf-8")
                assert wrong_boxes(tab, file) == [], (moves, layout.name)


@pytest.mark.slow
@needs_browser
def test_the_check_finds_misplaced_texts(tmp_path: Path) -> None:
    file = tmp_path / "picture.svg"
    file.write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="100"><text x="10" y="50">below</text>'
        '<g role="img" aria-label="piece"><path d="M0,40H30V60H0Z"/><text x="2" y="55">wide text</text></g>'
        '<text x="180" y="90">edge of it</text></svg>',
        encoding="utf-8",
    )
    with browser() as tab:
        tab.size(300, 200)
        found = " ".join(wrong_boxes(tab, file))
        for part in ("touches its outline", "lies on", "sticks out of the picture", "lies below piece"):
            assert part in found
