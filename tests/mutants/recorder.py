"""A plugin of pytest: which lines of the package each test file executes, and how long the file takes.

Each process writes ``lines-PID.json`` into the folder ``KAISER_LOGIC_RECORD``: the commit, the seconds of each test file, and
for each file of the package and line the test files that execute it. Lines that run on import, or in child
processes, are not recorded.
"""

import json
import os
import subprocess
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import coverage
import pytest

FOLDER: Final = Path(os.environ["KAISER_LOGIC_RECORD"])
ROOT: Final = Path(__file__).parents[2]
_measured: Final = coverage.Coverage(data_file=None, source=[str(ROOT / "kaiser_logic")], config_file=False)
EVERY: Final = 60.0
"""After so many seconds of tests the record is written, in case the run does not end."""
_written: Final = [1]
_seconds: Final[defaultdict[str, float]] = defaultdict(float)


def pytest_collection_finish() -> None:
    _measured.start()
    _measured.switch_context("import")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Each test file is a context."""
    name = item.nodeid.partition("::")[0]
    _measured.switch_context(name)
    begun = time.process_time()
    try:
        return (yield)
    finally:
        _seconds[name] += time.process_time() - begun
        if sum(_seconds.values()) > EVERY * _written[0]:
            write()


def pytest_unconfigure() -> None:
    _measured.stop()
    write()


def write() -> None:
    """Writes what this process recorded so far."""
    _written[0] += 1
    data = _measured.get_data()
    lines = {
        str(Path(file).relative_to(ROOT)): {n: sorted(c) for n, c in data.contexts_by_lineno(file).items()}
        for file in data.measured_files()
    }
    commit = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=True)
    text = json.dumps({"commit": commit.stdout.strip(), "seconds": _seconds, "lines": lines})
    FOLDER.mkdir(parents=True, exist_ok=True)
    (FOLDER / f"lines-{os.getpid()}.json").write_text(text, encoding="utf-8")
