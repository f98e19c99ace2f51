"""Cases of which the usual run takes a share: what it leaves out are slow tests."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from _pytest.mark import ParameterSet


def thinned(cases: Iterable[object], of: int) -> list[ParameterSet]:
    """One of so many cases always, all with ``-m slow``.

    Args:
        cases: Each the values of a test's arguments, in a tuple, or the one value.
        of: Each so-manyth is kept, beginning with the first.
    """
    return [
        pytest.param(
            *(case if isinstance(case, tuple) else (case,)), marks=() if k % of == 0 else pytest.mark.slow
        )
        for k, case in enumerate(cases)
    ]
