"""The number of cases of the cross-checks, and a summary of their results."""

import os
from collections import Counter

import pytest

TALLY: Counter[str] = Counter()


@pytest.fixture(scope="session")
def scale():
    """The factor for the usual number of cases: ``KAISER_LOGIC_CROSSCHECK=N``."""
    return max(1, int(os.environ.get("KAISER_LOGIC_CROSSCHECK", "1")))


@pytest.fixture(scope="session")
def tally():
    """Counts results. The counts are printed at the end of the run."""
    yield TALLY


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Prints the counts."""
    if TALLY:
        terminalreporter.write_line("cross-check: " + ", ".join(f"{n} {name}" for name, n in sorted(TALLY.items())))
