"""What holds for all tests: nothing is kept on disk, unless a test says so; no example is too slow."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path
from typing import Final

import pytest
from hypothesis import settings

from kaiser_logic.simulation import folder

os.environ["KAISER_LOGIC_CACHE"] = "off"
settings.register_profile("without a clock", deadline=None)
settings.load_profile("without a clock")

KERNELS: Final = "KAISER_LOGIC_TEST_KERNELS"
"""Names the folder of what numba has compiled for the tests of this run, in all their processes."""

_kept = folder.folder


def pytest_configure(config: pytest.Config) -> None:
    """Tests in several processes share the kernels that numba compiles, which takes each of them a minute otherwise.

    They are the same for all tests. Circuits and native code are not: they are kept only where a test says so.
    """
    if KERNELS not in os.environ:
        os.environ[KERNELS] = tempfile.mkdtemp(prefix="kernels-")
        config.add_cleanup(lambda: shutil.rmtree(os.environ.pop(KERNELS), ignore_errors=True))
    folder.folder = _shared


def _shared(part: str = "circuits") -> Path | None:
    """The folder of a part: kernels' is that of this run, unless a test has something kept."""
    found = _kept(part)
    return Path(os.environ[KERNELS]) if found is None and part == "kernels" else found
