"""The user's own folder in which circuits are stored. They are data, and checked before use (:mod:`.circuit_store`)."""

from __future__ import annotations

import os
import stat
from functools import cache
from pathlib import Path
from typing import Final

from .. import cache as kept
from ..engine.ruleset import Ruleset
from ..errors import WrongUsage

_SOURCES: Final = ("batch", "transform", "engine", "rules", "notation", "unrolling")
"""On which folders of the package circuits depend."""
_DIGITS: Final = 24
WHOLE: Final = ".whole"
"""How the names of the files end that say that all circuits of some rules have been built."""


def required() -> None:
    """Raises WrongUsage where NumPy or llvmlite are missing; it says how to install them."""
    try:
        import llvmlite  # noqa: F401
        import numpy  # noqa: F401
    except ImportError as error:
        message = (
            f"many positions at once need NumPy and llvmlite ({error}): pip install 'kaiser-logic[batch]'"
        )
        raise WrongUsage(message) from None


def folder() -> Path | None:
    """The folder of this version's circuits, made where there is none; None where nothing is to be kept."""
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


def whole(ruleset: Ruleset) -> Path | None:
    """The file that says that all circuits of these rules have been built; None where nothing is kept.

    It is a hint that costs no look at the circuits: who wants to use them looks whether they are there.
    """
    found = folder()
    return None if found is None else found / f"{ruleset.mark[:40]}{WHOLE}"


@cache
def version() -> str:
    """A hash of the modules that circuits depend on."""
    return kept.tool(*_SOURCES)[:_DIGITS]
