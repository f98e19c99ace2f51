"""The functions that show results in notebooks, and additional checks of `lint`.

`position` must not import `drawing`, and `records` must not import `reports`: they are in lower layers. Therefore the
package registers here the functions that show positions and reports. They are loaded when they are first called. In the
same way `lint` gets the checks of picture rules, which are in `drawing`, and of the start, which are in `evaluation`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

PRESENTERS: Final[dict[str, Callable[[Any], str]]] = {}
"""The functions that show values, by class and method of the notebook, such as ``Position._repr_svg_``."""

CHECKS: Final[list[Callable[[Any], Iterable[Any]]]] = []
"""Additional checks of `lint`: functions from a rulebook's survey to findings."""


def present(value: object, method: str) -> str | None:
    """What a method of a notebook shows of a value; None if no function is registered for it."""
    found = PRESENTERS.get(f"{type(value).__name__}.{method}")
    return None if found is None else found(value)
