"""What holds for all tests: nothing is kept on disk, unless a test says so; no example is too slow."""

from __future__ import annotations

import gc
import os
import re
from collections import Counter
from pathlib import Path
from typing import Final

import pytest
from hypothesis import settings
from support import compared

pytest.register_assert_rewrite("support.rule_cases")  # so that a failing case says what was found
os.environ["KAISER_LOGIC_CACHE"] = "off"
EXAMPLES: Final = int(os.environ.get("KAISER_LOGIC_EXAMPLES", "30"))
"""So many examples a property is tried with."""
settings.register_profile("without a clock", deadline=None, max_examples=EXAMPLES)
settings.load_profile("without a clock")

USUAL: Final = "not slow and not long"
_OTHERS: Final = re.compile(r"^pytestmark = .*\bpytest\.mark\.(slow|long)\b", re.M)


def pytest_configure(config: pytest.Config) -> None:
    """The collector is asked less often, and what tests of a module share is made in one process."""
    if config.option.markexpr == USUAL:
        compared.compare(compared.SOME)
    gc.set_threshold(200_000, 10, 10)  # as the command line does: tests too make much that stays
    if config.getoption("dist", "no") == "load":  # what tests of a module share is made in one process
        config.option.dist = "worksteal"


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """The usual run does not import a module whose tests are all slow: some take seconds for that."""
    usual = config.option.markexpr == USUAL and collection_path.suffix == ".py"
    return True if usual and _OTHERS.search(collection_path.read_text(encoding="utf-8")) else None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """``sample(n)``: of a test's cases the usual run takes one in ``n``, beginning with the first; the others are slow.

    Where expected outputs are written anew, all of them are.
    """
    if os.environ.get("KAISER_LOGIC_WRITE"):
        return
    seen: Counter[str] = Counter()
    for item in items:
        marker = item.get_closest_marker("sample")
        if marker is not None:
            test = item.nodeid.partition("[")[0]
            if seen[test] % marker.args[0]:
                item.add_marker(pytest.mark.slow)
            seen[test] += 1


def pytest_collection_finish() -> None:
    """What is loaded now stays until the end: the collector looks no more through it."""
    gc.collect()
    gc.freeze()
