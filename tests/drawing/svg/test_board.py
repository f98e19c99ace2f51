"""The board: names and tags have room, pieces are as wide as their texts, and numbers hide no heads."""

from __future__ import annotations

import re

import pytest
from support.pictures import at, parsed, texts

from kaiser_logic.drawing.frame import Frame, deal
from kaiser_logic.drawing.scene import scene, scene_of
from kaiser_logic.drawing.svg.pen import width
from kaiser_logic.drawing.svg.picture import draw
from kaiser_logic.drawing.svg.shapes import SORTS
from kaiser_logic.engine import symbols

SVG = "{http://www.w3.org/2000/svg}"


GAMES = {"kaiser": ("games/four-players.game", 61), "staufer": ("staufer/random-5.game", 100)}


def drawn(game: str, facts: list[str], layout: str) -> str:
    """A picture of a position of a record, in which ``facts`` replace the facts of the same predicates."""
    position = at(*GAMES[game])
    changed = frozenset(map(symbols.read_symbol, facts))
    names = {(fact.name, len(fact.arguments)) for fact in changed}
    rest = frozenset(f for f in position.symbols if (f.name, len(f.arguments)) not in names)
    shown = scene_of(position.ruleset, rest | changed)
    assert shown is not None
    return draw(Frame.frame_of(shown), layout=layout).svg()


@pytest.mark.parametrize("layout", ["wide", "narrow"])
def test_tags_never_hide_a_name(layout: str) -> None:
    """An electorate with all tags at once. Its name is complete, and tags without room are in the label."""
    svg = drawn("kaiser", ["closed(brandenburg)", "used(brandenburg)", "influenced(brandenburg)"], layout)
    assert "Brandenburg" in texts(parsed(svg))
    labels = [g.get("aria-label") or "" for g in parsed(svg).iter(f"{SVG}g")]
    assert any("its privilege has been used this round" in label for label in labels)
    assert any("church influence works here" in label for label in labels)


@pytest.mark.parametrize("layout", ["wide", "narrow"])
def test_numbers_of_a_region_are_never_hidden(layout: str) -> None:
    """The largest tile lies in the region with the longest name, which is marked, too."""
    order = ("strasbourg", "aachen", "palermo", "milano", "augsburg", "nijmegen")
    svg = drawn("staufer", [f"tile({region},t{7 - n})" for n, region in enumerate(order, 1)], layout)
    assert {"12 8 4", "11 7 4", "10 6 2", "9 7 5", "8 5 3", "7 4 2"} <= set(texts(parsed(svg)))


@pytest.mark.parametrize("layout", ["wide", "narrow"])
def test_pieces_paid_to_a_region_have_places(layout: str) -> None:
    """Envoys and nobles of five players give ten pieces with numbers, and no tag."""
    seats = ("red", "green", "blue", "yellow", "black")
    facts = [f"paid(augsburg,{role},{f},{n})" for role in seats for f, n in (("envoy", 3), ("noble", 2))]
    root = parsed(drawn("staufer", facts, layout))
    labels = [g.get("aria-label") or "" for g in root.iter(f"{SVG}g")]
    assert {f"3× {name} envoy" for name in ("Red", "Green", "Blue", "Yellow", "Black")} <= set(labels)  # noqa: RUF001
    assert "Augsburg" in texts(root)
    assert not any(text.startswith("+") for text in texts(root) if text)


def test_pieces_without_a_place_are_counted_and_labelled() -> None:
    facts = [f"aristocrat(koeln,{r},{age},baron,1)" for r in ("red", "green", "blue") for age in (15, 25, 35)]
    root = parsed(drawn("kaiser", facts, "wide"))
    assert "+6" in texts(root)
    label = next(
        g.get("aria-label") or "" for g in root.iter(f"{SVG}g") if "besides" in (g.get("aria-label") or "")
    )
    assert label.count("baron") == 6


def test_outlines_are_as_wide_as_their_texts() -> None:
    for sort in (sort for sort in SORTS.values() if sort.wide):
        wider = sort.widen(1.5)
        xs = [[float(x) for x in re.findall(r"[MLHQ ,](-?[\d.]+)", path)] for path in (sort.path, wider.path)]
        assert max(xs[1]) == pytest.approx(max(1.5 * sort.half[0], *xs[0]), rel=0.2)
        assert sort.widen(1) is sort
    position = at("vive/random-6.game", 200)
    shown = scene(position)
    assert shown is not None
    assert width("treasurer", 11, True) < 2 * SORTS["office"].widen(1.2).half[0]


@pytest.mark.parametrize(("name", "moves"), [("games/four-players.game", 61)])
def test_spaces_castles_and_cities_do_not_overlap(name: str, moves: int) -> None:
    """The fourth and fifth aristocrat spaces of an electorate are included."""
    shown = scene(at(name, moves))
    assert shown is not None
    half = {"aristocrat": 21, "castle": 26, "city": 20}
    for layout in shown.geometry.layouts:
        for (kind, area), places in shown.geometry.slots.items():
            for (other, there), others in shown.geometry.slots.items():
                if area != there or kind != "aristocrat" or other not in ("castle", "city"):
                    continue
                for place in places[:6]:
                    for beside in others[:2]:
                        low = layout.places[place][1] + half[kind] * layout.scales[kind]
                        assert low <= layout.places[beside][1] - half[other] * layout.scales[other] + 1.2
    assert deal(shown).placed
