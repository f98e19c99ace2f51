"""Cases of which the usual run takes a share."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from _pytest.mark import ParameterSet


def thinned(
    cases: Iterable[object], of: int, mark: pytest.MarkDecorator = pytest.mark.long
) -> list[ParameterSet]:
    """One of so many cases in the usual run, the others only where their mark is asked for.

    Args:
        cases: Each the values of a test's arguments, in a tuple, or the one value.
        of: Each so-manyth is kept, beginning with the first.
        mark: That of the cases which are left out.
    """
    return [
        pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=() if k % of == 0 else mark)
        for k, case in enumerate(cases)
    ]
