"""The games with their editions and rulings, and the example records of the package."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from ..drawing.frame import deal
from ..drawing.scene import Scene, scene
from ..drawing.svg.canvas import Canvas
from ..drawing.svg.pen import Palette
from ..errors import FaultyRulebook, WrongUsage
from ..game import Game
from ..rules.library import asp_folder
from ..rules.library import games as ids
from ..rules.loader import rulebook
from ..rules.phrases import phrases
from ..rules.rulebook import Rulebook
from .boards import geometry_json
from .state import text_of


def games(_: Mapping[str, Any]) -> dict[str, Any]:
    """All games; for a faulty rulebook only its mistakes."""
    found = []
    for game_id in ids():
        try:
            found.append(described(rulebook(game_id)))
        except FaultyRulebook as error:
            found.append({"id": game_id, "title": game_id, "problem": str(error.findings[0])})
    return {"games": found}


def described(book: Rulebook) -> dict[str, Any]:
    """A game as it can be chosen."""
    words = phrases(book.folder)
    return {
        "id": book.id,
        "title": book.title,
        "players": list(book.manifest["players"]),
        "default": book.manifest["default_players"],
        "roles": [[role, words.phrase(role)] for role in book.roles],
        "editions": [[name, about] for name, about in book.editions.items()],
        "tags": [
            {
                "name": name,
                "about": tag["about"],
                "values": "seats" if tag["values"] == "seats" else list(map(str, tag["values"])),
                "count": tag.get("count", 1),
            }
            for name, tag in book.manifest.get("tags", {}).items()
        ],
        "rulings": [
            {
                "name": name,
                "about": ruling.about,
                "values": [[value, words] for value, words in ruling.values.items()],
                "by": dict(ruling.by_edition),
                "sources": dict(ruling.sources),
            }
            for name, ruling in book.rulings.items()
        ],
    }


def configured(game: Game) -> dict[str, Any]:
    """A configured game: edition, rulings, seats, and the layout of its board."""
    words = phrases(game.book.folder)
    shown, palette = scene(game.initial()), Palette("auto", game.seats)
    canvas = None if shown is None else Canvas(shown, deal(shown), shown.geometry.layout(), palette)
    return {
        "id": game.id,
        "title": game.book.title,
        "edition": game.edition,
        "options": dict(game.options),
        "seats": list(game.seats),
        "words": {role: words.phrase(role) for role in game.roles},
        "letters": {} if canvas is None else canvas.letters,
        "colours": {role: list(palette.owner(role)) for role in game.seats},
        "kinds": {} if shown is None else _kinds(shown),
        "layouts": [] if shown is None else geometry_json(shown.geometry),
        "facts": [f"{name}/{arity}" for name, arity in sorted(game.book.fluents)],
    }


def _kinds(shown: Scene) -> dict[str, str]:
    """The phrase for a free place of each kind, if the game has one."""
    titles = {kind: shown.say(f"place({kind})") for kind, _ in shown.geometry.slots}
    return {kind: words for kind, words in titles.items() if not words.startswith("place(")}


# -- examples ------------------------------------------------------------------------------------------------


_FIRST: Final = 4_000
"""So much of a file is read for what is said of it."""
_TAG: Final = re.compile(r'^\s*\[\s*(\w+)\s*"([^"]*)"\s*\]', re.MULTILINE)
_FAULTY: Final = "faults"
"""The folder of records that cannot be opened: they show what is said of them."""
_LONGEST: Final = 110


def folder() -> Path:
    """The folder of the examples, beside the rulebooks."""
    return asp_folder().parent / "examples"


def examples(_: Mapping[str, Any]) -> dict[str, Any]:
    """All records by game: file and description; without those that need a board file."""
    found: dict[str, list[dict[str, str]]] = {}
    for file in _files():
        with file.open(encoding="utf-8", errors="replace") as source:
            text = source.read(_FIRST)
        tags = dict(_TAG.findall(text))
        if "Game" in tags and "Board" not in tags:
            name = file.relative_to(folder()).as_posix()
            found.setdefault(tags["Game"], []).append({"file": name, "label": _about(text)})
    return {"examples": [{"game": game, "records": records} for game, records in found.items()]}


def example(data: Mapping[str, Any]) -> dict[str, Any]:
    """The text of one of them."""
    name = text_of(data, "file")
    for file in _files():
        if file.relative_to(folder()).as_posix() == name:
            return {"text": file.read_text(encoding="utf-8"), "name": file.name}
    raise WrongUsage(f"{name[:80]}: there is no such example")


def _files() -> list[Path]:
    found = [file for file in folder().glob("*/*.game") if file.is_file() and file.parent.name != _FAULTY]
    return sorted(found)


def _about(text: str) -> str:
    """The first sentence of the comment that a record begins with."""
    lines = []
    for line in text.splitlines():
        if not line.startswith("%"):
            break
        lines.append(line.lstrip("% ").strip())
    sentence = re.split(r"(?<=\w)\. ", " ".join(lines))[0].rstrip(".")
    return sentence if len(sentence) <= _LONGEST else f"{sentence[:_LONGEST].rsplit(' ', 1)[0]} …"
