"""How much a proof compares with the plain engine: of a tiny game's proof that is nine tenths of the time."""

from __future__ import annotations

from typing import Final

import pytest

from kaiser_logic.solving import check, games

ALL: Final = (check._MUCH, games._DECISIONS)
"""What users get."""
SOME: Final = (2, 40)
"""What the usual tests get."""


def compare(most: tuple[int, int], patch: pytest.MonkeyPatch | None = None) -> None:
    """So much is compared from now on, or until the patch ends."""
    patch = patch or pytest.MonkeyPatch()
    patch.setattr(check, "_MUCH", most[0])
    patch.setattr(games, "_DECISIONS", most[1])
