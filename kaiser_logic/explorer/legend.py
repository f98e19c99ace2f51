"""What the signs of a board mean: each that is seen in a position, with a sample and its words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from ..drawing.dealing import deal
from ..drawing.scene import Look, Scene, scene
from ..drawing.svg.canvas import Canvas, piece, sort_named
from ..drawing.svg.palette import Palette
from ..drawing.svg.pen import group, path, text
from ..drawing.svg.signs import CHIPS, SIGNS, sign
from ..drawing.svg.sorts import FRAMES, SORTS
from .boards import refuse
from .state import State

Entry = tuple[str, str]
"""A sample as SVG, its middle at 0,0, within 44 px, and its words."""

_LARGE: Final = 20.0
"""The half of a sample's width and height that is aimed at."""


def legend(data: Mapping[str, Any]) -> dict[str, Any]:
    """The entries for a place in a game, by chapters; without those that have no words."""
    shown = scene(State.of(data).position())
    if shown is None:
        return {"chapters": []}
    refuse(shown)
    canvas = Canvas(shown, deal(shown), shown.geometry.layout(), Palette("auto", shown.seats))
    chapters = (
        ("Pieces", _pieces(canvas)),
        ("What is written on them", _labels(canvas)),
        ("Whose they are", _owners(canvas)),
        ("Places", _places(canvas)),
        ("Signs", _signs(canvas)),
        ("Tags", _tags(canvas)),
    )
    found = [(title, list(dict.fromkeys(entries))) for title, entries in chapters]
    return {"chapters": [{"title": title, "entries": some} for title, some in found if some]}


def _pieces(canvas: Canvas) -> Iterator[Entry]:
    """Each sort of piece on the board and in the panels, in the colour of nobody."""
    supplies = [
        item.args[0] for items in canvas.scene.panels.values() for item in items if item.kind == "supply"
    ]
    for name in dict.fromkeys([*(p.look.sort for p in canvas.scene.pieces), *supplies]):
        words = canvas.scene.say_in_full(name)
        if words and name in SORTS:
            yield piece(canvas, Look(name, "none", "none"), 0, 0, _LARGE / max(sort_named(name).half)), words


def _labels(canvas: Canvas) -> Iterator[Entry]:
    """What is written on pieces and stands for more."""
    for shown in canvas.scene.pieces:
        look = shown.look
        words = canvas.scene.say_in_full(look.label)
        if words != canvas.scene.say(look.label):
            bare = Look(look.sort, look.owner if look.owner in CHIPS else "none", look.label)
            yield piece(canvas, bare, 0, 0, _LARGE / max(sort_named(look.sort).half)), words


def _owners(canvas: Canvas) -> Iterator[Entry]:
    """The letters of the players, and of others who own pieces."""
    owners = [*canvas.scene.seats, *(shown.look.owner for shown in canvas.scene.pieces)]
    for owner in dict.fromkeys(owners):
        if canvas.letter(owner):
            fill, ink = canvas.palette.owner(owner) if owner in canvas.scene.seats else ("#ffffff", "#000000")
            letter = text(0, 7, canvas.letter(owner), 19, ink, bold=True, anchor="middle")
            shield = path(SORTS["shield"].path, fill, canvas.palette["ink"], 1.8)
            yield group([shield, letter], scale=0.9), canvas.scene.say(owner)


def _places(canvas: Canvas) -> Iterator[Entry]:
    """The outlines of free places."""
    for kind, name in canvas.scene.geometry.outlines.items():
        words = canvas.scene.say_in_full(f"place({kind})")
        if words.startswith("place("):
            continue
        if name in FRAMES:
            yield _frame(canvas, name), words
        elif name in SORTS:
            outline = path(SORTS[name].path, "none", canvas.palette["faint"], 1.4, "2 3")
            yield group([outline], scale=_LARGE / max(SORTS[name].half)), words


def _frame(canvas: Canvas, name: str) -> str:
    """A place that is always seen."""
    reach = max(abs(float(n)) for n in re.findall(r"-?[\d.]+", FRAMES[name]))
    outline = path(FRAMES[name], canvas.palette["ground"], canvas.palette["line"])
    return group([outline], scale=1.1 * _LARGE / reach)


def _signs(canvas: Canvas) -> Iterator[Entry]:
    """The signs of areas and panels."""
    shown = canvas.scene
    items = [item for listed in shown.panels.values() for item in listed]
    names = [item.args[0] for item in items if item.kind in ("number", "sign")]
    for name in dict.fromkeys([*shown.signs.values(), *names, *shown.rings.values(), *shown.frames.values()]):
        words = shown.say_in_full(name)
        if name in SIGNS and _worded(shown, name):
            yield sign(name, 0, 0, canvas.palette, 1.3), words
        elif name in FRAMES and _worded(shown, name):
            yield _frame(canvas, name), words
    yield sign("decide", 0, 0, canvas.palette, 1.3), "decides now"


def _tags(canvas: Canvas) -> Iterator[Entry]:
    """What areas are said to be, where it stands for more, and numbers of privileges and the like."""
    for words, hint in canvas.scene.hints.items():
        if hint != words:
            yield text(0, 5, words, 13, canvas.palette["ink"], bold=True, anchor="middle"), hint


def _worded(shown: Scene, name: str) -> bool:
    """Whether the game has words for a name, other than the name."""
    return bool(shown.say_in_full(name)) and shown.say_in_full(name) != name
