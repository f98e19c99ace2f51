"""A plugin of pytest: which lines of the package each test executes, and how long it takes.

Each process writes into the folder ``KAISER_LOGIC_RECORD``: ``lines-PID``, the data of coverage with a context for each test, and
``tests-PID.json``, the commit and the seconds of CPU of each test (of its child processes, too). Lines that run on import, or
in child processes, are not recorded.
"""

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import coverage
import pytest

FOLDER: Final = Path(os.environ["KAISER_LOGIC_RECORD"])
ROOT: Final = Path(__file__).parents[2]
_measured: Final = coverage.Coverage(
    data_file=str(FOLDER / f"lines-{os.getpid()}"), source=[str(ROOT / "kaiser_logic")], config_file=False
)
_seconds: Final = dict[str, float]()


def pytest_collection_finish() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    _measured.start()
    _measured.switch_context("import")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Each test is a context."""
    _measured.switch_context(item.nodeid)
    begun = sum(os.times()[:4])
    try:
        return (yield)
    finally:
        _seconds[item.nodeid] = sum(os.times()[:4]) - begun


def pytest_unconfigure() -> None:
    """Writes what this process recorded."""
    _measured.stop()
    _measured.save()
    head = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=True)
    text = json.dumps({"commit": head.stdout.strip(), "seconds": _seconds})
    (FOLDER / f"tests-{os.getpid()}.json").write_text(text, encoding="utf-8")
