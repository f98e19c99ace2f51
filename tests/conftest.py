"""Settings for all tests. The cache on disk is off unless a test turns it on. No example has a deadline."""

import atexit
import gc
import os
import re
import shutil
import tempfile
from collections import Counter
from pathlib import Path
from typing import Final

import pytest
from hypothesis import settings
from support import compared

from kaiser_logic import cache

os.environ["KAISER_LOGIC_CACHE"] = "off"
if os.environ.pop("PYTHONDONTWRITEBYTECODE", ""):
    os.environ["PYTHONPYCACHEPREFIX"] = tempfile.mkdtemp()  # processes to come need not compile the package again
    atexit.register(shutil.rmtree, os.environ["PYTHONPYCACHEPREFIX"], ignore_errors=True)
EXAMPLES: Final = int(os.environ.get("KAISER_LOGIC_EXAMPLES", "30"))
"""How many examples hypothesis tries for each property."""
settings.register_profile("without a clock", deadline=None, max_examples=EXAMPLES)
settings.load_profile("without a clock")

USUAL: Final = "not slow and not long"
_ALL_SLOW: Final = re.compile(r"^pytestmark = .*\bpytest\.mark\.(slow|long)\b", re.M)


@pytest.fixture
def kept_folder(tmp_path, monkeypatch):
    """Turns the cache on disk on, in an empty folder."""
    folder = tmp_path / "kept"
    monkeypatch.setenv(cache.VARIABLE, str(folder))
    monkeypatch.setattr(cache, "_stores", {})
    cache._check_folder.cache_clear()
    yield folder
    cache._check_folder.cache_clear()


def pytest_configure(config: pytest.Config) -> None:
    """Runs the garbage collector less often, and keeps the tests of a module in one process."""
    if config.option.markexpr.startswith(USUAL):
        compared.compare(compared.SOME)
    gc.set_threshold(200_000, 10, 10)  # as the command line does: tests too create many objects that stay
    if config.getoption("dist", "no") == "load":  # the fixtures of a module are created in one process
        config.option.dist = "worksteal"


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """The usual run does not import a module whose tests are all slow: some imports take seconds."""
    usual = config.option.markexpr.startswith(USUAL) and collection_path.suffix == ".py"
    return True if usual and _ALL_SLOW.search(collection_path.read_text(encoding="utf-8")) else None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """``sample(n)``: the usual run takes every ``n``-th case of a test, beginning with the first; the others are slow.

    ``sample(n, m)``: every ``m``-th of them stays in ``.ci/run``. When expected outputs are rewritten, all cases run.
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
            if seen[test] % [*marker.args, 1][1]:
                item.add_marker(pytest.mark.by_hand)
            seen[test] += 1


def pytest_collection_finish() -> None:
    """Objects that are loaded now stay until the end: the garbage collector need not visit them again."""
    gc.collect()
    gc.freeze()
