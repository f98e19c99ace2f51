"""The records that come with the package, to be opened from the start page."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from ..errors import WrongUsage
from ..rules.library import asp_folder
from .state import text_of

_FIRST: Final = 4_000
"""So much of a file is read for what is said of it."""
_TAG: Final = re.compile(r'^\s*\[\s*(\w+)\s*"([^"]*)"\s*\]', re.MULTILINE)
_SPOILT: Final = "faults"
"""The folder of records that cannot be opened: they show what is said of them."""
_LONGEST: Final = 110


def folder() -> Path:
    """Where the examples lie: beside the rulebooks."""
    return asp_folder().parent / "examples"


def examples(_: Mapping[str, Any]) -> dict[str, Any]:
    """All records, by game: file, and what is said of it; without those that need a board file."""
    found: dict[str, list[dict[str, str]]] = {}
    for file in _files():
        with file.open(encoding="utf-8", errors="replace") as source:
            text = source.read(_FIRST)
        tags = dict(_TAG.findall(text))
        if "Game" in tags and "Board" not in tags:
            name = file.relative_to(folder()).as_posix()
            found.setdefault(tags["Game"], []).append({"file": name, "said": _about(text)})
    return {"examples": [{"game": game, "records": records} for game, records in found.items()]}


def example(data: Mapping[str, Any]) -> dict[str, Any]:
    """The text of one of them."""
    name = text_of(data, "file")
    for file in _files():
        if file.relative_to(folder()).as_posix() == name:
            return {"text": file.read_text(encoding="utf-8"), "name": file.name}
    raise WrongUsage(f"{name[:80]}: there is no such example")


def _files() -> list[Path]:
    found = [file for file in folder().glob("*/*.game") if file.is_file() and file.parent.name != _SPOILT]
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
