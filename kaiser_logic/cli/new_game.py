"""The command new-game: writes the skeleton of a new rulebook, a small game that can be played and proved."""

from __future__ import annotations

import argparse
import os
import re
from pathlib import Path
from typing import Final

from ..errors import WrongUsage
from ..rules.library import asp_folder, games
from .common import print_note

_NAME: Final = re.compile(r"[a-z][a-z0-9_]*", re.ASCII)
_TAKEN: Final = frozenset({"engine", "skeleton"})


def add_new_game(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``new-game``."""
    parser.epilog = "exit code: 0 written, 2 wrong usage\ndocs/write/rulebooks.md says how to go on."
    parser.add_argument("name", metavar="NAME", help="the new game's id: small letters, digits and _")
    parser.add_argument(
        "--folder", metavar="DIR", default=".", help="where its folder is made (default: here)"
    )
    parser.set_defaults(run=new_game)


def new_game(args: argparse.Namespace) -> int:
    """Writes the skeleton of a rulebook."""
    folder = os.path.join(write_skeleton(args.name, args.folder), "")
    print(folder)
    print_note(f"now: kaiser-logic play {folder}, kaiser-logic lint {folder}, kaiser-logic prove {folder}")
    return 0


def write_skeleton(name: str, folder: str | os.PathLike[str] = ".") -> Path:
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


COMMANDS: Final = {"new-game": add_new_game}
"""What adds the arguments of each command."""
