"""Rulebooks that are changed while a process has them: what is remembered of them is forgotten when they are read again.

Whoever tries a rulebook out edits a file and loads it anew, in the same notebook; the answers are then those of the new rules.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

_forgetting: Final[list[Callable[[], None]]] = []
_contents: Final[dict[Path, tuple[tuple[str, bytes], ...]]] = {}
_FILES: Final = frozenset({".lp", ".toml"})


def on_change(forget: Callable[[], None]) -> None:
    """Has this called when a rulebook is no longer what it was, as the ``cache_clear`` of what is remembered of it."""
    _forgetting.append(forget)


def look_at(folder: Path) -> None:
    """Has everything forgotten that is remembered of rulebooks, if the files in this folder are others than the last time."""
    files = sorted(f for f in folder.iterdir() if f.suffix in _FILES and f.is_file())
    found = tuple((f.name, f.read_bytes()) for f in files)
    if _contents.setdefault(folder, found) != found:
        _contents[folder] = found
        for forget in _forgetting:
            forget()
