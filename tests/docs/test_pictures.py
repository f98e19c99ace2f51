"""`show` draws the pictures in docs. `KAISER_LOGIC_WRITE=1` draws them anew: look at them before you keep them."""

import os

import pytest
from support import ROOT

from kaiser_logic.cli import main

PICTURES = {
    "kaiser": ["examples/games/four-players.game@190"],
    "kaiser-narrow": ["examples/games/four-players.game@61", "--layout", "narrow"],
    "change": ["examples/games/four-players.game@37", "--change", "--theme", "dark"],
    "krone": ["docs/pictures/krone.game"],
    "staufer": ["examples/staufer/random-5.game@101", "--change"],
    "vive": ["examples/vive/random-4.game@240"],
}
PICTURES |= {f"{name}-dark": [*PICTURES[name], "--theme", "dark"] for name in ("kaiser", "krone", "staufer", "vive")}
"""The arguments with which `show` draws each picture."""


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", PICTURES)
def test_pictures_are_up_to_date(name, tmp_path, monkeypatch):
    monkeypatch.chdir(ROOT)
    stored = ROOT / "docs" / "pictures" / f"{name}.svg"
    drawn = stored if os.environ.get("KAISER_LOGIC_WRITE") else tmp_path / "drawn.svg"
    assert main(["show", *PICTURES[name], "--format", "svg", "--output", str(drawn)]) == 0
    assert drawn.read_bytes() == stored.read_bytes()


def test_every_picture_has_arguments():
    assert {path.stem for path in (ROOT / "docs" / "pictures").glob("*.svg")} == set(PICTURES)
