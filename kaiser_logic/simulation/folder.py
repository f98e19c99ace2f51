"""Where circuits and compiled kernels are kept between runs: a folder of the user's own.

Circuits are data and are checked before use (:mod:`.cache`). What numba keeps is code, so the folder must belong to the
user, and nobody else may write to it; otherwise nothing is kept.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, Final

from .. import cache as kept
from ..engine.ruleset import Ruleset
from ..errors import WrongUsage

_SOURCES: Final = ("simulation", "symbolic", "transform", "engine", "rules", "notation", "unrolling")
"""On which folders of the package circuits depend."""
_KERNELS: Final = (
    "vectors",
    "gates",
    "places",
    "loading",
    "kernels",
    "choosing",
    "candidates",
    "held",
    "listing",
    "lockstep",
)
"""On which modules kernels depend; numba itself looks at its own version and at the processor."""
_DIGITS: Final = 24
WHOLE: Final = ".whole"
"""How the names of the files end that say that all circuits of some rules have been built."""


def required() -> None:
    """WrongUsage, with how to install them, where NumPy or numba are missing."""
    try:
        import numba  # noqa: F401
        import numpy  # noqa: F401
    except ImportError as error:
        message = f"many positions at once need NumPy and numba ({error}): pip install 'kaiser-logic[batch]'"
        raise WrongUsage(message) from None


@contextmanager
def keeping() -> Iterator[bool]:
    """Lets numba keep what it compiles in the user's own folder; whether there is one."""
    import numba

    config: Any = numba.config
    theirs, own = config.CACHE_DIR, folder("kernels")
    config.CACHE_DIR = "" if own is None else str(own)
    try:
        yield own is not None
    finally:
        config.CACHE_DIR = theirs


def folder(part: str = "circuits") -> Path | None:
    """The folder of this version's circuits or kernels, made where there is none; None where nothing is to be kept."""
    base, own = kept.folder(), version(part)
    if base is None or not own:
        return None
    found = base / f"{part}-{own}"
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
def version(part: str) -> str:
    """What tells this version of the programs that make circuits, or of the kernels, from all others."""
    if part == "circuits":
        return kept.tool(*_SOURCES)[:_DIGITS]
    here = Path(__file__).parent
    try:
        return kept.key_of(*((here / f"{name}.py").read_bytes() for name in _KERNELS))[:_DIGITS]
    except OSError:
        return ""
