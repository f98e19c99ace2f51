"""Copies of the rulebook of kaiser with a deliberate fault."""

from __future__ import annotations

import shutil
from pathlib import Path

from kaiser_logic.rules.loader import asp_folder


def kaiser_variant(folder: Path, file: str, old: str, new: str) -> Path:
    """A copy of the rulebook in which a text of one file is replaced; a missing text is an error."""
    target = folder / "kaiser"
    shutil.copytree(asp_folder() / "kaiser", target)
    path = target / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
    return target
