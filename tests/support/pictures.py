"""For tests of pictures: noughts and crosses as a game, positions of all games, parsed SVG."""

import re
import shutil
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from xml.etree import ElementTree as ET

from kaiser_logic.notation.sources import read
from kaiser_logic.position import Position
from kaiser_logic.records.replay import Replay
from support import EXAMPLES

SHOWN = (
    ("games/four-players.game", 37), ("games/four-players.game", 61), ("games/four-players.game", 190),
    ("games/two-players.game", 20), ("games/three-players.game", 12), ("krone/random-30.game", 40),
    ("staufer/random-2.game", 90), ("staufer/random-5.game", 101), ("vive/random-4.game", 150),
    ("vive/random-6.game", 200),
)  # fmt: skip
"""For every game, records with numbers of moves."""
SVG = "{http://www.w3.org/2000/svg}"

OXO = Path(__file__).with_name("oxo")
PICTURE = (OXO / "picture.lp").read_text(encoding="utf-8")
"""The picture of noughts and crosses."""


def oxo(folder: Path, picture: str = PICTURE) -> Path:
    """Noughts and crosses with a picture, in a folder below this one."""
    target = folder / "oxo"
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(OXO, target)
    (target / "picture.lp").write_text(picture, encoding="utf-8")
    return target


@cache
def at(name: str, moves: int) -> Position:
    return Replay.at(read(EXAMPLES / name), moves).here()


def parsed(svg: str) -> ET.Element:
    """An SVG as a tree; it must be well-formed."""
    root = ET.fromstring(svg)
    assert root.tag == f"{SVG}svg"
    return root


def texts(root: ET.Element) -> list[str]:
    return ["".join(t.itertext()) for t in root.iter(f"{SVG}text")]


def sizes(element: ET.Element, scale: float = 1.0) -> Iterator[tuple[float, str]]:
    """Each text with its displayed size."""
    match = re.search(r"scale\(([\d.]+)\)", element.get("transform", ""))
    scale *= float(match[1]) if match else 1.0
    if element.tag == f"{SVG}text":
        yield float(element.get("font-size", "0")) * scale, "".join(element.itertext())
    for inner in element:
        yield from sizes(inner, scale)
