"""The user's own folder in which circuits are stored. They are data, and checked before use (:mod:`.circuit_store`)."""

from __future__ import annotations

import os
import stat
from functools import cache
from pathlib import Path
from typing import Final

from .. import cache as kept
from ..engine.ruleset import Ruleset

_SOURCES: Final = ("batch", "transform", "engine", "rules", "notation", "unrolling")
"""The folders of the package on which circuits depend."""
_DIGITS: Final = 24
COMPLETE: Final = ".complete"
"""The suffix of a marker file: all circuits of some rules have been built."""


def circuit_folder() -> Path | None:
    """The folder of this version's circuits, which is created if need be; None if nothing is stored."""
    base, own = kept.folder(), version()
    if base is None or not own:
        return None
    found = base / f"circuits-{own}"
    try:
        found.mkdir(mode=0o700, exist_ok=True)
        state = found.lstat()
    except OSError:
        return None
    mine = stat.S_ISDIR(state.st_mode) and state.st_uid == os.geteuid() and not state.st_mode & 0o022
    return found if mine else None


def complete_marker(ruleset: Ruleset) -> Path | None:
    """The marker file for the circuits of these rules, which exists if all have been built; None if nothing is stored.

    It is only a hint, which avoids reading the circuits. Code that uses the circuits still checks that they exist.
    """
    found = circuit_folder()
    return None if found is None else found / f"{ruleset.mark[:40]}{COMPLETE}"


@cache
def version() -> str:
    """A hash of the modules that circuits depend on."""
    return kept.tool(*_SOURCES)[:_DIGITS]
