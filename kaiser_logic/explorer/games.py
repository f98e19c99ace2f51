"""Which games can be played, with all that a page needs to start one: editions, rulings, seats, start tags."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..drawing.dealing import deal
from ..drawing.scene import Scene, scene
from ..drawing.svg.canvas import Canvas
from ..drawing.svg.palette import Palette
from ..errors import FaultyRulebook
from ..game import Game
from ..rules.library import games as ids
from ..rules.loader import rulebook
from ..rules.phrases import phrases
from ..rules.rulebook import Rulebook
from .boards import geometry_json


def games(_: Mapping[str, Any]) -> dict[str, Any]:
    """All games; of one whose rulebook is faulty only what is wrong with it."""
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
    """A game as it is being played: what is in force, who sits there, and where its board's parts lie."""
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
    """What a free place of each kind is called, where the game has words for it."""
    titles = {kind: shown.say(f"place({kind})") for kind, _ in shown.geometry.slots}
    return {kind: words for kind, words in titles.items() if not words.startswith("place(")}
