"""Places in recorded games as a page sends them."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from kaiser_logic.explorer.record_handlers import opened

EXAMPLES = Path(__file__).parents[2] / "examples"
GAMES = (("games/four-players.game", 60), ("krone/random-30.game", 120), ("staufer/random-5.game", 100),
         ("vive/random-6.game", 120))  # fmt: skip
"""A record of every game, and a number of moves."""


@cache
def told(name: str) -> Any:
    """A record as it is opened."""
    return opened({"text": (EXAMPLES / name).read_text(encoding="utf-8")})


def place(name: str, moves: int) -> dict[str, Any]:
    """The place in a record after so many moves."""
    answer = told(name)
    facts: list[str] = []
    for step in answer["steps"][: moves + 1]:
        gone = set(step["minus"])
        facts = [fact for fact in facts if fact not in gone] + step["plus"]
    return {"tags": answer["tags"], "facts": facts, "pending": answer["steps"][moves]["pending"]}
