"""What holds for all tests: nothing is kept on disk, unless a test says so; no example is too slow."""

from __future__ import annotations

import os

from hypothesis import settings

os.environ["KAISER_LOGIC_CACHE"] = "off"
settings.register_profile("without a clock", deadline=None)
settings.load_profile("without a clock")
