"""Whole pictures: well-formed, readable, without overlapping pieces, without foreign content; nothing is hidden."""

import re
from functools import cache
from itertools import combinations
from xml.etree import ElementTree as ET

import pytest
from support import EXAMPLES
from support.browser import browser, needs_browser
from support.page_checks import wrong_boxes
from support.pictures import PICTURE, SHOWN, SVG, at, oxo, parsed, sizes, texts

from kaiser_logic.drawing.frame import Frame
from kaiser_logic.drawing.scene import Scene, scene, scene_of
from kaiser_logic.drawing.svg.canvas import Canvas, sort_named
from kaiser_logic.drawing.svg.pen import Palette
from kaiser_logic.drawing.svg.picture import draw
from kaiser_logic.engine import symbols
from kaiser_logic.game import load
from kaiser_logic.notation.sources import read
from kaiser_logic.position import Position
from kaiser_logic.records.replay import Replay


@cache
def shown(name: str, moves: int) -> Scene:
    return found(at(name, moves))


def found(position: Position) -> Scene:
    made = scene(position)
    assert made is not None
    return made


def labels_of(root: ET.Element) -> list[str]:
    return [g.get("aria-label") or "" for g in root.iter(f"{SVG}g")]


@pytest.mark.parametrize(("name", "moves"), SHOWN)
def test_pictures_are_readable_and_pieces_do_not_overlap(name, moves):
    """Each piece has a label for screen readers. Violet marks changes, so a picture without a change does not contain it."""
    frame = Frame.frame_of(shown(name, moves))
    assert frame.scene.geometry.layouts
    for layout in frame.scene.geometry.layouts:
        svg = draw(frame, layout=layout.name).svg()
        assert Palette("light")["mark"] not in svg
        check_form(svg)
        check_places(frame, layout.name)
        labels = set(labels_of(parsed(svg)))
        for look, number in frame.dealt.placed.values():
            label = frame.scene.called_in_full(look)
            assert (label if number == 1 else f"{number}× {label}") in labels  # noqa: RUF001
        assert {frame.scene.say(role) for role in frame.scene.seats} <= labels
        check_form(draw(Frame.frame_of(shown(name, moves - 1), frame), layout=layout.name).svg())


def check_form(svg: str) -> None:
    root = parsed(svg)
    assert root.get("role") == "img"
    assert root.findtext(f"{SVG}title") and root.findtext(f"{SVG}desc")
    assert not [(size, label) for size, label in sizes(root) if size < 10.95]
    assert not re.search(r"<script|<image|<foreignObject|href|url\(|on[a-z]+=|@import", svg)
    assert set(re.findall(r"https?://[^\"' ]+", svg)) == {"http://www.w3.org/2000/svg"}
    assert not any(set("(){}_") & set(label) for label in texts(root)), texts(root)


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


GAMES = {"kaiser": ("games/four-players.game", 61), "staufer": ("staufer/random-5.game", 100)}
REGIONS = ("strasbourg", "aachen", "palermo", "milano", "augsburg", "nijmegen")
ROLES = ("red", "green", "blue", "yellow", "black")
CROWDED = [
    # an electorate with all tags at once: tags without room are in the label
    ("kaiser", [f"{flag}(brandenburg)" for flag in ("closed", "used", "influenced")], {"Brandenburg"},
     ["its privilege has been used this round", "church influence works here"]),
    # the largest tile lies in the region with the longest name, which is marked, too
    ("staufer", [f"tile({region},t{7 - n})" for n, region in enumerate(REGIONS, 1)],
     {"12 8 4", "11 7 4", "10 6 2", "9 7 5", "8 5 3", "7 4 2"}, []),
    # ten pieces with numbers, and no tag
    ("staufer", [f"paid(augsburg,{role},{f},{n})" for role in ROLES for f, n in (("envoy", 3), ("noble", 2))],
     {"Augsburg"}, [f"3× {role.title()} envoy" for role in ROLES]),  # noqa: RUF001
]  # fmt: skip


@pytest.mark.sample(2)
@pytest.mark.parametrize("layout", ["wide", "narrow"])
@pytest.mark.parametrize(("game", "facts", "written", "labelled"), CROWDED)
def test_nothing_is_hidden(game, facts, written, labelled, layout):
    """A position of a record, in which facts replace those of the same predicates."""
    root = drawn(game, facts, layout)
    assert written <= set(texts(root))
    assert all(any(part in label for label in labels_of(root)) for part in labelled)


def drawn(game: str, facts: list[str], layout: str) -> ET.Element:
    position = at(*GAMES[game])
    changed = frozenset(map(symbols.read_symbol, facts))
    names = {(fact.name, len(fact.arguments)) for fact in changed}
    rest = frozenset(f for f in position.symbols if (f.name, len(f.arguments)) not in names)
    made = scene_of(position.ruleset, rest | changed)
    assert made is not None
    return parsed(draw(Frame.frame_of(made), layout=layout).svg())


def test_pieces_without_a_place_are_counted_and_labelled():
    facts = [f"aristocrat(koeln,{r},{age},baron,1)" for r in ("red", "green", "blue") for age in (15, 25, 35)]
    root = drawn("kaiser", facts, "wide")
    assert "+6" in texts(root)
    assert next(label for label in labels_of(root) if "besides" in label).count("baron") == 6


def test_themes_have_their_colours():
    frame = Frame.frame_of(shown("games/four-players.game", 61))
    light, dark, gray, auto = (draw(frame, theme=t).svg(t) for t in ("light", "dark", "grey", "auto"))
    assert "var(" not in light + dark + gray and "<style>" not in light
    assert "prefers-color-scheme" in auto
    assert all(c[1:3] == c[3:5] == c[5:7] for c in re.findall(r"#[0-9a-f]{6}\b", gray))


def test_changes_and_refused_moves_are_marked():
    before = Frame.frame_of(shown("games/four-players.game", 36))
    after = Frame.frame_of(shown("games/four-players.game", 37), before)
    assert Palette("light")["mark"] in draw(after).svg()
    assert {"Yellow baron 25, moved", "Blue knight, gone"} <= set(labels_of(parsed(draw(after).svg())))
    labels = labels_of(parsed(draw(before, tried=after).svg()))
    assert labels.count("not allowed") == 1
    assert "Yellow baron 25" in labels  # it is still in its old place


def test_reasons_are_pinned_and_words_of_a_game_are_escaped(tmp_path):
    folder = oxo(tmp_path, PICTURE + "title(f(1,1),evil).\n")
    (folder / "english.toml").write_text("[drawing]\nevil = \"</text><script>alert('1')</script>&\"\n")
    frame = Frame.frame_of(found(load(folder).initial().apply({"nought": "put(2,2)"})))
    svg = draw(frame, pinned={"at(2,2)": "1", "at(1,1)": "2", "nowhere": "3"}).svg()
    assert [label for label in labels_of(parsed(svg)) if "reason" in label] == ["reason 1"]
    assert "<script" not in svg
    assert draw(frame, least={0: 300}).height - draw(frame).height > 200, "a row of panels keeps its height"


def test_owners_with_similar_names_have_different_letters():
    canvas = Canvas(shown("staufer/random-5.game", 101), None, None, Palette("light"))
    assert {o: canvas.letter(o) for o in canvas.letters} == dict(red="R", green="G", blue="B", yellow="Y", black="K")


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
def test_texts_are_inside_their_pieces_and_do_not_overlap(name, tmp_path):
    record = read(EXAMPLES / name)
    with browser() as tab:
        tab.size(1000, 2400)
        for moves in SEEN[name]:
            frame = Frame.frame_of(found(Replay.at(record, moves).here()))
            for layout in frame.scene.geometry.layouts:
                file = tmp_path / "picture.svg"
                file.write_text(draw(frame, layout=layout.name).svg(), encoding="utf-8")
                assert wrong_boxes(tab, file) == [], (moves, layout.name)
