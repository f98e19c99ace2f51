"""How many positions a proof compares with the evaluation: nine tenths of the time of a tiny game's proof."""

from typing import Final

import pytest

from kaiser_logic.solving import check, games

ALL: Final = (check._MUCH, games._DECISIONS)
"""The numbers that users get."""
SOME: Final = (2, 40)
"""The numbers of the usual tests."""


def compare(most: tuple[int, int], patch: pytest.MonkeyPatch | None = None) -> None:
    """Sets the numbers from now on, or until the patch ends."""
    patch = patch or pytest.MonkeyPatch()
    patch.setattr(check, "_MUCH", most[0])
    patch.setattr(games, "_DECISIONS", most[1])
