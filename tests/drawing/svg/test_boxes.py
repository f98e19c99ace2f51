"""Texts of pictures in a browser: inside their pieces and not overlapping, in all games and layouts."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.boxes import wrong_boxes
from support.browser import browser, needs_browser
from support.places import EXAMPLES

from kaiser_logic.drawing.frame import Frame
from kaiser_logic.drawing.scene import scene
from kaiser_logic.drawing.svg.picture import draw
from kaiser_logic.notation.sources import read
from kaiser_logic.records.replay import Replay

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
