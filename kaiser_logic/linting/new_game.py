"""A new game's rulebook: a small one that can be played and proved, to be changed rule by rule."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Final

from ..errors import WrongUsage
from ..rules.library import asp_folder, games

_NAME: Final = re.compile(r"[a-z][a-z0-9_]*", re.ASCII)
_TAKEN: Final = frozenset({"engine", "skeleton"})


def new_game(name: str, folder: str | os.PathLike[str] = ".") -> Path:
    """Writes the skeleton of a rulebook and returns its folder, which is new.

    Args:
        name: The game's id, also the new folder's name: small letters, digits and ``_``.
        folder: Where the new folder is made.

    Raises:
        WrongUsage: The name is none or taken, or the folder cannot be written.
    """
    if not _NAME.fullmatch(name) or name in _TAKEN:
        raise WrongUsage(f"{name[:80]!r} is no id of a game: small letters, digits and _, such as my_game")
    if name in games():
        raise WrongUsage(f"there is a game {name!r} already")
    target = Path(folder) / name
    try:
        target.mkdir(parents=True)
        for source in sorted((asp_folder() / "skeleton").iterdir()):
            text = source.read_text(encoding="utf-8")
            if source.suffix == ".toml":
                text = text.replace("{id}", name).replace("{title}", name.replace("_", " ").capitalize())
            file = target / ("game.toml" if source.name == "manifest.toml" else source.name)
            file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise WrongUsage(f"cannot write {error.filename or target}: {error.strerror}") from None
    return target
