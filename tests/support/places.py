"""Places in recorded games, in the form that the page sends."""

from functools import cache
from typing import Any

from kaiser_logic.explorer.record_handlers import open_record
from support import EXAMPLES

GAMES = (("games/four-players.game", 60), ("krone/random-30.game", 120), ("staufer/random-5.game", 100),
         ("vive/random-6.game", 120))  # fmt: skip
"""A record of each game, and a number of moves."""


@cache
def opened_record(name: str) -> Any:
    return open_record({"text": (EXAMPLES / name).read_text(encoding="utf-8")})


def place(name: str, moves: int) -> dict[str, Any]:
    answer = opened_record(name)
    facts: list[str] = []
    for step in answer["steps"][: moves + 1]:
        gone = set(step["minus"])
        facts = [fact for fact in facts if fact not in gone] + step["plus"]
    return {"tags": answer["tags"], "facts": facts, "pending": answer["steps"][moves]["pending"]}


def facts_of(place: dict[str, Any]) -> dict[str, Any]:
    return {"tags": place["tags"], "facts": place["facts"]}
