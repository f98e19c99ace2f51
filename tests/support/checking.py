"""The settings with which tests run the checker."""

import tomllib
from collections.abc import Mapping
from pathlib import Path

from kaiser_logic.checker.text import Settings


def settings_of(
    folder: Path,
    players: int | None = None,
    edition: str = "standard",
    options: Mapping[str, str] | None = None,
    claims: str = "",
) -> Settings:
    """The settings that a rulebook's manifest gives for a number of players, an edition and changed rulings."""
    manifest = tomllib.loads((folder / "game.toml").read_text(encoding="utf-8"))
    seats = tuple(manifest["roles"][: players or manifest["default_players"]])
    rulings = {name: str(one[edition]) for name, one in manifest.get("rulings", {}).items()}
    start = {}
    for name, tag in manifest.get("tags", {}).items():
        default = seats[0] if tag["default"] == "first seat" else tag["default"]
        start[name.lower()] = tuple(map(str, default if isinstance(default, list) else str(default).split()))
    return Settings(seats, {**rulings, **(options or {})}, start, claims)
