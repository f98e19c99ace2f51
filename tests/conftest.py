"""What holds for all tests: nothing is kept on disk, unless a test says so."""

from __future__ import annotations

import os

os.environ["KAISER_LOGIC_CACHE"] = "off"
