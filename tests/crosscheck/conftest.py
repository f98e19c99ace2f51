"""How much is tried, and what came of it."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator

import pytest

TALLY: Counter[str] = Counter()


@pytest.fixture(scope="session")
def scale() -> int:
    """How many times as much as usual is tried: ``KAISER_LOGIC_CROSSCHECK=N``."""
    return max(1, int(os.environ.get("KAISER_LOGIC_CROSSCHECK", "1")))


@pytest.fixture(scope="session")
def tally() -> Iterator[Counter[str]]:
    """What has been counted, told at the end of the run."""
    yield TALLY


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Tells what has been counted."""
    if TALLY:
        terminalreporter.write_line(
            "cross-check: " + ", ".join(f"{n} {name}" for name, n in sorted(TALLY.items()))
        )
