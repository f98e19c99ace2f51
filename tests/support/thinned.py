"""Cases of which the usual run takes a sample."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from _pytest.mark import ParameterSet


def thinned(
    cases: Iterable[object], of: int, mark: pytest.MarkDecorator = pytest.mark.long
) -> list[ParameterSet]:
    """Keeps every ``of``-th case in the usual run; the other cases run only with their mark.

    Args:
        cases: The values of a test's arguments, each in a tuple, or as the single value.
        of: Every ``of``-th case is kept, beginning with the first.
        mark: The mark of the other cases.
    """
    return [
        pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=() if k % of == 0 else mark)
        for k, case in enumerate(cases)
    ]
