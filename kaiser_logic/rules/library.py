"""The games of the package and of ``KAISER_LOGIC_GAMES``, and their folders."""

from __future__ import annotations

import os
import tomllib
from functools import cache
from pathlib import Path
from typing import Final

from ..cache import key_of
from ..errors import WrongUsage
from ..function_caches import forget_all
from .places import nearest

SEARCH_PATH: Final = "KAISER_LOGIC_GAMES"
"""The environment variable that lists folders of games, separated as in PATH. Whoever sets it trusts them."""
_SUFFIXES: Final = frozenset({".lp", ".toml"})
"""The suffixes of the files of rulebooks."""


@cache
def asp_folder() -> Path:
    """The folder of the rulebooks: in the installed package, or beside it in a checkout."""
    package = Path(__file__).resolve().parents[1]
    inside = package / "asp"
    return inside if inside.is_dir() else package.parent / "asp"


def examples_folder() -> Path:
    """The folder of the examples, beside the rulebooks."""
    return asp_folder().parent / "examples"


def games() -> tuple[str, ...]:
    """The ids of the games that have a rulebook: those of the package, and those of ``KAISER_LOGIC_GAMES``."""
    return tuple(sorted(_folders()))


def _folders() -> dict[str, Path]:
    """Maps the ids of games to their folders; a game of the package hides others of the same name."""
    listed = os.environ.get(SEARCH_PATH, "").split(os.pathsep)
    places = [asp_folder(), *(Path(place) for place in listed if place)]
    folders = [path.parent for place in places for path in sorted(place.glob("*/game.toml"))]
    return {folder.name: folder for folder in reversed(folders)}


def game_named(text: str) -> str | Path:
    """Returns the game that a text names: an id, or a folder with a rulebook.

    A folder is trusted like a program. So the text must come from the user, never from a record.
    """
    folder = Path(text)
    is_folder = os.sep in text or (text not in _folders() and (folder / "game.toml").is_file())
    return folder if is_folder else text


def folder_of(game_id: str) -> Path:
    """The folder of a game's rulebook; WrongUsage if there is none of that name."""
    folder = _folders().get(game_id)
    if folder is None:
        raise WrongUsage(no_such_game(game_id))
    return folder


def fingerprint(source: str | Path | None = None) -> str:
    """A hash of all rulebooks, or of one folder and the engine's files."""
    folders = [asp_folder() / "engine", source] if isinstance(source, Path) else [asp_folder(), *_folders().values()]
    contents: dict[str, bytes] = {}
    for folder in folders:
        for path in sorted(p for p in folder.rglob("*") if p.suffix in _SUFFIXES and p.is_file()):
            contents[f"{folder.name}/{path.relative_to(folder)}"] = path.read_bytes()
    return key_of(*(part for name, text in sorted(contents.items()) for part in (name, text)))


def no_such_game(name: str) -> str:
    """The message for an unknown game: the nearest game, and all games with their titles."""
    titles = {}
    for game_id, folder in _folders().items():
        try:
            manifest = tomllib.loads((folder / "game.toml").read_text(encoding="utf-8"))
            titles[game_id] = str(manifest.get("title", game_id)).partition(" (")[0]
        except (OSError, ValueError):
            titles[game_id] = game_id
    close = {word.lower(): game_id for game_id, title in titles.items() for word in (title, game_id)}
    hint = nearest(name.lower(), close)
    for word, game_id in close.items():
        hint = hint.replace(f"'{word}'", f"'{game_id}'")
    listed = ", ".join(f"{i} ({t})" if t != i else i for i, t in sorted(titles.items()))
    own = f"name your own game by its folder (GAME or --game FOLDER), or put it into a folder that {SEARCH_PATH} lists"
    return f"there is no game {name[:80]!r}{hint}; the games are: {listed}; {own}".replace("?;", "?")


# -- changes -------------------------------------------------------------------------------------------------
#
# An author may edit a rulebook and load it again in the same process, such as a notebook. Then all caches are cleared.


_contents: Final[dict[Path, tuple[tuple[str, bytes], ...]]] = {}


def texts_of(folder: Path) -> tuple[tuple[str, bytes], ...]:
    """The names of the files of a rulebook, each with its contents."""
    files = sorted(f for f in folder.iterdir() if f.suffix in _SUFFIXES and f.is_file())
    return tuple((f.name, f.read_bytes()) for f in files)


def look_at(folder: Path) -> None:
    """Clears all caches of rulebooks if the files in this folder have changed since the last time."""
    texts = texts_of(folder)
    if _contents.setdefault(folder, texts) != texts:
        _contents[folder] = texts
        forget_all()
