"""Registers how results are shown in notebooks.

A position knows nothing of drawing, nor a record of reports: both stand far below. So that a notebook can ask them
nevertheless, the package registers here what shows them; it is loaded when it is first asked. Likewise `lint` knows
nothing of drawing, and looks at picture rules by what is registered here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

PRESENTERS: Final[dict[str, Callable[[Any], str]]] = {}
"""The function that shows a value, by the name of the notebook's method and of the class, such as ``Position._repr_svg_``."""

CHECKS: Final[list[Callable[[Any], Iterable[Any]]]] = []
"""Additional checks of `lint`: the findings in a checked rulebook."""


def present(value: object, method: str) -> str | None:
    """The value for the notebook's method; None if no function is registered for it."""
    found = PRESENTERS.get(f"{type(value).__name__}.{method}")
    return None if found is None else found(value)
